import { randomUUID } from 'node:crypto'
import { and, eq, like, sql } from 'drizzle-orm'
import { ConflictError, InvalidInputError, NotFoundError } from 'handrail'
import { changeLogs, gameSystems } from '../../db/schema.ts'
import { recordActivity } from '../activity/record-activity.ts'
import type { Context } from '../context.ts'
import { givenFields } from '../given-fields.ts'
import { holdProject } from '../projects/find-project.ts'
import { findSystemHeld, holdSystem, type SystemRow } from './find-system.ts'
import type { SystemFields, SystemText } from './system-fields.ts'
import { systemView } from './system-view.ts'

export interface NewSystem extends Partial<Record<SystemText, string | undefined>> {
  projectId?: string | undefined
  name: string
  systemSlug: string
  status: SystemFields['status']
  mvpCriticality: SystemFields['mvpCriticality']
}

export interface SystemChange extends Partial<Record<SystemText, string | undefined>> {
  systemId: string
  name?: string | undefined
  status?: SystemFields['status'] | undefined
  mvpCriticality?: SystemFields['mvpCriticality'] | undefined
  /** What the change log says; without it, which fields were changed. */
  changeSummary?: string | undefined
}

export function gameSystemWriter(context: Context) {
  const { db, principal } = context

  async function create({ projectId, ...fields }: NewSystem) {
    const project = await holdProject(context, projectId, 'share')
    const row = await insertSystem(context, project.id, { version: 'v0.1', ...fields }, 'created')
    return systemView(row)
  }

  /** Changes the given sections, raises the version and writes the change log. An empty text clears its section. */
  async function update({ systemId, changeSummary, name, status, mvpCriticality, ...texts }: SystemChange) {
    const given = {
      ...givenFields(texts),
      ...(name === undefined ? {} : { name }),
      ...(status === undefined ? {} : { status }),
      ...(mvpCriticality === undefined ? {} : { mvpCriticality }),
    }
    if (Object.keys(given).length === 0) {
      throw new InvalidInputError('There is nothing to change', {
        next: 'Give at least one field with its new content; the slug stays as it is.',
      })
    }
    await findSystemHeld(context, systemId, 'share')
    const row = await holdSystem(context, systemId)
    const changed = Object.entries(given).filter(([field, value]) => row[field as keyof SystemRow] !== value) // `given` holds columns only
    if (changed.length === 0) return { ...systemView(row), changedFields: [] }
    const changedFields = changed.map(([field]) => field)
    const [updated] = await db
      .update(gameSystems)
      .set({ ...Object.fromEntries(changed), version: nextVersion(row.version), updatedAt: sql`now()` })
      .where(and(eq(gameSystems.tenantId, principal.tenantId), eq(gameSystems.id, row.id)))
      .returning()
    if (!updated) throw new NotFoundError('The game system')
    const summary = changeSummary ?? `Changed ${changedFields.join(', ')}`
    await logChange(context, updated, 'updated', summary, changedFields)
    return { ...systemView(updated), changedFields }
  }

  /** Deletes a system with its dependencies and change log; draft plans lose it, finalized ones keep their snapshot. */
  async function remove(systemId: string) {
    const row = await findSystemHeld(context, systemId, 'rule')
    await db.delete(gameSystems).where(and(eq(gameSystems.tenantId, principal.tenantId), eq(gameSystems.id, row.id)))
    await recordActivity(context, {
      projectId: row.projectId,
      thingType: 'game-system',
      thingId: row.id,
      change: 'deleted',
      label: row.name,
    })
    return { id: row.id, systemSlug: row.systemSlug, name: row.name }
  }

  return { create, update, delete: remove }
}

/** Stores a new system with the first line of its change log. A taken slug is a `ConflictError` that names a free one. */
export async function insertSystem(
  context: Context,
  projectId: string,
  { name, systemSlug, version, status, mvpCriticality, ...texts }: Omit<NewSystem, 'projectId'> & { version: string },
  change: 'created' | 'imported',
): Promise<SystemRow> {
  const [row] = await context.db
    .insert(gameSystems)
    .values({
      id: randomUUID(),
      tenantId: context.principal.tenantId,
      projectId,
      name,
      systemSlug,
      version,
      status,
      mvpCriticality,
      ...givenFields(texts),
    })
    .onConflictDoNothing({ target: [gameSystems.projectId, gameSystems.systemSlug] })
    .returning()
  if (!row) {
    const free = await freeSlug(context, projectId, systemSlug)
    throw new ConflictError(`The slug \`${systemSlug}\` is taken in this project`, {
      next: `Use another slug, for example \`${free}\`, or change the existing system with update_game_system.`,
      details: { systemSlug, freeSlug: free },
    })
  }
  await logChange(context, row, change, change === 'created' ? 'Created' : 'Imported from markdown', [])
  return row
}

async function logChange(
  context: Context,
  row: SystemRow,
  change: 'created' | 'imported' | 'updated',
  summary: string,
  changedFields: string[],
): Promise<void> {
  await context.db.insert(changeLogs).values({
    id: randomUUID(),
    tenantId: context.principal.tenantId,
    systemId: row.id,
    version: row.version,
    changeType: change,
    summary,
    changedFields,
    author: context.principal.userId,
  })
  await recordActivity(context, {
    projectId: row.projectId,
    thingType: 'game-system',
    thingId: row.id,
    change,
    label: row.name,
  })
}

async function freeSlug({ db, principal }: Context, projectId: string, slug: string): Promise<string> {
  const stem = slug.slice(0, 60).replace(/-+$/, '')
  const rows = await db
    .select({ slug: gameSystems.systemSlug })
    .from(gameSystems)
    .where(
      and(
        eq(gameSystems.tenantId, principal.tenantId),
        eq(gameSystems.projectId, projectId),
        like(gameSystems.systemSlug, `${stem}-%`),
      ),
    )
  const taken = new Set(rows.map((row) => row.slug))
  let number = 2
  while (taken.has(`${stem}-${number}`)) number += 1
  return `${stem}-${number}`
}

/** `v0.9` → `v0.10`; `v2` → `v2.1`. */
function nextVersion(version: string): string {
  const match = /^v(\d+)(?:\.(\d+))?$/.exec(version)
  return match ? `v${match[1]}.${Number(match[2] ?? 0) + 1}` : version
}
