import { connect, createServer, type Server, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { claimed, fenceOf, freshTenant, newClaim, sampleCall, sampleEnding } from 'handrail/testing/store-contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../database.ts'
import { openDatabase } from '../open-database.ts'
import { rows } from '../pack.ts'
import { openTestDatabase, type TestDatabase } from '../testing/index.ts'
import { notes } from '../testing/notes.ts'
import type { Db } from '../transaction/handed.ts'

/** What happens to the next COMMIT: it never arrives, or it does and its answer is lost. */
type Loss = 'commit' | 'answer'

/** A way to the server that cuts the line at a COMMIT, once, when told to. */
async function cuttableLine(url: string): Promise<{ url: string; cutAt(loss: Loss): void; close(): Promise<void> }> {
  const { hostname, port } = new URL(url)
  let next: Loss | undefined
  const sockets = new Set<Socket>()
  const line: Server = createServer((client) => {
    const server = connect(Number(port), hostname)
    let isCut = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    const cut = (): void => {
      client.destroy()
      server.destroy()
    }
    client.on('data', (data) => {
      if (next !== undefined && data.includes('COMMIT')) {
        isCut = true
        const loss = next
        next = undefined
        if (loss === 'commit') return cut()
      }
      server.write(data)
    })
    // The server answers COMMIT with its name, once it is done.
    server.on('data', (data) => (isCut ? data.includes('COMMIT') && cut() : client.write(data)))
    client.on('close', () => server.destroy())
    server.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const address = line.address()
  const own = new URL(url)
  if (typeof address === 'object' && address) own.port = String(address.port)
  return {
    url: own.href,
    cutAt(loss) {
      next = loss
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => line.close(resolve))
    },
  }
}

describe('when the line breaks at COMMIT', { timeout: 30_000 }, () => {
  let direct: TestDatabase
  let line: Awaited<ReturnType<typeof cuttableLine>>
  let database: Database
  beforeAll(async () => {
    direct = await openTestDatabase({ engine: 'postgres', packs: [notes] })
    line = await cuttableLine(direct.url ?? '')
    database = await openDatabase({ url: line.url })
  }, 30_000)
  afterAll(async () => {
    await database.close()
    await line.close()
    await direct.close()
  }, 30_000)

  const noteIds = (tenantId: string) => direct.transaction(tenantId, (db) => rows(db, sql`select id from notes.notes`))

  async function transactLosing(loss: Loss) {
    const tenantId = freshTenant()
    const call = await claimed(database, sampleCall(tenantId))
    const outcome = database.calls.transact(fenceOf(call), async ({ db }) => {
      await (db as Db).execute(sql`insert into notes.notes values (${tenantId}, 'effect')`) // this database hands drizzle
      line.cutAt(loss)
      return sampleEnding(call)
    })
    return { tenantId, call, outcome }
  }

  it('a transaction whose answer was lost is found committed, effect and outcome together', async () => {
    const { tenantId, call, outcome } = await transactLosing('answer')
    expect(await outcome).toMatchObject({ kind: 'committed', ending: { status: 'done' } })
    expect(await direct.calls.get(tenantId, call.callId)).toMatchObject({ status: 'done' })
    expect(await noteIds(tenantId)).toEqual([{ id: 'effect' }])
  })

  it('a transaction whose COMMIT never arrived fails, and has left nothing', async () => {
    const { tenantId, call, outcome } = await transactLosing('commit')
    await expect(outcome).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(await direct.calls.get(tenantId, call.callId)).toMatchObject({ status: 'running' })
    expect(await noteIds(tenantId)).toEqual([])
  })

  it('a claim whose answer was lost is found to be ours', async () => {
    const call = sampleCall(freshTenant())
    line.cutAt('answer')
    expect(await database.calls.claim(newClaim(call))).toMatchObject({ kind: 'claimed', call: { attempt: 1 } })
    expect(await database.calls.claim(newClaim(call))).toMatchObject({ kind: 'existing' })
  })

  it('a claim that never arrived fails, and nothing runs', async () => {
    const call = sampleCall(freshTenant())
    line.cutAt('commit')
    await expect(database.calls.claim(newClaim(call))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(await direct.calls.get(call.tenantId, call.callId)).toBeUndefined()
  })

  it("a claim whose answer was lost is not taken for another one's", async () => {
    const tenantId = freshTenant()
    const first = await claimed(direct, sampleCall(tenantId), { attemptMs: -1_000 })
    const recovery = newClaim(first, { from: 'recovery' })
    line.cutAt('commit')
    const ours = database.calls.claim(recovery)
    await expect(ours).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(await direct.calls.claim(recovery)).toMatchObject({ kind: 'claimed', call: { attempt: 2 } })
  })
})
