import type { Db } from '@handrail/postgres/pack'
import { and, asc, eq } from 'drizzle-orm'
import type { Scope, ServiceContext } from 'handrail'
import { gameSystems, projects } from './db/schema.ts'
import {
  dungeonCrawler,
  dungeonCrawlerDependencies,
  dungeonCrawlerSystems,
  puzzleGarden,
  puzzleGardenSystems,
} from './demo-content.ts'
import { gameplanWriters } from './services/services.ts'

/** Ids of the demo data that examples use. */
export interface Demo {
  project: string
  inventory: string
  crafting: string
  oldPrototype: string
  /** A second project of the same workspace, and a system of it. */
  otherProject: string
  otherSystem: string
}

/** Fills an empty workspace with two projects of a small studio; in one that has projects it only looks up the ids. */
export async function gameplanDemo(context: ServiceContext<Db>): Promise<{ ids: Demo; scope: Scope }> {
  const [any] = await context.db
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.tenantId, context.principal.tenantId))
    .limit(1)
  if (!any) await fill(context)
  const ids = await findIds(context)
  return { ids, scope: { projectId: ids.project } }
}

async function fill(context: ServiceContext<Db>): Promise<void> {
  const as = (userId: string) =>
    gameplanWriters({ ...context, scope: {}, principal: { ...context.principal, userId, actor: 'person' } })
  const alice = as('alice')
  const bob = as('bob')

  const { id: projectId } = await alice.projects.create(dungeonCrawler)
  const idBySlug = new Map<string, string>()
  for (const system of dungeonCrawlerSystems) {
    const created = await bob.gameSystems.create({ ...system, projectId })
    idBySlug.set(created.systemSlug, created.id)
  }
  const idOf = (slug: string) => idBySlug.get(slug) ?? slug
  for (const [source, dependencyType, target, description] of dungeonCrawlerDependencies) {
    await alice.dependencies.add({
      sourceSystemId: idOf(source),
      targetSystemId: idOf(target),
      dependencyType,
      description,
    })
  }

  const other = await bob.projects.create(puzzleGarden)
  for (const system of puzzleGardenSystems) await bob.gameSystems.create({ ...system, projectId: other.id })
}

async function findIds({ db, principal }: ServiceContext<Db>): Promise<Demo> {
  const ofTenant = await db
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(eq(projects.tenantId, principal.tenantId))
    .orderBy(asc(projects.createdAt), asc(projects.id))
  const project = ofTenant.find((row) => row.name === dungeonCrawler.name)?.id ?? missing
  const otherProject = ofTenant.find((row) => row.name === puzzleGarden.name)?.id ?? missing
  const systemIn = async (projectId: string, slug: string) => {
    const [row] = await db
      .select({ id: gameSystems.id })
      .from(gameSystems)
      .where(
        and(
          eq(gameSystems.tenantId, principal.tenantId),
          eq(gameSystems.projectId, projectId),
          eq(gameSystems.systemSlug, slug),
        ),
      )
    return row?.id ?? missing
  }
  return {
    project,
    inventory: await systemIn(project, 'inventory'),
    crafting: await systemIn(project, 'crafting'),
    oldPrototype: await systemIn(project, 'old-prototype'),
    otherProject,
    otherSystem: await systemIn(otherProject, 'plant-growth'),
  }
}

/** Stands for what somebody has deleted since: no row has this id. */
const missing = 'deleted-since'
