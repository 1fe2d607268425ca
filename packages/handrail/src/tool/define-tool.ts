import type { z } from 'zod'
import { DefinitionError } from '../errors/definition-error.ts'
import type {
  Entity,
  ExecuteContext,
  PreviewContext,
  Risk,
  Tool,
  ToolEffect,
  ToolExample,
  ToolKind,
  ToolLimits,
} from './tool.ts'
import type { Source, ToolResult } from './tool-result.ts'

/** The services of a pack, as its tools see them. */
export interface ServiceTypes {
  readers: unknown
  writers: unknown
  outside?: unknown
}

type ServicesOf<Services extends ServiceTypes, Kind extends ToolKind, Effect> = Kind extends 'read'
  ? Services['readers']
  : Effect extends 'transaction'
    ? Services['writers']
    : Services['readers'] & { outside: Services['outside'] }

export interface ToolDefinition<
  Services extends ServiceTypes,
  Demo,
  Kind extends ToolKind,
  Effect extends ToolEffect | undefined,
  Schema extends z.ZodType,
  Output,
> {
  /** snake_case, equal to the file's name in kebab-case. */
  name: string
  title?: string
  /** Raised when the meaning changes: pending approvals and keys hold it. */
  version?: number
  category: string
  kind: Kind
  effect?: Effect
  risk?: Risk
  /** One or two sentences for the model: what it does, and where ids come from. */
  description: string
  inputSchema: Schema
  outputSchema?: z.ZodType<NoInfer<Output>>
  roles?: readonly string[]
  tags?: readonly string[]
  cache?: boolean
  parallel?: boolean
  egress?: boolean
  untrusted?: boolean
  idempotent?: boolean
  approval?: 'always' | 'never'
  limits?: ToolLimits
  preview?: (context: PreviewContext<z.output<Schema>, Services['readers']>) => unknown
  execute: (context: ExecuteContext<z.output<Schema>, ServicesOf<Services, Kind, Effect>>) => Promise<Output> | Output
  save?: (context: {
    result: NoInfer<Output>
    services: Services['writers']
    input: z.output<Schema>
  }) => Promise<unknown> | unknown
  describe?: (context: { input: z.output<Schema>; result: ToolResult<NoInfer<Output>> }) => string
  sources?: (context: { input: z.output<Schema>; data: NoInfer<Output> }) => Source[]
  entities?: (context: { input: z.output<Schema>; data: NoInfer<Output> }) => Entity[]
  examples: readonly ToolExample<Demo>[]
}

/** What a pack declares once for all its tools, so that no tool has to repeat it. */
export interface ToolDefaults {
  egress?: boolean
  untrusted?: boolean
  roles?: readonly string[]
}

const defaultRisk: Record<ToolKind, Risk> = {
  read: 'low',
  create: 'low',
  update: 'medium',
  delete: 'high',
  action: 'high',
}
const namePattern = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/

/**
 * Makes a pack's own `defineTool`, typed by its services and demo data.
 *
 * @example
 * export const defineTool = toolFactory<{ readers: Readers; writers: Writers }, Demo>({ egress: false, untrusted: false })
 */
export function toolFactory<Services extends ServiceTypes, Demo = unknown>(defaults: ToolDefaults = {}) {
  return function defineTool<
    const Kind extends ToolKind,
    Schema extends z.ZodType,
    Output,
    const Effect extends ToolEffect | undefined = undefined,
  >(definition: ToolDefinition<Services, Demo, Kind, Effect, Schema, Output>): Tool {
    const { name, kind } = definition
    const effect = kind === 'read' ? undefined : (definition.effect ?? 'external')
    const problems: string[] = []
    if (!namePattern.test(name) || name.length > 64) problems.push('the name must be snake_case, at most 64 characters')
    if (kind === 'read' && definition.effect !== undefined) problems.push('a read declares no effect')
    if (definition.description.trim() === '') problems.push('the description is empty')
    if (definition.save && effect !== 'external') problems.push('`save` belongs to external tools')
    if (problems.length > 0) throw new DefinitionError(`tool \`${name}\``, problems)
    return {
      ...definition,
      title: definition.title ?? titleOf(name),
      version: definition.version ?? 1,
      effect,
      risk: definition.risk ?? defaultRisk[kind],
      outputSchema: definition.outputSchema,
      roles: definition.roles ?? defaults.roles,
      tags: definition.tags ?? [],
      cache: kind === 'read' && (definition.cache ?? true),
      parallel: definition.parallel ?? false,
      // A `transaction` tool does no network (the contract proves it); anything else counts as able to until it says otherwise.
      egress: definition.egress ?? (effect === 'transaction' ? false : (defaults.egress ?? true)),
      untrusted: definition.untrusted ?? defaults.untrusted ?? true,
      idempotent: definition.idempotent ?? false,
      approval: definition.approval,
      limits: definition.limits ?? {},
    } satisfies Omit<Tool, 'examples'> & { examples: readonly ToolExample<Demo>[] } as Tool // examples are typed by this pack's demo, which the erased type does not know
  }
}

/** Defines a tool without a pack's types: services are `unknown`, the tool closes over what it needs. */
export const defineTool = toolFactory<ServiceTypes>()

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
