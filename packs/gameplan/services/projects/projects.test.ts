import { ForbiddenError, InvalidInputError, NotFoundError } from 'handrail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStudio } from '../../testing/open-workspace.ts'

let studio: Awaited<ReturnType<typeof openStudio>>
beforeAll(async () => {
  studio = await openStudio()
})
afterAll(() => studio.close())

const page = { page: 1, pageSize: 20 }

async function twoProjects() {
  const workspace = studio.workspace()
  const alice = workspace.as('alice')
  const first = await alice.act(({ write }) => write.projects.create({ name: 'First', status: 'active' }))
  const second = await alice.act(({ write }) => write.projects.create({ name: 'Second', status: 'archived' }))
  return { workspace, alice, first, second }
}

describe('which project a request is about', () => {
  it('is the one it names, else the one of the conversation', async () => {
    const { workspace, alice, first } = await twoProjects()
    expect(await alice.act(({ projects }) => projects.get(first.id))).toMatchObject({ name: 'First' })
    const scoped = workspace.as('alice', { projectId: first.id })
    expect(await scoped.act(({ projects }) => projects.get())).toMatchObject({ name: 'First' })
    expect(await scoped.act(({ projects }) => projects.get(first.id))).toMatchObject({ name: 'First' })
  })

  it('is forbidden when it is another one than the conversation is about, whether it exists or not', async () => {
    const { workspace, first, second } = await twoProjects()
    const scoped = workspace.as('alice', { projectId: first.id })
    await expect(scoped.act(({ projects }) => projects.get(second.id))).rejects.toThrow(ForbiddenError)
    await expect(scoped.act(({ projects }) => projects.get('missing'))).rejects.toThrow(ForbiddenError)
  })

  it('has to be said where the conversation is about none', async () => {
    const { alice } = await twoProjects()
    await expect(alice.act(({ projects }) => projects.get())).rejects.toThrow(InvalidInputError)
  })

  it('is the same not-found for a missing one and for one of another workspace', async () => {
    const { first } = await twoProjects()
    const mallory = studio.workspace().as('mallory')
    const foreign = await mallory.act(({ projects }) => projects.get(first.id)).catch((error: unknown) => error)
    const missing = await mallory.act(({ projects }) => projects.get('missing')).catch((error: unknown) => error)
    expect(foreign).toBeInstanceOf(NotFoundError)
    expect(foreign).toEqual(missing)
    const inForeignScope = studio.workspace().as('mallory', { projectId: first.id })
    await expect(inForeignScope.act(({ write }) => write.projects.delete())).rejects.toThrow(NotFoundError)
  })
})

describe('projects', () => {
  it('are listed by name, by status, and page by page', async () => {
    const { alice } = await twoProjects()
    expect(await alice.act(({ projects }) => projects.list(page))).toMatchObject({
      items: [{ name: 'First' }, { name: 'Second' }],
      total: 2,
      totalPages: 1,
    })
    expect(await alice.act(({ projects }) => projects.list({ ...page, status: 'archived' }))).toMatchObject({
      items: [{ name: 'Second' }],
      total: 1,
    })
    expect(await alice.act(({ projects }) => projects.list({ page: 2, pageSize: 1 }))).toMatchObject({
      items: [{ name: 'Second' }],
      total: 2,
      totalPages: 2,
    })
    expect(
      await studio
        .workspace()
        .as('mallory')
        .act(({ projects }) => projects.list(page)),
    ).toMatchObject({
      items: [],
      total: 0,
      totalPages: 0,
    })
  })

  it('keep what an update leaves out, and lose what it empties', async () => {
    const { alice, first } = await twoProjects()
    const change = { projectId: first.id, genre: 'RPG' }
    expect(await alice.act(({ write }) => write.projects.update(change))).toMatchObject({ name: 'First', genre: 'RPG' })
    const emptied = await alice.act(({ write }) => write.projects.update({ projectId: first.id, genre: '' }))
    expect(emptied).toMatchObject({ name: 'First', genre: null })
    await expect(alice.act(({ write }) => write.projects.update({ projectId: first.id }))).rejects.toThrow(
      InvalidInputError,
    )
  })

  it('go with everything in them', async () => {
    const { alice, first, second } = await twoProjects()
    await alice.act(({ write }) =>
      write.brainstorms.create({ projectId: first.id, title: 'Ideas', content: 'Many', source: 'manual' }),
    )
    const { view } = await alice.act(({ projects }) => projects.impactOfDelete(first.id))
    expect(view).toMatchObject({ project: { name: 'First' }, goesWithIt: { brainstorms: 1 } })
    expect(await alice.act(({ write }) => write.projects.delete(first.id))).toEqual({ id: first.id, name: 'First' })
    await expect(alice.act(({ projects }) => projects.get(first.id))).rejects.toThrow(NotFoundError)
    expect(await alice.act(({ projects }) => projects.list(page))).toMatchObject({ items: [{ id: second.id }] })
  })
})

describe('the activity of a project', () => {
  it('is read page by page, newest first, and says who did what', async () => {
    const { workspace, first } = await twoProjects()
    const bob = workspace.as('bob', { projectId: first.id })
    await bob.act(({ write }) => write.projects.update({ genre: 'RPG' }))
    await bob.act(({ write }) => write.brainstorms.create({ title: 'Ideas', content: 'Many', source: 'manual' }))
    const newest = await bob.act(({ activity }) => activity.feed({ limit: 2 }))
    expect(newest.items).toMatchObject([
      { type: 'brainstorm', change: 'created', label: 'Ideas', by: 'bob', actor: 'person' },
      { type: 'project', change: 'updated', label: 'First', by: 'bob' },
    ])
    const older = await bob.act(({ activity }) => activity.feed({ limit: 2, cursor: newest.nextCursor }))
    expect(older.items).toMatchObject([{ type: 'project', change: 'created', by: 'alice' }])
    expect(older).not.toHaveProperty('nextCursor')
  })

  it('refuses a cursor of another project', async () => {
    const { alice, first, second } = await twoProjects()
    const { items } = await alice.act(({ activity }) => activity.feed({ projectId: second.id, limit: 1 }))
    const feed = alice.act(({ activity }) => activity.feed({ projectId: first.id, limit: 1, cursor: items[0]?.id }))
    await expect(feed).rejects.toThrow(InvalidInputError)
  })
})
