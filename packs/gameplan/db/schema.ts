import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  index,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'
import type { PlanSnapshot } from '../services/version-plans/plan-snapshot.ts'

/** Everything GamePlan keeps. Every table carries the workspace (`tenant_id`): row-level security and services filter by it. */
export const gameplanSchema = pgSchema('gameplan')

export const projectStatuses = ['ideation', 'active', 'archived'] as const
export const systemStatuses = ['draft', 'active', 'deprecated'] as const
export const criticalities = ['core', 'important', 'later'] as const
export const dependencyTypes = ['requires', 'enhances', 'optional'] as const
export const planStatuses = ['draft', 'finalized'] as const
export const exportTypes = ['gdd', 'version_prd', 'system_doc', 'roadmap'] as const
export const exportFormats = ['markdown', 'html', 'json'] as const
export const brainstormSources = ['manual', 'meeting', 'playtest', 'research', 'idea-stream'] as const
export const outputStatuses = ['draft', 'accepted', 'rejected'] as const

const id = () => text('id').primaryKey()
const tenantId = () => text('tenant_id').notNull()
const moment = (name: string) => timestamp(name, { withTimezone: true })
const createdAt = () => moment('created_at').notNull().default(sql`now()`)
const updatedAt = () => moment('updated_at').notNull().default(sql`now()`)
/** Order of insertion: rows of one transaction share their time. Never shown outside. */
const position = () => bigint('position', { mode: 'number' }).generatedAlwaysAsIdentity()
const projectId = () =>
  text('project_id')
    .notNull()
    .references((): AnyPgColumn => projects.id, { onDelete: 'cascade' })

export const projects = gameplanSchema.table(
  'projects',
  {
    id: id(),
    tenantId: tenantId(),
    name: text('name').notNull(),
    description: text('description'),
    genre: text('genre'),
    platform: text('platform'),
    status: text('status', { enum: projectStatuses }).notNull().default('ideation'),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('projects_tenant').on(table.tenantId)],
)

