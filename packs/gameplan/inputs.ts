import { z } from 'zod'
import type { SystemText } from './services/game-systems/system-fields.ts'

/** Largest input in bytes of a tool that takes long texts: its longest fields together, in UTF-8. */
export const longInputBytes = 512_000

const controlCharacter = /\p{Cc}/u

/** An id as the list tools show it. */
export function id(what: string) {
  return z.string().min(1).max(100).describe(what)
}

/** One line: a name, a title. */
export function line(what: string, max = 200) {
  return z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text.trim() !== '' && !controlCharacter.test(text), 'must be one line of text that is not blank')
    .describe(what)
}

/** Text of any form that must say something. */
export function content(what: string, max = 20_000) {
  return z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text.trim() !== '', 'must not be blank')
    .describe(what)
}

export const projectId = id('Id of the project; left out, it is the project of the conversation').optional()

export const systemSlug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens, like `combat-system`')
  .describe('Short name in lower case with hyphens, unique in the project, like combat-system')

/** Which page of a list: 20 things a page unless said otherwise, 100 at most. */
export const paging = {
  page: z.int().min(1).max(10_000).default(1).describe('Which page, from 1'),
  pageSize: z.int().min(1).max(100).default(20).describe('How many on a page'),
}

export const projectStatus = z.enum(['ideation', 'active', 'archived'])
export const systemStatus = z.enum(['draft', 'active', 'deprecated'])
export const criticality = z.enum(['core', 'important', 'later'])

const section = (what: string) => z.string().max(20_000).describe(what).optional()

/** The written sections of a game system. */
export const systemTextFields = {
  purpose: section('What the system is for'),
  coreMechanics: section('How it works'),
  inputs: section('What goes in'),
  outputs: section('What comes out'),
  failureStates: section('What can go wrong in play'),
  scalingBehavior: section('How it behaves as the game grows'),
  currentState: section('What exists today'),
  targetState: section('What it shall become'),
  implementationNotes: section('Notes for those who build it'),
  openQuestions: section('What is still undecided'),
} satisfies Record<SystemText, z.ZodType>

export const systemIds = z
  .array(id('Id of a game system'))
  .min(1)
  .max(200)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name a system twice')
  .describe('Ids of the game systems')
