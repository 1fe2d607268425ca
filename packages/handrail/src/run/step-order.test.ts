import { describe, expect, it } from 'vitest'
import { deferred, gateBench, probe, until } from '../gate/testing/gate-bench.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import { createRunEngine } from './run-engine.ts'

describe('a run that another process takes over', () => {
  it('goes on when the call that the first one had begun has its outcome', async () => {
    const store = createMemoryStore()
    const release = deferred()
    let isReleased = false
    const tool = probe({
      kind: 'action',
      effect: 'external',
      approval: 'never',
      execute: () => release.promise.then(() => ({ ok: true })),
    })

    // The first loses its lease at once, and never hears of it.
    const first = gateBench([tool], { store })
    const asking = scriptedModel([{ toolCalls: [{ name: 'probe', input: { text: 'a' } }] }])
    const limits = { leaseMs: 1, renewMs: 1_000_000 }
    const engine = createRunEngine({ gate: first.gate as never, model: asking, limits, report: () => {} })
    const principal = first.as('alice')
    const { threadId } = await engine.createThread({ principal, pack: 'app', scope: {} })
    await engine.send({ principal, threadId, parts: [{ type: 'text', text: 'do it' }] })
    await until(() => tool.starts === 1)

    let looks = 0
    const watched: Store = {
      ...store,
      calls: {
        ...store.calls,
        get(tenantId, callId) {
          looks += 1
          return store.calls.get(tenantId, callId)
        },
      },
    }
    const heard: { isReleased: boolean; prompt: string }[] = []
    const answering = scriptedModel(({ prompt }) => {
      heard.push({ isReleased, prompt: JSON.stringify(prompt) })
      return { text: 'Done.' }
    })
    const second = gateBench([tool], { store: watched })
    const successor = createRunEngine({ gate: second.gate as never, model: answering, report: () => {} })
    await successor.start()
    await until(() => looks >= 3 || heard.length > 0)
    isReleased = true
    release.resolve()
    await until(() => heard.length > 0)
    expect(heard).toMatchObject([{ isReleased: true }])
    expect(heard[0]?.prompt).toContain('"ok":true')
    expect(tool.starts).toBe(1)
    await successor.stop()
  })
})
