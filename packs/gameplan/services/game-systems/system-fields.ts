/** The written sections of a game system, in the order documents show them. */
export const systemTexts = [
  'purpose',
  'coreMechanics',
  'inputs',
  'outputs',
  'failureStates',
  'scalingBehavior',
  'currentState',
  'targetState',
  'implementationNotes',
  'openQuestions',
] as const

export type SystemText = (typeof systemTexts)[number]
export type SystemStatus = 'draft' | 'active' | 'deprecated'
export type Criticality = 'core' | 'important' | 'later'

/** Everything of a game system that people write; its slug and version are kept beside it. */
export interface SystemFields extends Record<SystemText, string | null> {
  name: string
  status: SystemStatus
  mvpCriticality: Criticality
}
