export type { AlarmScore, FormatScore, GuardScore } from './eval-guard.ts'
export { evalGuard } from './eval-guard.ts'
export { guardTable } from './guard-table.ts'
