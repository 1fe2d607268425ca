import type { PackPhrases } from 'handrail'

/** The words people use for GamePlan's things, for the offline interpreter. */
export const phrases: PackPhrases = {
  nouns: {
    project: ['project', 'game'],
    'game-system': ['game system', 'system'],
    dependency: ['dependency', 'dependency graph'],
  },
}
