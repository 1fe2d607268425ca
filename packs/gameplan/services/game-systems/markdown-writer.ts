import { and, eq, inArray } from 'drizzle-orm'
import { InvalidInputError } from 'handrail'
import { gameSystems } from '../../db/schema.ts'
import { readSystemMarkdown, type SystemMarkdown } from '../../documents/read-system-markdown.ts'
import type { Context } from '../context.ts'
import { dependencyWriter } from '../dependencies/writer.ts'
import { holdProject } from '../projects/find-project.ts'
import type { SystemRow } from './find-system.ts'
import { type Criticality, type SystemStatus, systemTexts } from './system-fields.ts'
import { systemView } from './system-view.ts'
import { insertSystem } from './writer.ts'

const statuses: readonly SystemStatus[] = ['draft', 'active', 'deprecated']
const criticalities: readonly Criticality[] = ['core', 'important', 'later']
const longest = { name: 200, slug: 64, text: 20_000, description: 2000 } as const

/** Creates a system from its markdown document, with the dependencies it names. */
export async function importFromMarkdown(
  context: Context,
  request: { projectId?: string | undefined; markdown: string },
) {
  const project = await holdProject(context, request.projectId, 'rule')
  const found = readSystemMarkdown(request.markdown)
  const fields = checkFields(found)
  const row = await insertSystem(context, project.id, fields, 'imported')
  const { added, warnings } = await linkNamed(context, row, found.dependencies)
  return { ...systemView(row), dependenciesAdded: added, otherHeadings: found.otherHeadings, warnings }
}

/** Every problem of a document at once, so that it can be put right in one go. */
function checkFields(found: SystemMarkdown) {
  const { name, systemSlug, texts } = found
  const version = found.version ?? 'v0.1'
  const status = statuses.find((one) => one === (found.status ?? 'draft').toLowerCase())
  const mvpCriticality = criticalities.find((one) => one === (found.mvpCriticality ?? 'important').toLowerCase())
  const problems = [
    ...(name ? [] : ['the name is missing: begin with a line `# Name of the system`']),
    ...(name && name.length > longest.name ? [`the name is longer than ${longest.name} characters`] : []),
    ...(systemSlug ? [] : ['the section `## System ID` is missing, with a slug like `combat-system` below it']),
    ...(systemSlug && !isSlug(systemSlug)
      ? [`\`${systemSlug.slice(0, 80)}\` is not a slug like \`combat-system\``]
      : []),
    ...(/^v\d{1,6}(\.\d{1,6})?$/.test(version) ? [] : ['the version has to read `v1` or `v1.2`']),
    ...(status ? [] : [`the status has to be one of ${statuses.join(', ')}`]),
    ...(mvpCriticality ? [] : [`the MVP criticality has to be one of ${criticalities.join(', ')}`]),
    ...systemTexts.flatMap((field) =>
      (texts[field] ?? '').length > longest.text ? [`\`${field}\` is longer than ${longest.text} characters`] : [],
    ),
  ]
  if (!name || !systemSlug || !status || !mvpCriticality || problems.length > 0) {
    throw new InvalidInputError(`The markdown cannot be imported: ${problems.join('; ')}`, {
      next: 'Put these right and import it again. generate_export with exportType system_doc shows the form.',
      details: { problems },
    })
  }
  return { name, systemSlug, version, status, mvpCriticality, ...texts }
}

function isSlug(text: string): boolean {
  return text.length <= longest.slug && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)
}

/** Links the new system to what its document names; what is not there is said, not guessed. */
async function linkNamed(context: Context, row: SystemRow, named: SystemMarkdown['dependencies']) {
  const slugs = [...new Set(named.map((dependency) => dependency.target))].slice(0, 100)
  const targets =
    slugs.length === 0
      ? []
      : await context.db
          .select({ id: gameSystems.id, slug: gameSystems.systemSlug })
          .from(gameSystems)
          .where(
            and(
              eq(gameSystems.tenantId, context.principal.tenantId),
              eq(gameSystems.projectId, row.projectId),
              inArray(gameSystems.systemSlug, slugs),
            ),
          )
  const idBySlug = new Map(targets.map((target) => [target.slug, target.id]))
  const writer = dependencyWriter(context)
  const added: { type: string; slug: string }[] = []
  const warnings: string[] = []
  for (const slug of slugs) {
    const dependency = named.find((one) => one.target === slug)
    const targetSystemId = idBySlug.get(slug)
    if (!dependency || targetSystemId === undefined || targetSystemId === row.id) {
      warnings.push(
        `The dependency on \`${slug.slice(0, longest.slug)}\` was left out: there is no other system with this slug.`,
      )
      continue
    }
    await writer.add({
      sourceSystemId: row.id,
      targetSystemId,
      dependencyType: dependency.type,
      description: dependency.description?.slice(0, longest.description),
    })
    added.push({ type: dependency.type, slug })
  }
  return { added, warnings }
}
