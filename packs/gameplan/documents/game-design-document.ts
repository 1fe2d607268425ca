import { linesOf, systemFacts, systemSections } from './describe-system.ts'
import { type Block, facts, type GameDocument, gap, listOr, type Section, section, text } from './document.ts'
import type { ProjectPicture } from './project-picture.ts'

/** Which brainstorms belong to a chapter that GamePlan has no fields for: those with one of these tags. */
const chapterTags = {
  Controls: ['controls', 'input'],
  'Progression, Economy and Balance': ['progression', 'economy', 'balance'],
  'Levels and World': ['levels', 'level-design', 'world'],
  'Story and Characters': ['story', 'narrative', 'characters'],
  'Art and Audio': ['art', 'audio', 'music', 'sound'],
  'UI and UX': ['ui', 'ux', 'interface'],
  'Monetisation and Legal': ['monetisation', 'monetization', 'legal'],
  Metrics: ['metrics', 'analytics'],
} as const

/** The game design document of a whole project. */
export function gameDesignDocument(picture: ProjectPicture): GameDocument {
  const { project, systems, plans } = picture
  const live = systems.filter((system) => system.status !== 'deprecated')
  const core = live.filter((system) => system.mvpCriticality === 'core')
  const chapter = (heading: keyof typeof chapterTags) => section(heading, chapterBlocks(picture, chapterTags[heading]))
  return {
    type: 'gdd',
    title: `${project.name}: Game Design Document`,
    blocks: [facts({ Version: versionOf(picture), Systems: String(live.length) })],
    sections: [
      section('Change Log', [changeTable(picture)]),
      section('Overview', [
        project.description ? text(project.description) : gap('The pitch is not written yet.'),
        facts({ Genre: project.genre, Platforms: project.platform }),
        ...(project.genre ? [] : [gap('The genre is not decided yet.')]),
        ...(project.platform ? [] : [gap('The platforms are not decided yet.')]),
        ...ideaBlocks(
          picture,
          ['audience', 'usp', 'pillars'],
          'Audience, selling points and pillars are not written yet.',
        ),
      ]),
      section('Core Loop', [
        listOr(
          core.map((system) => withPurpose(system)),
          'No system is marked as core yet.',
        ),
        ...ideaBlocks(picture, ['core-loop', 'win', 'lose'], 'Winning and losing are not described yet.'),
      ]),
      chapter('Controls'),
      section(
        'Game Systems',
        live.length > 0 ? [] : [gap('There are no game systems yet.')],
        live.map((system) => section(system.name, [systemFacts(system)], systemSections(system, picture.dependencies))),
      ),
      chapter('Progression, Economy and Balance'),
      chapter('Levels and World'),
      chapter('Story and Characters'),
      chapter('Art and Audio'),
      chapter('UI and UX'),
      technical(picture),
      chapter('Monetisation and Legal'),
      section('MVP Scope and Milestones', [
        listOr(
          core.map((system) => system.name),
          'No system is marked as core yet.',
        ),
        plans.length > 0
          ? {
              kind: 'table',
              columns: ['Version', 'Title', 'Status', 'Systems'],
              rows: plans.map((plan) => [
                plan.versionLabel,
                plan.title,
                plan.status,
                plan.systems.map((system) => system.name).join(', '),
              ]),
            }
          : gap('There are no version plans yet.'),
      ]),
      chapter('Metrics'),
      section('Out of Scope', [
        listOr(
          [
            ...live.filter((system) => system.mvpCriticality === 'later').map((system) => `${system.name}: later`),
            ...systems.filter((system) => system.status === 'deprecated').map((system) => `${system.name}: deprecated`),
          ],
          'Nothing is set aside.',
        ),
      ]),
      section('Assumptions and Open Questions', [
        listOr(
          live.flatMap((system) => linesOf(system.openQuestions).map((question) => `${system.name}: ${question}`)),
          'No open questions are noted.',
        ),
      ]),
      section('Glossary', [listOr(live.map(withPurpose).sort(), 'There are no game systems yet.')]),
    ],
  }
}

/** The newest finalized version, else the newest draft. */
function versionOf({ plans }: ProjectPicture): string {
  const plan = plans.findLast((one) => one.status === 'finalized') ?? plans.at(-1)
  if (!plan) return 'not planned yet'
  return plan.status === 'finalized' ? plan.versionLabel : `${plan.versionLabel} (draft)`
}

function changeTable({ changes }: ProjectPicture): Block {
  if (changes.length === 0) return gap('Nothing was changed yet.')
  return {
    kind: 'table',
    columns: ['System', 'Version', 'Change', 'Author'],
    rows: changes.map((change) => [change.system, change.version, change.summary, change.author]),
  }
}

function technical(picture: ProjectPicture): Section {
  const nameOf = (slug: string) => picture.systems.find((system) => system.systemSlug === slug)?.name ?? slug
  return section('Technical', [
    listOr(
      picture.layers.map((layer, index) => `Step ${index + 1}: ${layer.map(nameOf).join(', ')}`),
      'There is nothing to order yet.',
    ),
    ...(picture.criticalPath.length > 1
      ? [text(`Longest chain: ${picture.criticalPath.map(nameOf).join(' → ')}`)]
      : []),
    listOr(
      picture.systems.flatMap((system) => linesOf(system.implementationNotes).map((note) => `${system.name}: ${note}`)),
      'No implementation notes are written yet.',
    ),
  ])
}

function chapterBlocks(picture: ProjectPicture, tags: readonly string[]): Block[] {
  return ideaBlocks(picture, tags, `Not written yet. Brainstorms tagged ${tags.join(', ')} show up here.`)
}

/** What brainstorms say about a subject: accepted outputs in full, the others by title. */
export function ideaBlocks(picture: ProjectPicture, tags: readonly string[], missing: string): Block[] {
  const found = picture.brainstorms.filter((brainstorm) =>
    brainstorm.tags.some((tag) => tags.includes(tag.toLowerCase())),
  )
  if (found.length === 0) return [gap(missing)]
  return found.flatMap((brainstorm): Block[] =>
    brainstorm.accepted.length > 0
      ? brainstorm.accepted.flatMap((output) => [text(output.title), text(output.content)])
      : [text(`Ideas that are not decided: "${brainstorm.title}" by ${brainstorm.author}.`)],
  )
}

function withPurpose(system: { name: string; purpose: string | null }): string {
  const [first] = linesOf(system.purpose)
  return first ? `${system.name}: ${first}` : system.name
}
