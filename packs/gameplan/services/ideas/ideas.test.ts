import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from 'handrail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStudio } from '../../testing/open-workspace.ts'

let studio: Awaited<ReturnType<typeof openStudio>>
beforeAll(async () => {
  studio = await openStudio()
})
afterAll(() => studio.close())

async function threadOfAlice() {
  const workspace = studio.workspace()
  const { id: projectId } = await workspace
    .as('alice')
    .act(({ write }) => write.projects.create({ name: 'Game', status: 'active' }))
  const alice = workspace.as('alice', { projectId })
  const bob = workspace.as('bob', { projectId })
  const { thread, message } = await alice.act(({ write }) => write.ideas.createThread({ content: 'First idea\nmore' }))
  const post = (content: string, parentMessageId?: string) =>
    bob.act(({ write }) => write.ideas.post({ threadId: thread.id, content, parentMessageId }))
  const threadsOf = async (person: typeof alice) =>
    (await person.act(({ ideas }) => ideas.listThreads({ limit: 30 }))).items
  return { workspace, alice, bob, thread, message, post, threadsOf }
}

describe('a thread', () => {
  it('is called by how its first message begins', async () => {
    const { alice, thread } = await threadOfAlice()
    expect(thread.title).toBe('First idea')
    const long = await alice.act(({ write }) => write.ideas.createThread({ content: '😀'.repeat(100) }))
    expect(long.thread.title).toBe(`${'😀'.repeat(79)}…`)
  })

  it('counts what each person has not read, without their own and removed messages', async () => {
    const { alice, bob, thread, post, threadsOf } = await threadOfAlice()
    const { id } = await post('Second idea')
    await post('Third idea')
    expect(await threadsOf(alice)).toMatchObject([{ unread: true, unreadCount: 2, lastMessagePreview: 'Third idea' }])
    expect(await threadsOf(bob)).toMatchObject([{ unread: true, unreadCount: 1 }])
    await bob.act(({ write }) => write.ideas.remove(id))
    expect(await threadsOf(alice)).toMatchObject([{ unreadCount: 1 }])
    await alice.act(({ write }) => write.ideas.markRead(thread.id))
    expect(await threadsOf(alice)).toMatchObject([{ unread: false, unreadCount: 0 }])
    expect(await threadsOf(bob)).toMatchObject([{ unreadCount: 1 }])
  })

  it('is not marked as read by reading it', async () => {
    const { alice, thread, post, threadsOf } = await threadOfAlice()
    await post('Second idea')
    const { items } = await alice.act(({ ideas }) => ideas.messages({ threadId: thread.id, limit: 50 }))
    expect(items.map((item) => [item.author, item.readBy])).toEqual([
      ['alice', []],
      ['bob', []],
    ])
    expect(await threadsOf(alice)).toMatchObject([{ unreadCount: 1 }])
    await alice.act(({ write }) => write.ideas.markRead(thread.id))
    const again = await alice.act(({ ideas }) => ideas.messages({ threadId: thread.id, limit: 50 }))
    expect(again.items.map((item) => item.readBy)).toEqual([[], ['alice']])
  })

  it('shows its newest messages, and older ones page by page', async () => {
    const { alice, thread, post } = await threadOfAlice()
    await post('Two')
    await post('Three')
    const newest = await alice.act(({ ideas }) => ideas.messages({ threadId: thread.id, limit: 2 }))
    expect(newest.items.map((item) => item.content)).toEqual(['Two', 'Three'])
    const older = await alice.act(({ ideas }) =>
      ideas.messages({ threadId: thread.id, limit: 2, cursor: newest.nextCursor }),
    )
    expect(older.items.map((item) => item.content)).toEqual(['First idea\nmore'])
    expect(older).not.toHaveProperty('nextCursor')
  })

  it('moves to the top of the list with a new message, page by page', async () => {
    const { alice, thread, post } = await threadOfAlice()
    const second = await alice.act(({ write }) => write.ideas.createThread({ content: 'Another' }))
    await post('Back to the first')
    const page = await alice.act(({ ideas }) => ideas.listThreads({ limit: 1 }))
    expect(page).toMatchObject({ items: [{ id: thread.id }], nextCursor: thread.id })
    const next = await alice.act(({ ideas }) => ideas.listThreads({ limit: 1, cursor: page.nextCursor }))
    expect(next).toMatchObject({ items: [{ id: second.thread.id }] })
    await expect(alice.act(({ ideas }) => ideas.listThreads({ limit: 1, cursor: 'missing' }))).rejects.toThrow(
      InvalidInputError,
    )
  })

  it('takes an answer only to a message of its own', async () => {
    const { alice, message, post } = await threadOfAlice()
    expect(await post('An answer', message.id)).toMatchObject({ parentMessageId: message.id })
    const { thread } = await alice.act(({ write }) => write.ideas.createThread({ content: 'Another' }))
    const stray = { threadId: thread.id, content: 'An answer', parentMessageId: message.id }
    await expect(alice.act(({ write }) => write.ideas.post(stray))).rejects.toThrow(NotFoundError)
  })

  it('is closed to other workspaces', async () => {
    const { thread, message } = await threadOfAlice()
    const mallory = studio.workspace().as('mallory')
    const threadId = thread.id
    await expect(mallory.act(({ write }) => write.ideas.post({ threadId, content: 'Hi' }))).rejects.toThrow(
      NotFoundError,
    )
    await expect(mallory.act(({ ideas }) => ideas.messages({ threadId, limit: 1 }))).rejects.toThrow(NotFoundError)
    await expect(mallory.act(({ write }) => write.ideas.markRead(threadId))).rejects.toThrow(NotFoundError)
    await expect(mallory.act(({ write }) => write.ideas.remove(message.id))).rejects.toThrow(NotFoundError)
  })
})

