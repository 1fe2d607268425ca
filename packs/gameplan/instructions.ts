import { readFileSync } from 'node:fs'
import { NotFoundError, type Principal, type Scope } from 'handrail'
import { counted } from './counted.ts'
import type { Readers } from './services/services.ts'

const guidance = readFileSync(new URL('./instructions.md', import.meta.url), 'utf8').trim()
const shownSystems = 60
const shownProjects = 20
const shownPlans = 10

/**
 * GamePlan's section of the prompt: how to work, then what this conversation is about. Says the same as long as the
 * data is the same, so that a provider's prompt cache holds.
 */
export async function gameplanInstructions(context: {
  services: Readers
  principal: Principal
  scope: Scope
}): Promise<string> {
  const situation =
    context.scope.projectId === undefined
      ? await workspaceSituation(context.services)
      : await projectSituation(context.services)
  return `${guidance}\n\n${situation}`
}

async function workspaceSituation(services: Readers): Promise<string> {
  const { items, total } = await services.projects.list({ page: 1, pageSize: shownProjects })
  const lines = items.map((project) => `- ${quoted(project.name)} (${project.status}), id ${project.id}`)
  return [
    '## This workspace',
    '',
    total === 0 ? 'There are no projects yet.' : `Projects (${total}):`,
    ...lines,
    ...(total > items.length ? [`- and ${total - items.length} more: list_projects`] : []),
    '',
    'This conversation is not about one project: give `projectId` where a tool takes it.',
  ].join('\n')
}

async function projectSituation(services: Readers): Promise<string> {
  const project = await services.projects.get().catch((error: unknown) => {
    if (error instanceof NotFoundError) return undefined
    throw error
  })
  // Deleted, perhaps in this very conversation, which still has to be brought to an end.
  if (project === undefined) return '## This project\n\nThe project of this conversation is not there any more. Say so.'
  const systems = await services.gameSystems.list({ page: 1, pageSize: shownSystems })
  const plans = await services.versionPlans.list({ page: 1, pageSize: shownPlans })
  const open = plans.items.filter((plan) => plan.status === 'draft')
  const { counts } = project
  return [
    `## This project: ${quoted(project.name)} (${project.status})`,
    '',
    ...(project.genre ? [`Genre: ${quoted(project.genre)}`] : []),
    ...(project.platform ? [`Platform: ${quoted(project.platform)}`] : []),
    `It has ${counted(counts.gameSystems, 'game system')}, ${counted(counts.dependencies, 'dependency')}, ${counted(counts.brainstorms, 'brainstorm')}, ${counted(counts.versionPlans, 'version plan')}, ${counted(counts.ideaThreads, 'idea thread')} and ${counted(counts.exports, 'export')}.`,
    '',
    systems.total === 0 ? 'It has no game systems yet.' : 'Game systems (slug, name, state, id):',
    ...systems.items.map(
      (system) =>
        `- ${system.systemSlug}: ${quoted(system.name)}, ${system.status}, ${system.mvpCriticality}, id ${system.id}`,
    ),
    ...(systems.total > systems.items.length
      ? [`- and ${systems.total - systems.items.length} more: list_game_systems`]
      : []),
    '',
    open.length === 0 ? 'No version plan is open.' : 'Open version plans:',
    ...open.map((plan) => `- ${quoted(plan.versionLabel)}: ${quoted(plan.title)}, id ${plan.id}`),
  ].join('\n')
}

/** A name as data: one line, in quotes, so that it cannot pass for a part of the prompt. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 200))
}
