import { and, eq, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Context } from './context.ts'

/**
 * The condition every query on a project's things carries: this workspace and, where the conversation is about one
 * project, that project. Row-level security is the second wall, not this one's replacement.
 */
export function inScope(context: Context, table: { tenantId: AnyPgColumn; projectId: AnyPgColumn }): SQL | undefined {
  const { projectId } = context.scope
  return and(
    eq(table.tenantId, context.principal.tenantId),
    projectId === undefined ? undefined : eq(table.projectId, projectId),
  )
}
