import { and, eq } from 'drizzle-orm'
import { ForbiddenError, InvalidInputError, NotFoundError } from 'handrail'
import { projects } from '../../db/schema.ts'
import type { Context } from '../context.ts'

export type ProjectRow = typeof projects.$inferSelect

/**
 * Which project a request is about: the one it names, else the conversation's.
 *
 * @throws ForbiddenError when it names another one than the conversation is about
 * @throws InvalidInputError when neither says
 */
export function projectIdOf({ scope }: Pick<Context, 'scope'>, projectId: string | undefined): string {
  if (projectId !== undefined && scope.projectId !== undefined && projectId !== scope.projectId) {
    throw new ForbiddenError('this conversation is about another project', {
      next: 'Leave `projectId` out to use the project of the conversation, or start a conversation about the other one.',
    })
  }
  const id = projectId ?? scope.projectId
  if (id !== undefined) return id
  throw new InvalidInputError('`projectId` is missing: this conversation is not about one project', {
    next: 'Name the project by its id; list_projects shows the ids.',
  })
}

/** Reads the project a request is about. Other workspaces' projects and missing ones are the same `NotFoundError`. */
export async function findProject(context: Context, projectId?: string): Promise<ProjectRow> {
  const [row] = await context.db
    .select()
    .from(projects)
    .where(isProject(context, projectIdOf(context, projectId)))
  return row ?? refuseProject()
}

/**
 * Reads the project and holds its row until the transaction ends, so that rules over several of its rows (no cycles,
 * closed scopes) hold under parallel changes, too.
 */
export async function holdProject(context: Context, projectId?: string): Promise<ProjectRow> {
  const [row] = await context.db
    .select()
    .from(projects)
    .where(isProject(context, projectIdOf(context, projectId)))
    .for('no key update')
  return row ?? refuseProject()
}

function isProject({ principal }: Context, projectId: string) {
  return and(eq(projects.tenantId, principal.tenantId), eq(projects.id, projectId))
}

function refuseProject(): never {
  throw new NotFoundError('the project', { next: 'list_projects shows the ids of all projects in this workspace.' })
}
