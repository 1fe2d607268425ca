import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { NotFoundError } from '../errors/not-found-error.ts'
import { completePack, type Pack, type ServiceContext } from '../pack/pack.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { toolFactory } from '../tool/define-tool.ts'
import type { Tool, ToolExample } from '../tool/tool.ts'
import type { PackTestDatabase } from './pack-test-database.ts'

/** A pack of notes that lives in memory, for tests of what handles packs. */

export interface Note {
  id: string
  tenantId: string
  text: string
}

/** What the services are built on: rows that a rolled-back call leaves as they were. */
export interface NotesDb {
  notes: Note[]
}

function notesServices({ db, principal }: ServiceContext<NotesDb>) {
  const isOwn = (note: Note) => note.tenantId === principal.tenantId
  const find = (id: string) => {
    const note = db.notes.find((candidate) => candidate.id === id && isOwn(candidate))
    if (note === undefined) throw new NotFoundError('the note')
    return note
  }
  const reader = { get: find, list: () => db.notes.filter(isOwn) }
  const writer = {
    add(text: string) {
      const note = { id: randomUUID(), tenantId: principal.tenantId, text }
      db.notes.push(note)
      return note
    },
    remove(id: string) {
      const note = find(id)
      db.notes.splice(db.notes.indexOf(note), 1)
      return note
    },
  }
  return { reader: { notes: reader }, writer: { notes: { ...reader, ...writer } } }
}

type Services = {
  readers: ReturnType<typeof notesServices>['reader']
  writers: ReturnType<typeof notesServices>['writer']
}
export interface NotesDemo {
  note: string
}

export const defineNotesTool = toolFactory<Services, NotesDemo>({ egress: false, untrusted: false })

export const examplesWithId: readonly ToolExample<NotesDemo>[] = [
  { input: (demo) => ({ noteId: demo.note }), gives: { text: 'Buy some milk' } },
  { input: () => ({ noteId: 'missing' }), refuses: 'NOT_FOUND' },
]

export const getNote = defineNotesTool({
  name: 'get_note',
  category: 'note',
  kind: 'read',
  description: 'Get a note by its id.',
  inputSchema: z.strictObject({ noteId: z.string().describe('Id of the note') }),
  execute: ({ input, services }) => services.notes.get(input.noteId),
  sources: ({ data }) => [{ table: 'notes', id: data.id }],
  examples: examplesWithId,
})

export const addNote = defineNotesTool({
  name: 'add_note',
  category: 'note',
  kind: 'create',
  effect: 'transaction',
  description: 'Add a note.',
  inputSchema: z.strictObject({ text: z.string().min(1).describe('What to remember') }),
  execute: ({ input, services }) => services.notes.add(input.text),
  describe: ({ result }) => (result.success ? `Added note "${result.data.text}"` : 'Could not add the note'),
  examples: [
    { input: () => ({ text: 'Feed the cat' }), gives: { text: 'Feed the cat' } },
    { input: () => ({ text: '' }), refuses: 'VALIDATION' },
  ],
})

export const deleteNote = defineNotesTool({
  name: 'delete_note',
  category: 'note',
  kind: 'delete',
  effect: 'transaction',
  description: 'Delete a note by its id.',
  inputSchema: z.strictObject({ noteId: z.string().describe('Id of the note') }),
  preview: ({ input, services }) => services.notes.get(input.noteId),
  execute: ({ input, services }) => services.notes.remove(input.noteId),
  examples: examplesWithId,
})

export function notesPack(tools: readonly Tool[] = [getNote, addNote, deleteNote]): Pack<Services, NotesDb, NotesDemo> {
  return completePack<Services, NotesDb, NotesDemo>({
    name: 'notes',
    title: 'Notes',
    description: 'Notes of a workspace',
    language: 'en',
    tools,
    scopeSchema: z.strictObject({}),
    roles: { owner: 'all', member: 'all', reader: { kinds: ['read'] } },
    services: {
      readers: (context) => notesServices(context).reader,
      writers: (context) => notesServices(context).writer,
    },
    instructions: () => 'Notes are short.',
    demo(context) {
      const { notes } = notesServices(context).writer
      const [first] = notes.list()
      const note = first ?? notes.add('Buy some milk')
      return Promise.resolve({ ids: { note: note.id }, scope: {} })
    },
  })
}

/** A memory store over `db` whose handed transactions undo what they did to it. One at a time: there is no isolation. */
export function notesStore(db: NotesDb): Store {
  const store = createMemoryStore({ db })
  return {
    ...store,
    calls: {
      ...store.calls,
      async transact(fence, effect) {
        const before = structuredClone(db.notes)
        try {
          return await store.calls.transact(fence, effect)
        } catch (error) {
          db.notes = before
          throw error
        }
      },
    },
  }
}

export function openNotes(db: NotesDb = { notes: [] }): PackTestDatabase {
  return {
    store: notesStore(db),
    transaction: (_tenantId, work) => work(db),
    snapshot: async () => structuredClone({ notes: db.notes }),
    async plant(tenantId, text) {
      for (const note of db.notes) if (note.tenantId === tenantId) note.text += ` ${text}`
    },
    async close() {},
  }
}
