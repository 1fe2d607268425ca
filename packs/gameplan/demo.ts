import { randomUUID } from 'node:crypto'
import type { Db } from '@handrail/postgres/pack'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Scope, ServiceContext } from 'handrail'
import {
  activities,
  brainstorms,
  gameSystems,
  ideaMessages,
  ideaThreads as ideaThreadTable,
  projects,
  synthesizedOutputs,
  versionPlans,
} from './db/schema.ts'
import {
  dungeonCrawler,
  dungeonCrawlerDependencies,
  dungeonCrawlerPlans,
  dungeonCrawlerSystems,
  ideaThreads,
  playtestBrainstorm,
  puzzleGarden,
  puzzleGardenSystems,
  storyBrainstorm,
} from './demo-content.ts'
import { gameplanWriters } from './services/services.ts'

/** Ids of the demo data that examples use. */
export interface Demo {
  /** *Dungeon Crawler*, which the examples' conversations are about. */
  project: string
  inventory: string
  crafting: string
  characterStats: string
  oldPrototype: string
  brainstorm: string
  finalizedPlan: string
  draftPlan: string
  /** The thread with the newest message, and its first message. */
  thread: string
  message: string
  /** An older thread of the same project. */
  otherThread: string
  /** *Puzzle Garden*, of the same workspace, and a system of it. */
  otherProject: string
  otherSystem: string
}

/** Stands for what somebody has deleted since: no row has this id. */
const deletedSince = 'deleted-since'

/**
 * Fills an empty workspace with two projects of a small studio; in a workspace that has projects it changes nothing.
 * Either way it says where things are.
 */
export async function gameplanDemo(context: ServiceContext<Db>): Promise<{ ids: Demo; scope: Scope }> {
  const [existing] = await context.db
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.tenantId, context.principal.tenantId))
    .limit(1)
  if (!existing) await fill(context)
  const ids = await findIds(context)
  return { ids, scope: { projectId: ids.project } }
}

async function fill(context: ServiceContext<Db>): Promise<void> {
  // In the workspace of `alice` her colleagues take part; anywhere else whoever fills it has done everything.
  const owner = context.principal.userId
  const as = (name: string) => {
    const userId = owner === 'alice' ? name : owner
    return gameplanWriters({ ...context, scope: {}, principal: { ...context.principal, userId, actor: 'person' } })
  }
  const alice = as('alice')
  const bob = as('bob')

  const garden = await bob.projects.create(puzzleGarden)
  for (const system of puzzleGardenSystems) await bob.gameSystems.create({ ...system, projectId: garden.id })

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
  for (const { systems, ...plan } of dungeonCrawlerPlans) {
    const created = await alice.versionPlans.create({ ...plan, projectId, systemIds: systems.map(idOf) })
    if (plan.versionLabel === 'v0.1') await alice.versionPlans.finalize(created.id)
  }
  await bob.gameSystems.update({
    systemId: idOf('inventory'),
    openQuestions: 'Does the party share one purse?',
    changeSummary: 'Asked about money after the first playtest',
  })
  await fillBrainstorms(context, { alice, bob }, projectId)
  await alice.exports.generate({ projectId, exportType: 'roadmap', format: 'markdown' })
  await fillIdeas(as, projectId)
  await spreadOverTime(context)
}

type PersonWriters = ReturnType<typeof gameplanWriters>

async function fillBrainstorms(
  { db, principal }: ServiceContext<Db>,
  { alice, bob }: { alice: PersonWriters; bob: PersonWriters },
  projectId: string,
): Promise<void> {
  const { output, ...story } = storyBrainstorm
  const { id: brainstormId } = await alice.brainstorms.create({ ...story, projectId })
  // Outputs are made by a synthesis, which is no tool of this pack.
  await db
    .insert(synthesizedOutputs)
    .values({ id: randomUUID(), tenantId: principal.tenantId, brainstormId, status: 'accepted', ...output })
  await bob.brainstorms.create({ ...playtestBrainstorm, projectId })
}

