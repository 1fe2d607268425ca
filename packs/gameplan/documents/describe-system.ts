import type { SystemText } from '../services/game-systems/system-fields.ts'
import { type Block, gap, type Section, section, text } from './document.ts'
import type { PictureDependency, PictureSystem } from './project-picture.ts'

/** How documents call the sections of a system; an import finds them by the same words. */
export const sectionHeadings: Record<SystemText, string> = {
  purpose: 'Purpose',
  coreMechanics: 'Core Mechanics',
  inputs: 'Inputs',
  outputs: 'Outputs',
  failureStates: 'Failure States',
  scalingBehavior: 'Scaling Behavior',
  currentState: 'Current State',
  targetState: 'Target State',
  implementationNotes: 'Implementation Notes',
  openQuestions: 'Open Questions',
}

const beforeDependencies = [
  'purpose',
  'coreMechanics',
  'inputs',
  'outputs',
  'failureStates',
  'scalingBehavior',
] as const satisfies SystemText[]
const afterDependencies = [
  'currentState',
  'targetState',
  'implementationNotes',
  'openQuestions',
] as const satisfies SystemText[]

/** The sections of one system, in the order of a design document. Without a purpose a gap says so; other empty ones are left out. */
export function systemSections(system: PictureSystem, dependencies: readonly PictureDependency[]): Section[] {
  const needs = dependencies.filter((dependency) => dependency.source === system.systemSlug)
  const neededBy = dependencies.filter((dependency) => dependency.target === system.systemSlug)
  return [
    ...written(system, beforeDependencies),
    ...(needs.length > 0 ? [section('Dependencies', [{ kind: 'list', items: needs.map(needLine) }])] : []),
    ...(neededBy.length > 0
      ? [section('Needed By', [{ kind: 'list', items: neededBy.map(({ source, type }) => `${source} (${type})`) }])]
      : []),
    ...written(system, afterDependencies),
  ]
}

function written(system: PictureSystem, fields: readonly SystemText[]): Section[] {
  return fields.flatMap((field) => {
    const content = system[field]
    if (content) return [section(sectionHeadings[field], [text(content)])]
    return field === 'purpose' ? [section(sectionHeadings[field], [gap('The purpose is not written yet.')])] : []
  })
}

/** `requires inventory: Parts come out of the pack.` – an import reads this form back. */
function needLine({ type, target, description }: PictureDependency): string {
  return `${type} ${target}${description ? `: ${description.replace(/\s+/g, ' ').trim()}` : ''}`
}

export function systemFacts(system: PictureSystem): Block {
  return {
    kind: 'facts',
    facts: [
      { label: 'System', value: system.systemSlug },
      { label: 'Version', value: system.version },
      { label: 'Status', value: system.status },
      { label: 'MVP criticality', value: system.mvpCriticality },
    ],
  }
}

/** The lines of a text without list marks, for requirements and criteria. */
export function linesOf(content: string | null): string[] {
  return (content ?? '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/^\s*[-*+]\s+/, '').trim())
    .filter((line) => line !== '')
}
