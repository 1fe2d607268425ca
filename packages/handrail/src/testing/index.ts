export { checkPack } from './check-pack.ts'
export type { BenchOptions } from './contract/bench.ts'
export type { CheckReport } from './contract/tool-rule.ts'
export { type DemoPerson, demoPeople } from './demo-people.ts'
export type {
  AnsweredTurn,
  FailingTurn,
  FakeOpenAIBody,
  FakeOpenAIRequest,
  FakeOpenAIServer,
  FakeOpenAIServerOptions,
  FakeOpenAITurn,
} from './fake-openai-server.ts'
export { startFakeOpenAIServer } from './fake-openai-server.ts'
export type { PackTestDatabase, Snapshot } from './pack-test-database.ts'
export { runPackChecks } from './run-pack-checks.ts'
export type { ScriptedModel, ScriptedModelTurn, TurnFunction } from './scripted-model.ts'
export { scriptedModel } from './scripted-model.ts'
export type { ScriptedToolCall, ScriptedTurn } from './scripted-turn.ts'
export type { TestCallOptions, TestPack, TestPackOptions } from './test-pack.ts'
export { testPack } from './test-pack.ts'
