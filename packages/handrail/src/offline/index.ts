export type { PackHints } from './offered-tools.ts'
export type { OfflineModelOptions } from './offline-model.ts'
export { createOfflineModel } from './offline-model.ts'