async function fillIdeas(as: (userId: string) => PersonWriters, projectId: string): Promise<void> {
  for (const { title, messages } of ideaThreads) {
    let threadId: string | undefined
    for (const { by, content } of messages) {
      if (threadId === undefined) {
        const { thread } = await as(by).ideas.createThread({ projectId, title, content })
        threadId = thread.id
        await as('bob').ideas.markRead(threadId)
      } else {
        await as(by).ideas.post({ threadId, content })
      }
    }
  }
}

/** Everything was just made in one transaction; a feed is easier to believe when its lines lie hours apart. */
async function spreadOverTime({ db, principal }: ServiceContext<Db>): Promise<void> {
  const hoursAgo = (position: AnyPgColumn, table: PgTable) =>
    sql`now() - interval '2 hours' * ((select max(newest.position) from ${table} newest) - ${position})`
  const ofTenant = (table: { tenantId: AnyPgColumn }) => eq(table.tenantId, principal.tenantId)
  await db
    .update(activities)
    .set({ occurredAt: hoursAgo(activities.position, activities) })
    .where(ofTenant(activities))
  await db
    .update(ideaMessages)
    .set({ createdAt: hoursAgo(ideaMessages.position, ideaMessages) })
    .where(ofTenant(ideaMessages))
  await db
    .update(ideaThreadTable)
    .set({
      createdAt: sql`${hoursAgo(ideaThreadTable.lastPosition, ideaMessages)} - interval '6 hours'`,
      lastActivityAt: hoursAgo(ideaThreadTable.lastPosition, ideaMessages),
    })
    .where(ofTenant(ideaThreadTable))
}

async function findIds({ db, principal }: ServiceContext<Db>): Promise<Demo> {
  /** The oldest row of this workspace that fits: people may have made others of the same name since. */
  const oldest = async (
    table: PgTable & { id: AnyPgColumn; tenantId: AnyPgColumn; createdAt: AnyPgColumn },
    column: AnyPgColumn,
    value: string,
    parent?: [AnyPgColumn, string],
  ): Promise<string> => {
    const [row] = await db
      .select({ id: table.id })
      .from(table)
      .where(
        and(eq(table.tenantId, principal.tenantId), eq(column, value), parent ? eq(parent[0], parent[1]) : undefined),
      )
      .orderBy(asc(table.createdAt), asc(table.id))
      .limit(1)
    return typeof row?.id === 'string' ? row.id : deletedSince
  }
  const project = await oldest(projects, projects.name, dungeonCrawler.name)
  const otherProject = await oldest(projects, projects.name, puzzleGarden.name)
  const system = (slug: string, projectId = project) =>
    oldest(gameSystems, gameSystems.systemSlug, slug, [gameSystems.projectId, projectId])
  const plan = (label: string) =>
    oldest(versionPlans, versionPlans.versionLabel, label, [versionPlans.projectId, project])
  const ideaThread = (title: string) =>
    oldest(ideaThreadTable, ideaThreadTable.title, title, [ideaThreadTable.projectId, project])
  const thread = await ideaThread(ideaThreads[1].title)
  return {
    project,
    inventory: await system('inventory'),
    crafting: await system('crafting'),
    characterStats: await system('character-stats'),
    oldPrototype: await system('old-prototype'),
    brainstorm: await oldest(brainstorms, brainstorms.title, storyBrainstorm.title, [brainstorms.projectId, project]),
    finalizedPlan: await plan(dungeonCrawlerPlans[0].versionLabel),
    draftPlan: await plan(dungeonCrawlerPlans[1].versionLabel),
    thread,
    message: await oldest(ideaMessages, ideaMessages.content, ideaThreads[1].messages[0].content, [
      ideaMessages.threadId,
      thread,
    ]),
    otherThread: await ideaThread(ideaThreads[0].title),
    otherProject,
    otherSystem: await system(puzzleGardenSystems[0]?.systemSlug ?? '', otherProject),
  }
}
