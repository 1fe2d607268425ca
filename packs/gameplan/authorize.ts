import type { Db } from '@handrail/postgres/pack'
import type { AuthorizeContext } from 'handrail'
import { findProject, projectIdOf } from './services/projects/find-project.ts'

/** These look at the workspace, whatever the conversation is about. */
const workspaceTools = ['list_projects', 'create_project']

/**
 * GamePlan's rule beyond roles: a conversation about a project has to be about one of this workspace, and its calls
 * stay in it. Services hold the same for every id; here it is said before anybody is asked for an approval.
 *
 * @throws ForbiddenError when the input names another project than the conversation is about
 * @throws NotFoundError when the conversation's project is not (or no longer) there
 */
export async function authorize({ tool, input, ...context }: AuthorizeContext<Db>): Promise<void> {
  if (workspaceTools.includes(tool.name) || context.scope.projectId === undefined) return
  const named = typeof input === 'object' && input !== null && 'projectId' in input ? input.projectId : undefined
  projectIdOf(context, typeof named === 'string' ? named : undefined)
  await findProject(context)
}
