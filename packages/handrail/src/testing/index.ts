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
export type { ScriptedModel, ScriptedModelTurn, TurnFunction } from './scripted-model.ts'
export { scriptedModel } from './scripted-model.ts'
export type { ScriptedToolCall, ScriptedTurn } from './scripted-turn.ts'
