import { createGate } from 'handrail'
import { measure, printTable, ratio } from './measure.ts'
import { handrailTool, input, noLimits, principal, schema } from './same-tool.ts'

const calls = 500

/** One call through the whole gate, ledger included, beside parse, check, call and push. */
export async function gateInMemory(rounds: number): Promise<void> {
  const text = JSON.stringify(input)
  let log: unknown[] = []
  let gate = makeGate()
  const [bare, gated] = await measure(
    [
      {
        name: 'parse, zod, call, push',
        async work() {
          log = []
          for (let index = 0; index < calls; index++) {
            const checked = schema.parse(JSON.parse(text))
            log.push({ checked, result: await Promise.resolve({ ok: 1 }) })
          }
          return calls
        },
      },
      {
        name: 'gate and ledger',
        async work() {
          gate = makeGate()
          for (let index = 0; index < calls; index++) await gate.call({ name: 'check', input: text, principal })
          return calls
        },
      },
    ],
    rounds,
  )
  printTable(
    'One call, in memory',
    ['', 'µs per call', 'beside bare'],
    [
      [bare?.name ?? '', (bare?.median ?? 0).toFixed(1), ''],
      [gated?.name ?? '', (gated?.median ?? 0).toFixed(1), ratio(gated, bare)],
    ],
  )
}

function makeGate() {
  return createGate({ tools: [handrailTool('check')], roles: { owner: 'all' }, limits: noLimits })
}
