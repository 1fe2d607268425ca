import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { generateText, isStepCount, simulateReadableStream, streamText, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { createGate, createRunEngine, type RunEngine, type Tool } from 'handrail'
import { measure, printTable, ratio } from './measure.ts'
import { handrailTool, input, noLimits, plainTool, principal } from './same-tool.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const toolCallsEnd = { unified: 'tool-calls' as const, raw: 'x' }
const stopEnd = { unified: 'stop' as const, raw: 'x' }

/** Calls the tool k times, one call a step, then answers. Which step it is, it sees from what it is shown. */
function scripted(k: number) {
  const stepOf = ({ prompt }: LanguageModelV4CallOptions) => prompt.filter(({ role }) => role === 'assistant').length
  return new MockLanguageModelV4({
    doGenerate: async (options) => {
      const step = stepOf(options)
      return {
        content:
          step < k
            ? [{ type: 'tool-call', toolCallId: `c${step}`, toolName: 'tool_0', input: JSON.stringify(input) }]
            : [{ type: 'text', text: 'done' }],
        finishReason: step < k ? toolCallsEnd : stopEnd,
        usage,
        warnings: [],
      }
    },
    doStream: async (options) => {
      const step = stepOf(options)
      return {
        stream: simulateReadableStream<LanguageModelV4StreamPart>({
          initialDelayInMs: null,
          chunkDelayInMs: null,
          chunks:
            step < k
              ? [
                  {
                    type: 'tool-call' as const,
                    toolCallId: `c${step}`,
                    toolName: 'tool_0',
                    input: JSON.stringify(input),
                  },
                  { type: 'finish' as const, finishReason: toolCallsEnd, usage },
                ]
              : [
                  { type: 'text-start' as const, id: '1' },
                  { type: 'text-delta' as const, id: '1', delta: 'done' },
                  { type: 'text-end' as const, id: '1' },
                  { type: 'finish' as const, finishReason: stopEnd, usage },
                ],
        }),
      }
    },
  })
}

/** The whole run, gate, ledger and leases included, per step, beside the plain AI SDK loop with the same zod tools. */
export async function runInMemory(toolCount: number, steps: readonly number[], rounds: number): Promise<void> {
  const plainTools: ToolSet = Object.fromEntries(
    Array.from({ length: toolCount }, (_, index) => [`tool_${index}`, plainTool()]),
  )
  const tools = Array.from({ length: toolCount }, (_, index) => handrailTool(`tool_${index}`))
  const rows: string[][] = []
  for (const k of steps) {
    const generating = engineFor(tools, k, false)
    const streaming = engineFor(tools, k, true)
    const model = scripted(k)
    const [plainGenerate, ourGenerate, plainStream, ourStream] = await measure(
      [
        {
          name: 'AI SDK, generate',
          async work() {
            await generateText({ model, tools: plainTools, prompt: 'go', stopWhen: isStepCount(k + 1) })
            return k
          },
        },
        { name: 'Handrail, generate', work: () => wholeRun(generating, k) },
        {
          name: 'AI SDK, stream',
          async work() {
            const result = streamText({
              model,
              tools: plainTools,
              prompt: 'go',
              stopWhen: isStepCount(k + 1),
            })
            for await (const _part of result.stream);
            return k
          },
        },
        { name: 'Handrail, stream', work: () => wholeRun(streaming, k) },
      ],
      Math.max(6, Math.ceil(rounds / Math.sqrt(k))),
    )
    rows.push([
      String(k),
      (plainGenerate?.median ?? 0).toFixed(0),
      (ourGenerate?.median ?? 0).toFixed(0),
      ratio(ourGenerate, plainGenerate),
      (plainStream?.median ?? 0).toFixed(0),
      (ourStream?.median ?? 0).toFixed(0),
      ratio(ourStream, plainStream),
    ])
  }
  printTable(
    `A whole run in memory, µs per step, ${toolCount} tool${toolCount === 1 ? '' : 's'}, k steps`,
    ['k', 'AI SDK generate', 'Handrail', 'ratio', 'AI SDK stream', 'Handrail', 'ratio'],
    rows,
  )
}

/** One gate and one engine serve many runs, as in an application; each run is a thread of its own. */
function engineFor(tools: readonly Tool[], k: number, streams: boolean): RunEngine {
  const gate = createGate({ tools, roles: { owner: 'all' }, limits: noLimits })
  const unbounded = { inline: 600_000, background: 600_000 }
  const limits = { steps: { inline: k + 1, background: k + 1 }, activeMs: unbounded, runsPerHour: 1_000_000_000 }
  return createRunEngine({ gate, model: scripted(k), streams, limits })
}

async function wholeRun(engine: RunEngine, k: number): Promise<number> {
  const { threadId } = await engine.createThread({ principal, pack: 'app', scope: {} })
  const sent = await engine.send({ principal, threadId, parts: [{ type: 'text', text: 'go' }] })
  if (!('answer' in sent) || sent.answer === undefined) throw new Error(sent.kind)
  let text = ''
  for await (const chunk of sent.answer) if (chunk.type === 'text-delta') text += chunk.delta
  if (text !== 'done') throw new Error(`the run did not answer: ${text}`)
  return k
}