export const gameSystems = gameplanSchema.table(
  'game_systems',
  {
    id: id(),
    tenantId: tenantId(),
    projectId: projectId(),
    systemSlug: text('system_slug').notNull(),
    name: text('name').notNull(),
    version: text('version').notNull().default('v0.1'),
    status: text('status', { enum: systemStatuses }).notNull().default('draft'),
    mvpCriticality: text('mvp_criticality', { enum: criticalities }).notNull().default('important'),
    purpose: text('purpose'),
    coreMechanics: text('core_mechanics'),
    currentState: text('current_state'),
    targetState: text('target_state'),
    inputs: text('inputs'),
    outputs: text('outputs'),
    failureStates: text('failure_states'),
    scalingBehavior: text('scaling_behavior'),
    implementationNotes: text('implementation_notes'),
    openQuestions: text('open_questions'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [unique('game_systems_slug').on(table.projectId, table.systemSlug)],
)

export const changeLogs = gameplanSchema.table(
  'change_logs',
  {
    id: id(),
    tenantId: tenantId(),
    systemId: text('system_id')
      .notNull()
      .references(() => gameSystems.id, { onDelete: 'cascade' }),
    position: position(),
    version: text('version').notNull(),
    changeType: text('change_type', { enum: ['created', 'imported', 'updated'] }).notNull(),
    summary: text('summary').notNull(),
    changedFields: jsonb('changed_fields').$type<string[]>().notNull().default([]),
    author: text('author').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('change_logs_system').on(table.systemId)],
)

/** `source` needs `target`. */
export const dependencies = gameplanSchema.table(
  'dependencies',
  {
    id: id(),
    tenantId: tenantId(),
    projectId: projectId(),
    sourceSystemId: text('source_system_id')
      .notNull()
      .references(() => gameSystems.id, { onDelete: 'cascade' }),
    targetSystemId: text('target_system_id')
      .notNull()
      .references(() => gameSystems.id, { onDelete: 'cascade' }),
    type: text('type', { enum: dependencyTypes }).notNull(),
    description: text('description'),
    createdAt: createdAt(),
  },
  (table) => [
    unique('dependencies_pair').on(table.sourceSystemId, table.targetSystemId),
    index('dependencies_target').on(table.targetSystemId),
    index('dependencies_project').on(table.projectId),
  ],
)

export const brainstorms = gameplanSchema.table(
  'brainstorms',
  {
    id: id(),
    tenantId: tenantId(),
    projectId: projectId(),
    title: text('title').notNull(),
    content: text('content').notNull(),
    source: text('source', { enum: brainstormSources }).notNull().default('manual'),
    author: text('author').notNull(),
    tags: jsonb('tags').$type<string[]>().notNull().default([]),
    sourceThreadIds: jsonb('source_thread_ids').$type<string[]>().notNull().default([]),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('brainstorms_project').on(table.projectId)],
)

export const synthesizedOutputs = gameplanSchema.table(
  'synthesized_outputs',
  {
    id: id(),
    tenantId: tenantId(),
    brainstormId: text('brainstorm_id')
      .notNull()
      .references(() => brainstorms.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    content: text('content').notNull(),
    status: text('status', { enum: outputStatuses }).notNull().default('draft'),
    createdAt: createdAt(),
  },
  (table) => [index('synthesized_outputs_brainstorm').on(table.brainstormId)],
)

export const versionPlans = gameplanSchema.table(
  'version_plans',
  {
    id: id(),
    tenantId: tenantId(),
    projectId: projectId(),
    versionLabel: text('version_label').notNull(),
    title: text('title').notNull(),
    description: text('description'),
    status: text('status', { enum: planStatuses }).notNull().default('draft'),
    /** The systems as they stood when the plan was finalized: from then on the plan is read from here only. */
    snapshot: jsonb('snapshot').$type<PlanSnapshot>(),
    createdBy: text('created_by').notNull(),
    finalizedBy: text('finalized_by'),
    finalizedAt: moment('finalized_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [unique('version_plans_label').on(table.projectId, table.versionLabel)],
)

export const versionPlanItems = gameplanSchema.table(
  'version_plan_items',
  {
    planId: text('plan_id')
      .notNull()
      .references(() => versionPlans.id, { onDelete: 'cascade' }),
    systemId: text('system_id')
      .notNull()
      .references(() => gameSystems.id, { onDelete: 'cascade' }),
    tenantId: tenantId(),
  },
  (table) => [
    primaryKey({ name: 'version_plan_items_key', columns: [table.planId, table.systemId] }),
    index('version_plan_items_system').on(table.systemId),
  ],
)

export const ideaThreads = gameplanSchema.table(
  'idea_threads',
  {
    id: id(),
    tenantId: tenantId(),
    projectId: projectId(),
    title: text('title').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    lastActivityAt: moment('last_activity_at').notNull().default(sql`now()`),
    /** Position of its newest message: what threads are sorted by. */
    lastPosition: bigint('last_position', { mode: 'number' }).notNull().default(0),
  },
  (table) => [index('idea_threads_project').on(table.projectId)],
)

export const ideaMessages = gameplanSchema.table(
  'idea_messages',
  {
    id: id(),
    tenantId: tenantId(),
    threadId: text('thread_id')
      .notNull()
      .references(() => ideaThreads.id, { onDelete: 'cascade' }),
    position: position(),
    parentMessageId: text('parent_message_id').references((): AnyPgColumn => ideaMessages.id, { onDelete: 'set null' }),
    authorId: text('author_id').notNull(),
    /** Whose hand wrote it: the person's own, or a model's on the person's behalf. */
    writtenBy: text('written_by', { enum: ['person', 'agent', 'service'] }).notNull(),
    content: text('content').notNull(),
    createdAt: createdAt(),
    editedAt: moment('edited_at'),
    removedAt: moment('removed_at'),
  },
  (table) => [index('idea_messages_thread').on(table.threadId, table.position)],
)

export const ideaReads = gameplanSchema.table(
  'idea_reads',
  {
    threadId: text('thread_id')
      .notNull()
      .references(() => ideaThreads.id, { onDelete: 'cascade' }),
    userId: text('user_id').notNull(),
    tenantId: tenantId(),
    /** Position of the newest message this person has read. */
    readPosition: bigint('read_position', { mode: 'number' }).notNull(),
    readAt: moment('read_at').notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ name: 'idea_reads_key', columns: [table.threadId, table.userId] })],
)

export const exportDocuments = gameplanSchema.table(
  'exports',
  {
    id: id(),
    tenantId: tenantId(),
    projectId: projectId(),
    position: position(),
    exportType: text('export_type', { enum: exportTypes }).notNull(),
    format: text('format', { enum: exportFormats }).notNull(),
    title: text('title').notNull(),
    /** The system or plan it is about; none for the whole project. */
    subjectId: text('subject_id'),
    content: text('content').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('exports_project').on(table.projectId)],
)

export const activities = gameplanSchema.table(
  'activities',
  {
    id: id(),
    tenantId: tenantId(),
    projectId: projectId(),
    position: position(),
    thingType: text('thing_type').notNull(),
    thingId: text('thing_id').notNull(),
    change: text('change').notNull(),
    label: text('label').notNull(),
    userId: text('user_id').notNull(),
    actor: text('actor', { enum: ['person', 'agent', 'service'] }).notNull(),
    occurredAt: moment('occurred_at').notNull().default(sql`now()`),
  },
  (table) => [index('activities_project').on(table.projectId, table.position)],
)
