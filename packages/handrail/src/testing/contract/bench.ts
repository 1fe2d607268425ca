import { randomUUID } from 'node:crypto'
import type { Pack } from '../../pack/pack.ts'
import type { Tool } from '../../tool/tool.ts'
import type { DemoPerson } from '../demo-people.ts'
import type { PackTestDatabase } from '../pack-test-database.ts'
import { type TestPack, testPack } from '../test-pack.ts'
import { type ExampleRun, runExample } from './run-example.ts'

export interface BenchOptions {
  people?: Readonly<Record<string, DemoPerson>>
}

/** One database for a pack's whole contract. Workspaces are cheap in it; what a tool's examples did is found out once. */
export class Bench {
  readonly pack: Pack
  readonly database: PackTestDatabase
  readonly #options: BenchOptions
  readonly #runs = new Map<Tool, Promise<ExampleRun[]>>()
  #untouched: Promise<TestPack> | undefined
  #planted: Promise<{ workspace: TestPack; canary: string }> | undefined

  constructor(pack: Pack, database: PackTestDatabase, options: BenchOptions) {
    this.pack = pack
    this.database = database
    this.#options = options
  }

  /** A new workspace with demo data, for what changes something. The other one beside it is always the same. */
  fresh(): Promise<TestPack> {
    const { people } = this.#options
    return testPack(this.pack, this.database, {
      tenants: { acme: `acme-${randomUUID().slice(0, 8)}`, other: 'other' },
      ...(people ? { people } : {}),
      // A tool that throws is told by its outcome.
      report: () => {},
    })
  }

  /** The workspace that nothing may change: for reads, refusals, and what is rolled back. */
  untouched(): Promise<TestPack> {
    this.#untouched ??= this.fresh()
    return this.#untouched
  }

  /** A workspace that holds a canary in all its texts. */
  planted(): Promise<{ workspace: TestPack; canary: string }> {
    this.#planted ??= this.#plant()
    return this.#planted
  }

  /** Every example of the tool, carried out, each success in a workspace of its own. */
  exampleRuns(tool: Tool): Promise<ExampleRun[]> {
    let runs = this.#runs.get(tool)
    if (runs === undefined) {
      runs = this.#runAll(tool)
      this.#runs.set(tool, runs)
    }
    return runs
  }

  /** The first example that succeeds, as everything that varies a good call begins with one. */
  async goodExample(tool: Tool): Promise<ExampleRun | undefined> {
    return (await this.exampleRuns(tool)).find(({ example }) => example.refuses === undefined)
  }

  async #plant(): Promise<{ workspace: TestPack; canary: string }> {
    const workspace = await this.fresh()
    const canary = `canary-${randomUUID()}`
    await this.database.plant(workspace.as('alice').tenantId, canary)
    return { workspace, canary }
  }

  async #runAll(tool: Tool): Promise<ExampleRun[]> {
    const runs: ExampleRun[] = []
    for (const [index, example] of tool.examples.entries()) {
      const changes = tool.kind !== 'read' && example.refuses === undefined
      const workspace = await (changes ? this.fresh() : this.untouched())
      runs.push(await runExample(workspace, tool, example, `example ${index + 1}`))
    }
    return runs
  }
}
