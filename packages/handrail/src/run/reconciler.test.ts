import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gateBench, probe } from '../gate/testing/gate-bench.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import type { Store } from '../store/store.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import { createRunEngine } from './run-engine.ts'

describe('the reconciler', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('waits once for a call that cannot be had, however many rounds pass, and wakes due runs all the same', async () => {
    const memory = createMemoryStore()
    let isHeld = false
    const asked = { abandoned: 0, due: 0 }
    const store: Store = {
      ...memory,
      calls: {
        ...memory.calls,
        abandoned(limit) {
          asked.abandoned += 1
          return isHeld ? new Promise(() => {}) : memory.calls.abandoned(limit)
        },
      },
      runs: {
        ...memory.runs,
        due(limit) {
          asked.due += 1
          return memory.runs.due(limit)
        },
      },
    }
    const { gate } = gateBench([probe()], { store })
    const engine = createRunEngine({ gate: gate as never, model: scriptedModel([]), report: () => {} })
    await engine.start()
    isHeld = true
    for (let round = 0; round < 10; round++) await vi.advanceTimersByTimeAsync(3_000)
    expect(asked).toEqual({ abandoned: 2, due: 11 })
    await engine.stop()
  })
})
