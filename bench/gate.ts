// npm run bench:gate [-- --quick]: what the gate costs, each figure beside the plain way of doing the same, in one run.
import { durableCall } from './durable-call.ts'
import { gateInMemory } from './gate-in-memory.ts'
import { runInMemory } from './run-in-memory.ts'

const isQuick = process.argv.includes('--quick')
const rounds = isQuick ? 8 : 40

console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}. Compare ratios, not times.`)
await gateInMemory(rounds)
await runInMemory(1, [1, 5, 20, 50, 200], rounds)
await runInMemory(110, [5], Math.ceil(rounds / 2))
await durableCall(Math.ceil(rounds / 4))
