import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { brainstorms, changeLogs, gameSystems, synthesizedOutputs, versionPlans } from '../../db/schema.ts'
import type { PictureDependency, PicturePlan, PictureSystem, ProjectPicture } from '../../documents/project-picture.ts'
import { criticalPath, implementationOrder } from '../../graph/implementation-order.ts'
import type { Context } from '../context.ts'
import { projectGraph } from '../dependencies/project-graph.ts'
import type { SystemFields } from '../game-systems/system-fields.ts'
import { graphNode } from '../game-systems/system-view.ts'
import type { ProjectRow } from '../projects/find-project.ts'
import { planContents } from '../version-plans/plan-contents.ts'

/** A document is a page to read, not a dump: this many of each kind at most. */
const most = { plans: 50, brainstorms: 200, changes: 25 } as const

const byVersion = new Intl.Collator('en', { numeric: true })

/** Reads everything that a project's documents are made of, in an order that depends on its content only. */
export async function loadPicture(context: Context, project: ProjectRow): Promise<ProjectPicture> {
  const { systems, edges } = await projectGraph(context, project.id)
  const nodes = [...systems.values()].map(graphNode)
  const { order, layers, leftOver } = implementationOrder(nodes, edges)
  const slugOf = (id: string) => systems.get(id)?.systemSlug ?? id
  return {
    project: {
      name: project.name,
      description: project.description,
      genre: project.genre,
      platform: project.platform,
      createdBy: project.createdBy,
    },
    systems: [...order, ...leftOver].flatMap((id) => {
      const row = systems.get(id)
      return row ? [pictureSystem(row)] : []
    }),
    layers: layers.map((layer) => layer.map(slugOf)),
    criticalPath: criticalPath(nodes, edges).map(slugOf),
    dependencies: edges.map((edge) => ({
      source: slugOf(edge.source),
      target: slugOf(edge.target),
      type: edge.type,
      description: edge.description,
    })),
    plans: await loadPlans(context, project.id),
    brainstorms: await loadBrainstorms(context, project.id),
    changes: await loadChanges(context, project.id),
  }
}

function pictureSystem(row: SystemFields & { systemSlug: string; version: string }): PictureSystem {
  return {
    name: row.name,
    systemSlug: row.systemSlug,
    version: row.version,
    status: row.status,
    mvpCriticality: row.mvpCriticality,
    purpose: row.purpose,
    coreMechanics: row.coreMechanics,
    inputs: row.inputs,
    outputs: row.outputs,
    failureStates: row.failureStates,
    scalingBehavior: row.scalingBehavior,
    currentState: row.currentState,
    targetState: row.targetState,
    implementationNotes: row.implementationNotes,
    openQuestions: row.openQuestions,
  }
}

async function loadPlans(context: Context, projectId: string): Promise<PicturePlan[]> {
  const rows = await context.db
    .select()
    .from(versionPlans)
    .where(and(eq(versionPlans.tenantId, context.principal.tenantId), eq(versionPlans.projectId, projectId)))
    .limit(most.plans)
  const plans: PicturePlan[] = []
  for (const row of rows.sort((a, b) => byVersion.compare(a.versionLabel, b.versionLabel))) {
    const contents = await planContents(context, row)
    const slugs = new Map(contents.systems.map((system) => [system.id, system.systemSlug]))
    plans.push({
      versionLabel: row.versionLabel,
      title: row.title,
      description: row.description,
      status: row.status,
      createdBy: row.createdBy,
      finalizedBy: row.finalizedBy,
      finalizedOn: row.finalizedAt?.toISOString().slice(0, 10) ?? null,
      systems: contents.systems.map((system) => ({ ...pictureSystem(system), phase: system.phase })),
      dependencies: contents.dependencies.map(
        (edge): PictureDependency => ({
          source: slugs.get(edge.sourceSystemId) ?? edge.sourceSystemId,
          target: slugs.get(edge.targetSystemId) ?? edge.targetSystemId,
          type: edge.type,
          description: edge.description,
        }),
      ),
    })
  }
  return plans
}

async function loadBrainstorms({ db, principal }: Context, projectId: string): Promise<ProjectPicture['brainstorms']> {
  const rows = await db
    .select({ id: brainstorms.id, title: brainstorms.title, author: brainstorms.author, tags: brainstorms.tags })
    .from(brainstorms)
    .where(and(eq(brainstorms.tenantId, principal.tenantId), eq(brainstorms.projectId, projectId)))
    .orderBy(asc(brainstorms.title), asc(brainstorms.author), asc(brainstorms.id))
    .limit(most.brainstorms)
  if (rows.length === 0) return []
  const outputs = await db
    .select()
    .from(synthesizedOutputs)
    .where(
      and(
        eq(synthesizedOutputs.tenantId, principal.tenantId),
        eq(synthesizedOutputs.status, 'accepted'),
        inArray(
          synthesizedOutputs.brainstormId,
          rows.map((row) => row.id),
        ),
      ),
    )
    .orderBy(asc(synthesizedOutputs.title), asc(synthesizedOutputs.id))
  const byBrainstorm = Map.groupBy(outputs, (output) => output.brainstormId)
  return rows.map((row) => ({
    title: row.title,
    author: row.author,
    tags: row.tags,
    accepted: (byBrainstorm.get(row.id) ?? []).map(({ title, content }) => ({ title, content })),
  }))
}

async function loadChanges({ db, principal }: Context, projectId: string): Promise<ProjectPicture['changes']> {
  return db
    .select({
      system: gameSystems.name,
      version: changeLogs.version,
      summary: changeLogs.summary,
      author: changeLogs.author,
    })
    .from(changeLogs)
    .innerJoin(gameSystems, eq(gameSystems.id, changeLogs.systemId))
    .where(
      and(
        eq(changeLogs.tenantId, principal.tenantId),
        eq(gameSystems.tenantId, principal.tenantId),
        eq(gameSystems.projectId, projectId),
      ),
    )
    .orderBy(desc(changeLogs.position))
    .limit(most.changes)
}
