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
    throw new ForbiddenError('This conversation is about another project', {
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
 * What a writer does with the project it works in, until the transaction ends. Every writer asks for it before it
 * locks anything else, and once, so that two writers never wait for each other.
 *
 * - `share`: adds or changes something in it; the project stays there meanwhile
 * - `rule`: changes something that a rule over several rows depends on (no circles, closed scopes): one at a time
 * - `delete`: alone
 */
export type ProjectUse = 'share' | 'rule' | 'delete'

const lockFor = { share: 'key share', rule: 'no key update', delete: 'update' } as const

/** Reads the project a request is about and locks its row. Who has waited for its deletion gets `NotFoundError`. */
export async function holdProject(
  context: Context,
  projectId: string | undefined,
  use: ProjectUse,
): Promise<ProjectRow> {
  const [row] = await context.db
    .select()
    .from(projects)
    .where(isProject(context, projectIdOf(context, projectId)))
    .for(lockFor[use])
  return row ?? refuseProject()
}

function isProject({ principal }: Context, projectId: string) {
  return and(eq(projects.tenantId, principal.tenantId), eq(projects.id, projectId))
}

function refuseProject(): never {
  throw new NotFoundError('The project', { next: 'list_projects shows the ids of all projects in this workspace.' })
}
