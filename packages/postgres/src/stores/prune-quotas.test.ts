import { claimed, freshTenant, newClaim, sampleCall } from 'handrail/testing/store-contract'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../testing/index.ts'
import { TenantTransactions } from '../transaction/tenant-transaction.ts'
import { pruneQuotas } from './prune-quotas.ts'
import { StoreTransactions } from './store-transactions.ts'

it('removes counters of long ago, and none that counts now or for ever', async () => {
  const database = await openTestDatabase({ engine: 'pglite' })
  const tenantId = freshTenant()
  const quotas = [
    { key: 'old', limit: 9, windowMs: 1_000 },
    { key: 'now', limit: 9, windowMs: 3_600_000 },
    { key: 'always', limit: 1, windowMs: 0 },
  ]
  await claimed(database, sampleCall(tenantId), { quotas })
  await database.engine.script(
    `update handrail.quotas set window_start = window_start - interval '40 days' where key = 'old'`,
  )
  const settings = { role: 'handrail_app', handle: 'drizzle', idleTimeoutMs: 30_000 } as const
  await pruneQuotas(new StoreTransactions(new TenantTransactions(database.engine, settings)))()
  const { rows } = await database.engine.query({ text: 'select key from handrail.quotas order by key' })
  expect(rows).toEqual([{ key: 'always' }, { key: 'now' }])
  expect(await database.calls.claim(newClaim(sampleCall(tenantId), { quotas }))).toMatchObject({ kind: 'limited' })
  await database.close()
}, 30_000)
