import { linesOf } from './describe-system.ts'
import { type Block, facts, type GameDocument, gap, listOr, type Section, section, text } from './document.ts'
import { ideaBlocks } from './game-design-document.ts'
import type { PicturePlan, ProjectPicture } from './project-picture.ts'

/** How important a system is for the first release, in the words of requirements (MoSCoW). */
const priorities = { core: 'Must', important: 'Should', later: 'Could' } as const

type PlannedSystem = PicturePlan['systems'][number]

/** The product requirements of one version plan. */
export function versionRequirements(picture: ProjectPicture, plan: PicturePlan): GameDocument {
  const { project } = picture
  const planned = new Set(plan.systems.map((system) => system.systemSlug))
  const left = picture.systems.filter((system) => !planned.has(system.systemSlug))
  const goals = plan.systems.filter((system) => system.mvpCriticality === 'core')
  const outside = picture.dependencies.filter((edge) => planned.has(edge.source) && !planned.has(edge.target))
  return {
    type: 'version_prd',
    title: `${project.name} ${plan.versionLabel}: Product Requirements`,
    blocks: [
      facts({
        Author: plan.createdBy,
        Status: plan.status,
        Finalized: plan.finalizedOn,
        Reviewers: 'not named',
        'Target release': plan.versionLabel,
      }),
    ],
    sections: [
      section('Problem', [descriptionOf(plan.description ?? project.description, 'The problem is not written yet.')]),
      section(
        'Goals and Non-Goals',
        [],
        [
          section('Goals', [
            listOr(
              (goals.length > 0 ? goals : plan.systems).map((system) => goalLine(system)),
              'No systems are planned.',
            ),
          ]),
          section('Non-Goals', [
            listOr(
              left.map((system) => system.name),
              'Everything is planned.',
            ),
          ]),
        ],
      ),
      section(
        'Users and Stories',
        ideaBlocks(picture, ['users', 'stories', 'audience'], 'Users and stories are not written yet.'),
      ),
      section(
        'Functional Requirements',
        plan.systems.length > 0 ? [requirementTable(plan.systems)] : [gap('No systems are planned.')],
        plan.systems.map(requirement),
      ),
      section('Non-Functional Requirements', [
        listOr(
          plan.systems.flatMap((system) => linesOf(system.scalingBehavior).map((line) => `${system.name}: ${line}`)),
          'Scaling behaviour is not described for any planned system.',
        ),
      ]),
      section(
        'Success Metrics',
        ideaBlocks(picture, ['metrics', 'analytics'], 'How success is measured is not written yet.'),
      ),
      section('Dependencies', [
        listOr(
          [
            ...plan.dependencies.map((edge) => `${edge.source} ${edge.type} ${edge.target}`),
            ...outside.map((edge) => `${edge.source} ${edge.type} ${edge.target} (not in this version)`),
          ],
          'The planned systems do not depend on each other.',
        ),
      ]),
      section('Risks and Assumptions', [
        listOr(
          plan.systems.flatMap((system) => linesOf(system.failureStates).map((line) => `${system.name}: ${line}`)),
          'No failure states are described for the planned systems.',
        ),
      ]),
      section('Milestones and Rollout', [milestones(plan)]),
      section('Open Questions', [
        listOr(
          plan.systems.flatMap((system) => linesOf(system.openQuestions).map((line) => `${system.name}: ${line}`)),
          'No open questions are noted.',
        ),
      ]),
      section('Approval', [
        plan.finalizedBy
          ? text(`Finalized by ${plan.finalizedBy}.`)
          : gap('This version is a draft and not approved yet.'),
      ]),
    ],
  }
}

function requirementId(system: PlannedSystem): string {
  return `FR-${system.systemSlug}`
}

function requirementTable(systems: readonly PlannedSystem[]): Block {
  return {
    kind: 'table',
    columns: ['Id', 'Requirement', 'Priority', 'Phase'],
    rows: systems.map((system) => [
      requirementId(system),
      system.name,
      priorities[system.mvpCriticality],
      String(system.phase),
    ]),
  }
}

function requirement(system: PlannedSystem): Section {
  const criteria = [
    ...linesOf(system.targetState).map((line) => `Reached: ${line}`),
    ...linesOf(system.outputs).map((line) => `Gives: ${line}`),
    ...linesOf(system.failureStates).map((line) => `Does not happen: ${line}`),
  ]
  return section(`${requirementId(system)}: ${system.name} (${priorities[system.mvpCriticality]})`, [
    descriptionOf(system.purpose, 'The purpose is not written yet.'),
    ...(system.coreMechanics ? [text(system.coreMechanics)] : []),
    listOr(criteria, 'There are no acceptance criteria yet: target state, outputs and failure states are empty.'),
  ])
}

function milestones(plan: PicturePlan): Block {
  const phases = [...new Set(plan.systems.map((system) => system.phase))]
  return listOr(
    phases.map((phase) => {
      const systems = plan.systems.filter((system) => system.phase === phase)
      return `Phase ${phase}: ${systems.map((system) => system.name).join(', ')}`
    }),
    'No systems are planned.',
  )
}

function goalLine(system: PlannedSystem): string {
  const [first] = linesOf(system.purpose)
  return first ? `${system.name}: ${first}` : system.name
}

function descriptionOf(content: string | null, missing: string): Block {
  return content ? text(content) : gap(missing)
}
