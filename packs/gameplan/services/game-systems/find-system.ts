import { and, eq, inArray } from 'drizzle-orm'
import { NotFoundError } from 'handrail'
import { gameSystems } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { inScope } from '../in-scope.ts'
import { holdProject, type ProjectUse } from '../projects/find-project.ts'

export type SystemRow = typeof gameSystems.$inferSelect

/** Reads one game system. Another workspace's, another project's and a missing one are the same `NotFoundError`. */
export async function findSystem(context: Context, systemId: string): Promise<SystemRow> {
  const [row] = await selectSystem(context, systemId)
  return row ?? refuseSystem(systemId)
}

/** Reads one game system and holds its row until the transaction ends, so that parallel changes come one after the other. */
export async function holdSystem(context: Context, systemId: string): Promise<SystemRow> {
  const [row] = await selectSystem(context, systemId).for('no key update')
  return row ?? refuseSystem(systemId)
}

/** Reads one game system once its project is held: then it is not deleted, and with `rule` neither are its edges changed. */
export async function findSystemHeld(context: Context, systemId: string, use: ProjectUse): Promise<SystemRow> {
  const { projectId } = await findSystem(context, systemId)
  await holdProject(context, projectId, use)
  return findSystem(context, systemId)
}

/** Reads several systems of one project, in the order asked for; one that is not there is a `NotFoundError`. */
export async function findSystems(
  context: Context,
  projectId: string,
  systemIds: readonly string[],
): Promise<SystemRow[]> {
  const rows = await context.db
    .select()
    .from(gameSystems)
    .where(
      and(inScope(context, gameSystems), eq(gameSystems.projectId, projectId), inArray(gameSystems.id, [...systemIds])),
    )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return systemIds.map((systemId) => byId.get(systemId) ?? refuseSystem(systemId))
}

function selectSystem(context: Context, systemId: string) {
  return context.db
    .select()
    .from(gameSystems)
    .where(and(inScope(context, gameSystems), eq(gameSystems.id, systemId)))
}

function refuseSystem(systemId: string): never {
  throw new NotFoundError(`Game system \`${systemId}\``, {
    next: 'list_game_systems shows the ids of the systems of this project.',
  })
}
