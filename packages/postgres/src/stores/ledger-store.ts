import type { LedgerEntry, LedgerStore, Seal } from 'handrail'
import { everyTenant } from '../transaction/tenant-transaction.ts'
import { moment, present } from './columns.ts'
import { type EntryRow, entrySelection, toEntry } from './entry-row.ts'
import type { StoreSession, StoreTransactions } from './store-transactions.ts'

interface SealRow {
  tenant_id: string
  seq: number
  sealed_at: string
  count: number
  root: string
  previous: string | null
  signature: string
}

/**
 * Entries that no seal names, above a mark below which everything was sealed long ago. An entry is written right before
 * its commit, and a transaction that stands still is ended by the server within a minute, so ten minutes are plenty.
 */
const unsealedFromMark = `
  from handrail.ledger_entries e
  where e.seq > (select coalesce(max(s.last_member), 0) from handrail.seals s
      where s.tenant_id = e.tenant_id and s.stored_at < now() - interval '10 minutes')
    and not exists (select from handrail.seals s, json_array_elements_text(s.members) m
      where s.tenant_id = e.tenant_id and m.value::bigint = e.seq)`

/** Among recent entries only: the mark here is that of the workspace which was sealed last. */
const quickLook = `
  with recent as materialized (
    select m.value::bigint as seq from handrail.seals, json_array_elements_text(members) m
    where stored_at > now() - interval '20 minutes'
  ), mark as (
    select coalesce(max(last_member), 0) as seq from handrail.seals where stored_at < now() - interval '10 minutes'
  )
  select distinct e.tenant_id from handrail.ledger_entries e
  where e.seq > (select seq from mark) and not exists (select from recent where recent.seq = e.seq) order by 1`

/** Through the whole ledger, each workspace with its own mark: finds one whose sealing failed for a long time. */
const thoroughLook = `
  with recent as materialized (
    select m.value::bigint as seq from handrail.seals, json_array_elements_text(members) m
    where stored_at > now() - interval '20 minutes'
  ), mark as (
    select tenant_id, max(last_member) as seq from handrail.seals where stored_at < now() - interval '10 minutes' group by tenant_id
  )
  select distinct e.tenant_id from handrail.ledger_entries e left join mark on mark.tenant_id = e.tenant_id
  where e.seq > coalesce(mark.seq, 0) and not exists (select from recent where recent.seq = e.seq) order by 1`

const thoroughEveryMs = 600_000

/** The ledger on Postgres: entries that only grow, and seals that name what they cover. */
export function ledgerStore(transactions: StoreTransactions): LedgerStore {
  let nextThoroughLook = 0
  return {
    async tenantsToSeal() {
      const isThorough = performance.now() >= nextThoroughLook
      if (isThorough) nextThoroughLook = performance.now() + thoroughEveryMs
      const rows = await transactions.read<{ tenant_id: string }>(everyTenant, {
        text: isThorough ? thoroughLook : quickLook,
      })
      return rows.map((row) => row.tenant_id)
    },

    seal: (tenantId, makeSeal) =>
      transactions.run(tenantId, async (session) => {
        const { rows: lock } = await session.query<{ locked: boolean }>({
          text: `select pg_try_advisory_xact_lock(hashtextextended('handrail.seal:' || $1, 0)) as locked`,
          values: [tenantId],
        })
        if (!lock[0]?.locked) return undefined
        const entries = await unsealed(session, tenantId)
        if (entries.length === 0) return undefined
        const seal = makeSeal(entries.map(toEntry), await lastSeal(session, tenantId))
        await storeSeal(session, seal, entries)
        return seal
      }),

    async *sealed(tenantId) {
      for (let after = 0; ; ) {
        const [row] = await transactions.read<SealRow>(tenantId, {
          text: 'select * from handrail.seals where tenant_id = $1 and seq >= $2 order by seq limit 1',
          values: [tenantId, after],
        })
        if (row === undefined) return
        after = row.seq + 1
        const entries = await transactions.read<EntryRow>(tenantId, {
          text: `
            select ${entrySelection} from handrail.seals s, json_array_elements_text(s.members) with ordinality m (value, place)
            join handrail.ledger_entries e on e.seq = m.value::bigint and e.tenant_id = $1
            where s.tenant_id = $1 and s.seq = $2 order by m.place`,
          values: [tenantId, row.seq],
        })
        yield { seal: toSeal(row), entries: entries.map(toEntry) }
      }
    },

    unsealed: (tenantId) =>
      transactions.run(
        tenantId,
        async (session): Promise<LedgerEntry[]> => (await unsealed(session, tenantId)).map(toEntry),
      ),

    async tenants() {
      const rows = await transactions.read<{ tenant_id: string }>(everyTenant, {
        text: 'select distinct tenant_id from handrail.ledger_entries order by 1',
      })
      return rows.map((row) => row.tenant_id)
    },
  }
}

async function unsealed(session: StoreSession, tenantId: string): Promise<EntryRow[]> {
  const { rows } = await session.query<EntryRow>({
    text: `select ${entrySelection} ${unsealedFromMark} and e.tenant_id = $1 order by e.seq`,
    values: [tenantId],
  })
  return rows
}

async function lastSeal(session: StoreSession, tenantId: string): Promise<Seal | undefined> {
  const { rows } = await session.query<SealRow>({
    text: 'select * from handrail.seals where tenant_id = $1 order by seq desc limit 1',
    values: [tenantId],
  })
  return rows[0] && toSeal(rows[0])
}

async function storeSeal(session: StoreSession, seal: Seal, entries: readonly EntryRow[]): Promise<void> {
  const members = entries.map((entry) => entry.seq)
  await session.query({
    text: `
      insert into handrail.seals (tenant_id, seq, sealed_at, count, root, previous, signature, members, last_member, stored_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())`,
    values: [
      seal.tenantId,
      seal.seq,
      seal.sealedAt.toISOString(),
      seal.count,
      seal.root,
      seal.previous,
      seal.signature,
      JSON.stringify(members),
      Math.max(...members),
    ],
  })
}

function toSeal(row: SealRow): Seal {
  return {
    tenantId: row.tenant_id,
    seq: row.seq,
    sealedAt: moment(row.sealed_at),
    count: row.count,
    root: row.root,
    previous: present(row.previous),
    signature: row.signature,
  }
}
