import { checkScope } from '../../graph/scope-closure.ts'
import type { Context } from '../context.ts'
import { projectGraph } from '../dependencies/project-graph.ts'

/** Whether a choice of systems can stand alone, in names, slugs and ids. */
export interface ScopeReport {
  valid: boolean
  missingDependencies: { systemId: string; slug: string; name: string; path: string }[]
  suggestions: { systemId: string; slug: string; name: string; suggestedBy: string }[]
  warnings: string[]
}

/** Checks a choice against the project's dependencies: only `requires` closes it, `enhances` suggests. */
export async function reportScope(
  context: Context,
  projectId: string,
  systemIds: readonly string[],
): Promise<ScopeReport> {
  const { systems, edges } = await projectGraph(context, projectId)
  const { missing, suggestions } = checkScope(systemIds, edges)
  const nameOf = (id: string) => systems.get(id)?.name ?? id
  const slugOf = (id: string) => systems.get(id)?.systemSlug ?? id
  return {
    valid: missing.length === 0,
    missingDependencies: missing.map(({ systemId, path }) => ({
      systemId,
      slug: slugOf(systemId),
      name: nameOf(systemId),
      path: path.map(nameOf).join(' → '),
    })),
    suggestions: suggestions.map(({ systemId, suggestedBy }) => ({
      systemId,
      slug: slugOf(systemId),
      name: nameOf(systemId),
      suggestedBy: nameOf(suggestedBy),
    })),
    warnings: systemIds
      .filter((id) => systems.get(id)?.status === 'deprecated')
      .map((id) => `"${nameOf(id)}" is deprecated`),
  }
}

/** What a person or model reads about an open scope: `Combat System (combat-system), needed by Loot System → Combat System`. */
export function missingInWords(report: ScopeReport): string {
  return report.missingDependencies
    .map((missing) => `${missing.name} (${missing.slug}), needed by ${missing.path}`)
    .join('; ')
}
