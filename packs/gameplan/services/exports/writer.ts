import { randomUUID } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import { InvalidInputError, NotFoundError } from 'handrail'
import { exportDocuments, versionPlans } from '../../db/schema.ts'
import type { GameDocument } from '../../documents/document.ts'
import { gameDesignDocument } from '../../documents/game-design-document.ts'
import { type ExportFormat, renderDocument } from '../../documents/render-document.ts'
import { roadmap } from '../../documents/roadmap.ts'
import { allSystemsDocument, systemDocument } from '../../documents/system-document.ts'
import { versionRequirements } from '../../documents/version-requirements.ts'
import { recordActivity } from '../activity/record-activity.ts'
import type { Context } from '../context.ts'
import { findSystem } from '../game-systems/find-system.ts'
import { holdProject, type ProjectRow } from '../projects/find-project.ts'
import { findPlan, type PlanRow } from '../version-plans/find-plan.ts'
import { loadPicture } from './load-picture.ts'
import { type ExportRow, exportView } from './reader.ts'

export interface ExportRequest {
  projectId?: string | undefined
  exportType: ExportRow['exportType']
  format: ExportFormat
  /** For `system_doc`: the one system it is about; without it, all of the project. */
  systemId?: string | undefined
  /** For `version_prd`: the plan it is about; without it, the open plan, else the newest. */
  planId?: string | undefined
}

export function exportWriter(context: Context) {
  const { db, principal } = context

  /** Writes a document from what the project holds now, and keeps it. The same project gives the same content. */
  async function generate(request: ExportRequest) {
    refuseStrayIds(request)
    const project = await holdProject(context, request.projectId, 'share')
    const { document, subjectId } = await write(project, request)
    const [row] = await db
      .insert(exportDocuments)
      .values({
        id: randomUUID(),
        tenantId: principal.tenantId,
        projectId: project.id,
        exportType: request.exportType,
        format: request.format,
        title: document.title,
        subjectId,
        content: renderDocument(document, request.format),
        createdBy: principal.userId,
      })
      .returning()
    if (!row) throw new NotFoundError('The new export')
    await recordActivity(context, {
      projectId: project.id,
      thingType: 'export',
      thingId: row.id,
      change: 'generated',
      label: row.title,
    })
    return exportView(row)
  }

  async function write(
    project: ProjectRow,
    request: ExportRequest,
  ): Promise<{ document: GameDocument; subjectId: string | undefined }> {
    const picture = await loadPicture(context, project)
    switch (request.exportType) {
      case 'gdd':
        return { document: gameDesignDocument(picture), subjectId: undefined }
      case 'roadmap':
        return { document: roadmap(picture), subjectId: undefined }
      case 'version_prd': {
        const row = await planFor(project, request.planId)
        const plan = picture.plans.find((one) => one.versionLabel === row.versionLabel)
        if (!plan) throw new NotFoundError('The version plan')
        return { document: versionRequirements(picture, plan), subjectId: row.id }
      }
      case 'system_doc': {
        if (request.systemId === undefined) return { document: allSystemsDocument(picture), subjectId: undefined }
        const row = await findSystem(context, request.systemId)
        const system = row.projectId === project.id && picture.systems.find((one) => one.systemSlug === row.systemSlug)
        if (!system) throw new NotFoundError(`Game system \`${request.systemId}\` in this project`)
        return { document: systemDocument(picture, system), subjectId: row.id }
      }
    }
  }

  async function planFor(project: ProjectRow, planId: string | undefined): Promise<PlanRow> {
    if (planId !== undefined) {
      const row = await findPlan(context, planId)
      if (row.projectId === project.id) return row
      throw new NotFoundError(`Version plan \`${planId}\` in this project`)
    }
    const rows = await db
      .select()
      .from(versionPlans)
      .where(and(eq(versionPlans.tenantId, principal.tenantId), eq(versionPlans.projectId, project.id)))
      .orderBy(desc(versionPlans.createdAt), desc(versionPlans.versionLabel))
    const row = rows.find((one) => one.status === 'draft') ?? rows[0]
    if (row) return row
    throw new InvalidInputError('There is no version plan to write requirements for', {
      next: 'Create one with create_version_plan, or export a gdd, system_doc or roadmap.',
    })
  }

  return { generate }
}

function refuseStrayIds({ exportType, systemId, planId }: ExportRequest): void {
  if (systemId !== undefined && exportType !== 'system_doc') {
    throw new InvalidInputError('`systemId` belongs to a system_doc', {
      next: 'Leave it out, or ask for a system_doc.',
    })
  }
  if (planId !== undefined && exportType !== 'version_prd') {
    throw new InvalidInputError('`planId` belongs to a version_prd', {
      next: 'Leave it out, or ask for a version_prd.',
    })
  }
}
