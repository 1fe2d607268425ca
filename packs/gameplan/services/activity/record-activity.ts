import { randomUUID } from 'node:crypto'
import { activities } from '../../db/schema.ts'
import type { Context } from '../context.ts'

export type ThingType =
  | 'project'
  | 'game-system'
  | 'brainstorm'
  | 'dependency'
  | 'version-plan'
  | 'idea-thread'
  | 'export'
export type Change =
  | 'created'
  | 'updated'
  | 'deleted'
  | 'imported'
  | 'added'
  | 'removed'
  | 'finalized'
  | 'generated'
  | 'posted'

/** Puts one line into the project's activity feed. Every writer calls it, so that nothing changes unseen. */
export async function recordActivity(
  { db, principal }: Context,
  activity: { projectId: string; thingType: ThingType; thingId: string; change: Change; label: string },
): Promise<void> {
  await db.insert(activities).values({
    id: randomUUID(),
    tenantId: principal.tenantId,
    userId: principal.userId,
    actor: principal.actor,
    ...activity,
  })
}
