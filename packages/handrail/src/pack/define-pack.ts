import type { z } from 'zod'
import type { Policy } from '../gate/policy.ts'
import type { RedactionOptions } from '../present/redact.ts'
import type { Principal, Scope } from '../principal/principal.ts'
import type { ServiceTypes } from '../tool/define-tool.ts'
import type { Tool, ToolKind } from '../tool/tool.ts'

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
    readers: (context: ServiceContext<Db>) => Services['readers']
    writers: (context: ServiceContext<Db>) => Services['writers']
    outside?: (context: Omit<ServiceContext, 'db'>) => Services['outside']
  }
  /** Rules beyond roles: throws `ForbiddenError` or `NotFoundError`. Runs in a read-only transaction. */
  authorize?: (context: AuthorizeContext<Db>) => Promise<void> | void
  /** The section of the prompt that only this pack can write. */
  instructions: (context: { services: Services['readers']; principal: Principal; scope: Scope }) => Promise<string> | string
  /** Stricter or looser than the default, literally and visibly. */
  policy?: Policy
  redaction?: RedactionOptions
  /** Where its tables live, for stores that keep them. */
  storage?: { schema: string; migrationsFolder: string }
  /** Fills an empty workspace with believable data and says where things are. Idempotent. */
  demo?: (context: ServiceContext<Db>) => Promise<{ ids: Demo; scope: Scope }>
  /** Words that people use for the pack's things, for the offline interpreter. */
  phrases?: PackPhrases
}

/** Hints for understanding simple requests without a model. */
export interface PackPhrases {
  /** Words for each category's things: `{ 'game-system': ['system', 'game system'] }`. */
  nouns: Readonly<Record<string, readonly string[]>>
  /** Verbs beyond the built-in ones that select a tool: `{ finalize_version_plan: ['lock', 'freeze'] }`. */
  verbs?: Readonly<Record<string, readonly string[]>>
  /** How an argument that holds an id is found from a name: the tool that lists the things, and where their names are. */
  references?: Readonly<Record<string, { listTool: string; nameFields: readonly string[]; idField: string }>>
}

export interface Pack<Services extends ServiceTypes = ServiceTypes, Db = unknown, Demo = unknown>
  extends PackDefinition<Services, Db, Demo> {
  roleOf: (principal: Principal) => string | undefined
}

/** Declares a domain: its tools, services, roles, instructions and demo data. */
export function definePack<Services extends ServiceTypes, Db, Demo>(
  definition: PackDefinition<Services, Db, Demo>,
): Pack<Services, Db, Demo> {
  const knownRoles = definition.roles
  return {
    ...definition,
    roleOf: definition.roleOf ?? ((principal) => principal.roles.find((role) => Object.hasOwn(knownRoles, role))),
  }
}
