import { type LanguageModel, readUIMessageStream } from 'ai'
import { z } from 'zod'
import type { Gate } from '../../gate/gate.ts'
import type { OperatorReport } from '../../gate/gate-context.ts'
import { gateBench } from '../../gate/testing/gate-bench.ts'
import { completePack, type Pack } from '../../pack/pack.ts'
import type { Principal } from '../../principal/principal.ts'
import type { Run } from '../../store/run-store.ts'
import type { Store } from '../../store/store.ts'
import { type ScriptedModelTurn, scriptedModel, type TurnFunction } from '../../testing/scripted-model.ts'
import type { Tool } from '../../tool/tool.ts'
import type { RunChunk } from '../run-channel.ts'
import { createRunEngine, type RunEngine, type RunEngineOptions } from '../run-engine.ts'
import type { RunMessage } from '../ui-messages.ts'

export interface RunBenchOptions extends Partial<Pick<RunEngineOptions, 'limits' | 'streams'>> {
  tools?: readonly Tool[]
  /** What the model says, turn by turn; or a model of one's own. */
  script: readonly (ScriptedModelTurn | TurnFunction)[] | TurnFunction | LanguageModel
  pack?: Partial<Pack>
  store?: Store
}

export interface RunBench {
  engine: RunEngine
  gate: Gate
  store: Store
  /** What the model was given, call by call; empty for a model of one's own. */
  modelCalls: ReturnType<typeof scriptedModel>['calls']
  reports: Parameters<OperatorReport>[0][]
  alice: Principal
  threadId: string
  /** Says something and waits until what comes of it rests. */
  say(text: string): Promise<{ message: RunMessage; chunks: RunChunk[]; run: Run }>
  /** Says something and does not wait. */
  begin(text: string): Promise<{ run: Run; answer: ReadableStream<RunChunk>; kind: 'started' | 'queued' }>
  stored(): Promise<RunMessage[]>
  run(runId: string): Promise<Run>
}

/** A thread of alice's on an engine in memory, with a model that says what the test wants. */
export async function runBench(options: RunBenchOptions): Promise<RunBench> {
  const { tools = [], script, pack: packChanges = {}, limits, streams, store: givenStore } = options
  const pack = completePack({
    name: 'app',
    title: 'App',
    description: '',
    language: 'en',
    tools,
    scopeSchema: z.strictObject({}),
    roles: { owner: 'all', member: 'all', reader: { kinds: ['read'] } },
    services: { readers: () => ({}), writers: () => ({}) },
    instructions: () => 'Be short.',
    ...packChanges,
  })
  const { gate, store, reports, as } = gateBench([], { packs: [pack], ...(givenStore ? { store: givenStore } : {}) })
  const isScript = typeof script === 'function' || Array.isArray(script)
  const scripted = isScript ? scriptedModel(script) : undefined
  const engine = createRunEngine({
    gate,
    model: scripted ?? (script as LanguageModel), // a script is a list or a function, a model neither
    report: (event) => reports.push(event),
    ...(limits ? { limits } : {}),
    ...(streams === undefined ? {} : { streams }),
  })
  const alice = as('alice')
  const { threadId } = await engine.createThread({ principal: alice, pack: 'app', scope: {} })

  const begin: RunBench['begin'] = async (text) => {
    const sent = await engine.send({ principal: alice, threadId, parts: [{ type: 'text', text }] })
    if (sent.kind !== 'started' && sent.kind !== 'queued') throw new Error(`the message was not taken: ${sent.kind}`)
    return sent
  }
  const run: RunBench['run'] = async (runId) => {
    const found = await store.runs.get('acme', runId)
    if (found === undefined) throw new Error('there is no such run')
    return found
  }
  return {
    engine,
    gate,
    store,
    modelCalls: scripted?.calls ?? [],
    reports,
    alice,
    threadId,
    begin,
    run,
    async say(text) {
      const sent = await begin(text)
      const { message, chunks } = await readAll(sent.answer)
      return { message, chunks, run: await run(sent.run.runId) }
    },
    async stored() {
      return (await engine.thread({ principal: alice, threadId }))?.messages ?? []
    },
  }
}

/** Reads a stream to its end, as chunks and as the message that the AI SDK's own reader makes of them, on from `begun`. */
export async function readAll(
  stream: ReadableStream<RunChunk>,
  begun?: RunMessage,
): Promise<{ message: RunMessage; chunks: RunChunk[] }> {
  const chunks: RunChunk[] = []
  const noting = stream.pipeThrough(
    new TransformStream<RunChunk, RunChunk>({
      transform(chunk, controller) {
        chunks.push(chunk)
        controller.enqueue(chunk)
      },
    }),
  )
  let message = begun
  for await (const state of readUIMessageStream<RunMessage>({
    stream: noting,
    terminateOnError: true,
    ...(begun ? { message: begun } : {}),
  }))
    message = state
  if (message === undefined) throw new Error('the stream had no message')
  return { message, chunks }
}

/** The words of a message. */
export function textOf(message: RunMessage | undefined): string {
  return (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