describe('a message', () => {
  it('is edited and removed by its author only', async () => {
    const { alice, bob, message } = await threadOfAlice()
    const edit = { messageId: message.id, content: 'Better' }
    await expect(bob.act(({ write }) => write.ideas.edit(edit))).rejects.toThrow(ForbiddenError)
    await expect(bob.act(({ write }) => write.ideas.remove(message.id))).rejects.toThrow(ForbiddenError)
    expect(await alice.act(({ write }) => write.ideas.edit(edit))).toMatchObject({
      content: 'Better',
      editedAt: expect.any(String),
    })
    expect(await alice.act(({ write }) => write.ideas.remove(message.id))).toMatchObject({
      content: null,
      removed: true,
    })
    await expect(alice.act(({ write }) => write.ideas.edit(edit))).rejects.toThrow(ConflictError)
  })
})

describe('finalizing threads to a brainstorm', () => {
  it('gathers them in the given order, with marks for edited and removed messages', async () => {
    const { alice, bob, thread, message, post } = await threadOfAlice()
    const answer = await post('I agree\n# strongly', message.id)
    await bob.act(({ write }) => write.ideas.edit({ messageId: answer.id, content: 'I agree\n# fully' }))
    const gone = await post('Never mind')
    await bob.act(({ write }) => write.ideas.remove(gone.id))
    const second = await alice.act(({ write }) => write.ideas.createThread({ content: 'Another', title: 'Second' }))
    const request = { threadIds: [second.thread.id, thread.id], title: 'All ideas', authorDisplay: 'The team' }
    const { view, basis } = await alice.act(({ ideas }) => ideas.previewOfFinalize(request))
    const brainstorm = await alice.act(({ write }) => write.ideas.finalizeToBrainstorm(request))
    expect(brainstorm).toMatchObject({
      title: 'All ideas',
      author: 'The team',
      source: 'idea-stream',
      sourceThreadIds: request.threadIds,
    })
    expect(brainstorm.content).toBe(
      [
        '## Second',
        '**alice**:',
        '> Another',
        '## First idea',
        '**alice**:',
        '> First idea\n> more',
        '**bob**, in reply to alice (edited):',
        '> I agree\n> # fully',
        '**bob** (removed)',
      ].join('\n\n'),
    )
    expect(view.content).toBe(brainstorm.content)
    await post('One more')
    expect((await alice.act(({ ideas }) => ideas.previewOfFinalize(request))).basis).not.toEqual(basis)
  })

  it('takes threads of one project only', async () => {
    const { workspace, alice, thread } = await threadOfAlice()
    const { id: projectId } = await workspace
      .as('alice')
      .act(({ write }) => write.projects.create({ name: 'Other', status: 'active' }))
    const other = await workspace
      .as('alice')
      .act(({ write }) => write.ideas.createThread({ projectId, content: 'Elsewhere' }))
    const request = { threadIds: [thread.id, other.thread.id] }
    await expect(alice.act(({ write }) => write.ideas.finalizeToBrainstorm(request))).rejects.toThrow(NotFoundError)
    const unscoped = workspace.as('alice').act(({ write }) => write.ideas.finalizeToBrainstorm(request))
    await expect(unscoped).rejects.toThrow(InvalidInputError)
  })
})
