export type { ScriptedModel, ScriptedModelTurn, TurnFunction } from './scripted-model.ts'
export { scriptedModel } from './scripted-model.ts'
export type { ScriptedToolCall, ScriptedTurn } from './scripted-turn.ts'
