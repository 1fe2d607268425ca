import { halvesOf, jsonTextOf, type ScriptedToolCall, type ScriptedTurn, wordsOf } from './scripted-turn.ts'

/** A chat completion, whole. */
export function completionOf(turn: ScriptedTurn, model: string, index: number): unknown {
  const toolCalls = (turn.toolCalls ?? []).map((call, position) => ({
    id: idOf(call, index, position),
    type: 'function',
    function: { name: call.name, arguments: jsonTextOf(call) },
  }))
  return {
    ...head(model, index, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: turn.text ?? null,
          ...(turn.reasoning === undefined ? {} : { reasoning_content: turn.reasoning }),
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
        finish_reason: finishReasonOf(turn),
      },
    ],
    usage: usageOf(turn),
  }
}

/** The same as the data of server-sent events: words one by one, each call's arguments in two pieces. */
export function streamFramesOf(turn: ScriptedTurn, model: string, index: number, withUsage: boolean): string[] {
  const frame = (choices: unknown[], more = {}) =>
    JSON.stringify({ ...head(model, index, 'chat.completion.chunk'), choices, ...more })
  const delta = (content: unknown) => frame([{ index: 0, delta: content, finish_reason: null }])
  const frames = [delta({ role: 'assistant', content: '' })]
  for (const word of wordsOf(turn.reasoning ?? '')) frames.push(delta({ reasoning_content: word }))
  for (const word of wordsOf(turn.text ?? '')) frames.push(delta({ content: word }))
  for (const [position, call] of (turn.toolCalls ?? []).entries()) {
    const start = { index: position, id: idOf(call, index, position), type: 'function' }
    frames.push(delta({ tool_calls: [{ ...start, function: { name: call.name, arguments: '' } }] }))
    for (const piece of halvesOf(jsonTextOf(call))) {
      frames.push(delta({ tool_calls: [{ index: position, function: { arguments: piece } }] }))
    }
  }
  frames.push(frame([{ index: 0, delta: {}, finish_reason: finishReasonOf(turn) }]))
  if (withUsage) frames.push(frame([], { usage: usageOf(turn) }))
  return [...frames, '[DONE]']
}

function head(model: string, index: number, object: string) {
  return { id: `chatcmpl-${index + 1}`, object, created: 0, model }
}

function idOf(call: ScriptedToolCall, index: number, position: number): string {
  return call.id ?? `call_${index + 1}_${position + 1}`
}

function finishReasonOf(turn: ScriptedTurn): string {
  const reason = turn.finishReason ?? ((turn.toolCalls ?? []).length > 0 ? 'tool-calls' : 'stop')
  return reason.replace('-', '_')
}

function usageOf({ usage }: ScriptedTurn) {
  const prompt_tokens = usage?.inputTokens ?? 10
  const completion_tokens = usage?.outputTokens ?? 5
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
