import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Tool } from '../tool/tool.ts'
import {
  addNote,
  defineNotesTool,
  deleteNote,
  examplesWithId,
  getNote,
  type Note,
  type NotesDb,
  notesPack,
  openNotes,
} from './notes-pack.ts'
import { runPackChecks } from './run-pack-checks.ts'

/** All problems of a pack with one tool, a line each. */
async function problemsOf(tool: Tool, db: NotesDb = { notes: [] }): Promise<string[]> {
  const reports = await runPackChecks(notesPack([tool]), openNotes(db))
  return reports.flatMap(({ rule, problems }) => problems.map((problem) => `${rule}: ${problem}`))
}

const noteId = z.strictObject({ noteId: z.string().describe('Id of the note') })

describe('the contract', () => {
  it('finds nothing wrong with good tools', async () => {
    const reports = await runPackChecks(notesPack(), openNotes())
    expect(reports.filter(({ problems }) => problems.length > 0)).toEqual([])
    expect(reports.map(({ tool }) => tool)).toContain('delete_note')
    expect(reports.length).toBeGreaterThan(25)
  })

  it('tells each result as soon as it is there', async () => {
    const told: string[] = []
    await runPackChecks(notesPack([getNote]), openNotes(), { onReport: ({ tool }) => told.push(tool) })
    expect(told.length).toBeGreaterThan(8)
  })

  it('finds examples that do not give what they say, and that are missing', async () => {
    const wrong: Tool = {
      ...getNote,
      examples: [{ input: (demo: { note: string }) => ({ noteId: demo.note }), gives: { text: 'Buy tea' } }],
    }
    const problems = await problemsOf(wrong)
    expect(problems).toContainEqual(expect.stringContaining('`data.text` should be "Buy tea", but is "Buy some milk"'))
    expect(problems).toContainEqual(expect.stringContaining('no example is refused'))
  })

  it('finds a description that is too long for a model and no sentence', async () => {
    const problems = await problemsOf({ ...getNote, description: 'get it. Then do this. Then that. And so on' })
    expect(problems).toHaveLength(3)
  })

  it('finds arguments without words', async () => {
    const problems = await problemsOf({ ...getNote, inputSchema: z.strictObject({ noteId: z.string() }) })
    expect(problems).toContainEqual(expect.stringContaining('the argument `noteId` has no description'))
  })

  it('finds input that is coerced or dropped instead of refused', async () => {
    const coerced = await problemsOf({
      ...getNote,
      inputSchema: z.strictObject({ noteId: z.coerce.string().describe('Id') }),
    })
    expect(coerced).toContainEqual(expect.stringContaining('`noteId` of a wrong type: should be VALIDATION'))
    const loose = await problemsOf({ ...getNote, inputSchema: z.looseObject({ noteId: z.string().describe('Id') }) })
    expect(loose).toContainEqual(expect.stringContaining('an unknown key: should be VALIDATION'))
  })

  it('finds a read that writes and names no sources', async () => {
    const db: NotesDb = { notes: [] }
    const problems = await problemsOf(
      defineNotesTool({
        name: 'get_note',
        category: 'note',
        kind: 'read',
        description: 'Get a note by its id.',
        inputSchema: noteId,
        execute({ input, services }) {
          const note = services.notes.get(input.noteId)
          db.notes.push({ ...note, id: `${note.id}-read` })
          return { ...note }
        },
        examples: examplesWithId,
      }),
      db,
    )
    expect(problems).toContainEqual(expect.stringContaining('example 1 changed notes'))
    expect(problems).toContainEqual(expect.stringContaining('does not say where its facts come from'))
  })

  it('finds an effect that outlives its transaction', async () => {
    let outside: Note[] = []
    const db: NotesDb = {
      get notes() {
        return outside
      },
      set notes(rolledBack) {
        outside = [...rolledBack, ...outside.filter(({ text }) => text === 'kept')]
      },
    }
    const leaking = defineNotesTool({
      name: 'add_note',
      category: 'note',
      kind: 'create',
      effect: 'transaction',
      description: 'Add a note.',
      inputSchema: z.strictObject({ text: z.string().min(1).describe('What to remember') }),
      execute({ input, services }) {
        services.notes.add('kept')
        return services.notes.add(input.text)
      },
      examples: [
        { input: () => ({ text: 'Feed the cat' }), gives: { text: 'Feed the cat' } },
        { input: () => ({ text: '' }), refuses: 'VALIDATION' },
      ],
    })
    const problems = await problemsOf(leaking, db)
    expect(problems).toContainEqual(expect.stringContaining('rolled back, it still changed notes'))
  })

  it('finds network in a transaction', async () => {
    const problems = await problemsOf({
      ...addNote,
      async execute() {
        await fetch('http://127.0.0.1:39999/').catch(() => undefined)
        return { text: 'Feed the cat' }
      },
    })
    expect(problems).toContainEqual(expect.stringContaining('spoke to http://127.0.0.1:39999'))
  })

  it('finds a preview that changes something', async () => {
    const db: NotesDb = { notes: [] }
    const problems = await problemsOf(
      { ...deleteNote, preview: () => db.notes.push({ id: 'x', tenantId: 'x', text: 'x' }) },
      db,
    )
    expect(problems).toContainEqual(expect.stringContaining('changed notes before it was approved'))
    expect(problems).toContainEqual(expect.stringContaining('changed notes though declined'))
  })

  it("finds another workspace's data in an answer, and its rows in another's hands", async () => {
    const db: NotesDb = { notes: [] }
    const peeking = defineNotesTool({
      name: 'get_note',
      category: 'note',
      kind: 'read',
      description: 'Get a note by its id.',
      inputSchema: noteId,
      execute: ({ input }) => db.notes.find(({ id }) => id === input.noteId) ?? getNote.execute(input as never),
      sources: () => [{ table: 'notes' }],
      examples: examplesWithId,
    })
    const seen = await problemsOf(peeking, db)
    expect(seen).toContainEqual(expect.stringMatching(/the answer holds "canary-/))
    expect(seen).toContainEqual(expect.stringContaining("in the other's scope: should be NOT_FOUND, but it succeeded"))
    const taking: Tool = {
      ...addNote,
      execute() {
        db.notes = []
        return { text: 'Feed the cat' }
      },
    }
    const taken = await problemsOf(taking, db)
    expect(taken).toContainEqual(expect.stringContaining('rows of another workspace were changed'))
  })

  it('finds a thing of others that is told from a missing one', async () => {
    const db: NotesDb = { notes: [] }
    const telling = defineNotesTool({
      name: 'get_note',
      category: 'note',
      kind: 'read',
      description: 'Get a note by its id.',
      inputSchema: noteId,
      execute({ input, services, principal }) {
        if (db.notes.some(({ id, tenantId }) => id === input.noteId && tenantId !== principal.tenantId))
          throw new Error('no')
        return services.notes.get(input.noteId)
      },
      sources: () => [{ table: 'notes' }],
      examples: examplesWithId,
    })
    const problems = await problemsOf(telling, db)
    expect(problems).toContainEqual(expect.stringContaining('a thing of others is told from a missing one'))
  })

  it('finds words that break', async () => {
    const problems = await problemsOf({
      ...addNote,
      describe: ({ result }: { result: { success: boolean; data?: { text: string } } }) =>
        result.success ? `Added ${result.data?.text}` : `Failed with ${result.data?.text}`,
    })
    expect(problems).toContainEqual(
      expect.stringContaining('a failure of example 1 is told as "Failed with undefined"'),
    )
  })

  it('finds declarations that do not go together', async () => {
    const problems = await problemsOf({ ...deleteNote, egress: true, approval: 'never' })
    expect(problems).toContainEqual(expect.stringContaining('it has no `egress`'))
    expect(problems).toContainEqual(expect.stringContaining('of high risk and never asks'))
    const outside = await problemsOf({ ...addNote, effect: 'external' })
    expect(outside).toContainEqual(expect.stringContaining('no services outside'))
  })
})
