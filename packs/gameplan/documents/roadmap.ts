import { linesOf } from './describe-system.ts'
import { facts, type GameDocument, gap, listOr, section, text } from './document.ts'
import type { PicturePlan, ProjectPicture } from './project-picture.ts'

/** Which version brings what and in which order, and what no version has yet. */
export function roadmap(picture: ProjectPicture): GameDocument {
  const { project, systems, plans } = picture
  const nameOf = (slug: string) => systems.find((system) => system.systemSlug === slug)?.name ?? slug
  const planned = new Set(plans.flatMap((plan) => plan.systems.map((system) => system.systemSlug)))
  const live = new Set(systems.filter((system) => system.status !== 'deprecated').map((system) => system.systemSlug))
  const open = picture.layers
    .map((layer) => layer.filter((slug) => live.has(slug) && !planned.has(slug)))
    .filter((layer) => layer.length > 0)
  return {
    type: 'roadmap',
    title: `${project.name}: Roadmap`,
    blocks: [facts({ Versions: String(plans.length), Systems: String(live.size) })],
    sections: [
      section(
        'Versions',
        plans.length > 0 ? [] : [gap('There are no version plans yet.')],
        plans.map((plan) => version(plan)),
      ),
      section('Not Planned Yet', [
        listOr(
          open.map((layer, index) => `Step ${index + 1}: ${layer.map(nameOf).join(', ')}`),
          'Every system is in a version.',
        ),
      ]),
      section('Critical Path', [
        picture.criticalPath.length > 1
          ? text(picture.criticalPath.map(nameOf).join(' → '))
          : gap('No system requires another one yet.'),
      ]),
      section('Open Questions', [
        listOr(
          systems
            .filter((system) => live.has(system.systemSlug))
            .flatMap((system) => linesOf(system.openQuestions).map((line) => `${system.name}: ${line}`)),
          'No open questions are noted.',
        ),
      ]),
      section('Deprecated', [
        listOr(
          systems.filter((system) => !live.has(system.systemSlug)).map((system) => system.name),
          'Nothing is deprecated.',
        ),
      ]),
    ],
  }
}

function version(plan: PicturePlan) {
  return section(`${plan.versionLabel}: ${plan.title}`, [
    facts({ Status: plan.status, Finalized: plan.finalizedOn }),
    ...(plan.description ? [text(plan.description)] : []),
    plan.systems.length > 0
      ? {
          kind: 'table' as const,
          columns: ['Phase', 'System', 'Criticality', 'Status'],
          rows: plan.systems.map((system) => [String(system.phase), system.name, system.mvpCriticality, system.status]),
        }
      : gap('No systems are planned.'),
  ])
}
