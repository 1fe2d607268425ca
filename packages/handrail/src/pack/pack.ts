import type { z } from 'zod'
import type { RedactionOptions } from '../present/redact.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { ServiceTypes } from '../tool/define-tool.ts'
import type { Tool, ToolKind } from '../tool/tool.ts'
import type { Policy } from './policy.ts'

/** What services are built on. `db` is the handed transaction's handle (drizzle's `Db` on Postgres). */
export interface ServiceContext<Db = unknown> {
  readonly db: Db
  readonly principal: Principal
  readonly scope: Scope
}

/** What one role of the pack may call: everything, or some kinds and some tools by name. */
export type RoleGrant = 'all' | { kinds?: readonly ToolKind[]; tools?: readonly string[] }

/** One parsed call, as the pack's own rules see it. */
export interface AuthorizeContext<Db = unknown> extends ServiceContext<Db> {
  readonly tool: Tool
  readonly input: unknown
}

/** Its functions are methods, so that a gate can hold packs of any services. */
export interface PackDefinition<Services extends ServiceTypes = ServiceTypes, Db = unknown, Demo = unknown> {
  name: string
  title: string
  description: string
  /** Language of its sentences to people. */
  language: 'en' | 'de'
  tools: readonly Tool[]
  scopeSchema: z.ZodType<Scope>
  /** The pack's roles and what each may call. A role that is not here may call nothing. */
  roles: Readonly<Record<string, RoleGrant>>
  /** Maps a principal to the pack's role; default: the first of its roles that the pack knows. */
  roleOf?: (principal: Principal) => string | undefined
  services: {
    readers(context: ServiceContext<Db>): Services['readers']
    writers(context: ServiceContext<Db>): Services['writers']
    outside?(context: Omit<ServiceContext, 'db'>): Services['outside']
  }
  /** Rules beyond roles: throws `ForbiddenError` or `NotFoundError`. Runs in a read-only transaction. */
  authorize?(context: AuthorizeContext<Db>): Promise<void> | void
  /** The section of the prompt that only this pack can write. */
  instructions(context: { services: Services['readers']; principal: Principal; scope: Scope }): Promise<string> | string
  /** Stricter or looser than the default, literally and visibly. */
  policy?: Policy
  /** How its tools ask a person: by a card (default), or by a sentence answered in the conversation. */
  asking?: 'card' | 'conversation'
  redaction?: RedactionOptions
  /** Where its tables live, for stores that keep them. */
  storage?: { schema: string; migrationsFolder: string }
  /** Fills an empty workspace with believable data and says where things are. Idempotent. */
  demo?(context: ServiceContext<Db>): Promise<{ ids: Demo; scope: Scope }>
  /** Words that people use for the pack's things, for the offline interpreter. */
  phrases?: PackPhrases
}

/** Hints for understanding simple requests without a model: what people call a pack's things, and how they ask for its tools. */
export interface PackPhrases {
  /** Words for each category's things; a plural that is not regular stands behind a bar: `{ 'game-system': ['game system', 'spielsystem|spielsysteme'] }`. */
  nouns: Readonly<Record<string, readonly string[]>>
  /** Verbs beyond the built-in ones that select a tool and are followed by the thing: `{ finalize_version_plan: ['lock', 'freeze'] }`. */
  verbs?: Readonly<Record<string, readonly string[]>>
  /**
   * Whole requests in the offline interpreter's pattern language, by tool:
   * `{ add_dependency: ['make <sourceSystemId> depend on <targetSystemId> ~'] }`.
   */
  requests?: Readonly<Record<string, readonly string[]>>
  /** Ways to add a detail behind a request, in the same language, by tool: `{ create_brainstorm: ['by <author>'] }`. */
  details?: Readonly<Record<string, readonly string[]>>
  /** Words that point to a read when a question fits no pattern: `{ get_impact_analysis: ['affected', 'breaks'] }`. */
  keywords?: Readonly<Record<string, readonly string[]>>
  /** A sentence that works, by tool, shown to people as an example. */
  examples?: Readonly<Record<string, string>>
  /** Words for an argument: `{ mvpCriticality: ['criticality', 'priority'] }`. */
  fields?: Readonly<Record<string, readonly string[]>>
  /** Words for a value of a choice: `{ gdd: ['game design document', 'design document'] }`. */
  values?: Readonly<Record<string, readonly string[]>>
  /** Arguments that take long text; what is not named here is a name of a few words. */
  texts?: readonly string[]
  /** Arguments that are a single word, or a quoted text: `versionLabel`. */
  words?: readonly string[]
  /** The argument that names what a tool creates; whether *combat system* is then called *Combat System* or *Combat*. */
  subjects?: Readonly<Record<string, { field: string; nounBelongsToName?: boolean }>>
  /** Arguments made from another one in lower case with hyphens: `{ systemSlug: 'name' }`. */
  slugs?: Readonly<Record<string, string>>
  /** The argument by which a call leaves the conversation's scope: `projectId`. */
  scopeField?: string
  /** How an argument that holds an id is found from a name: the tool that lists the things of that category, and where their names are. */
  references?: Readonly<
    Record<string, { listTool: string; category: string; nameFields: readonly string[]; idField: string }>
  >
}

export interface Pack<Services extends ServiceTypes = ServiceTypes, Db = unknown, Demo = unknown>
  extends PackDefinition<Services, Db, Demo> {
  roleOf: (principal: Principal) => string | undefined
}

/** A definition with its defaults filled in. */
export function completePack<Services extends ServiceTypes, Db, Demo>(
  definition: PackDefinition<Services, Db, Demo>,
): Pack<Services, Db, Demo> {
  const { roles } = definition
  return {
    ...definition,
    roleOf: definition.roleOf ?? ((principal) => principal.roles.find((role) => Object.hasOwn(roles, role))),
  }
}
