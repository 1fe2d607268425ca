import type { QueryClient } from '@handrail/postgres'
import { ConflictError, NotFoundError } from 'handrail'

// What the application had before: functions over its own tables. Given a transaction, they work in it.

export interface Invoice {
  id: string
  customer: string
  cents: number
  status: 'open' | 'void'
}

export const schema = `
  create table if not exists invoices (
    id text primary key, customer text not null, cents integer not null, status text not null default 'open');
  insert into invoices values ('2026-001', 'Miller', 12900, 'open'), ('2026-002', 'Okafor', 4500, 'open')
    on conflict do nothing`

export function invoices(db: QueryClient) {
  return {
    async list(status: Invoice['status'] | undefined): Promise<Invoice[]> {
      const { rows } = await db.query<Invoice>(
        'select * from invoices where $1::text is null or status = $1 order by id',
        [status ?? null],
      )
      return rows
    },

    async get(id: string): Promise<Invoice> {
      const { rows } = await db.query<Invoice>('select * from invoices where id = $1', [id])
      const [invoice] = rows
      if (invoice === undefined) throw new NotFoundError(`Invoice ${id}`, { next: 'list_invoices shows the ids' })
      return invoice
    },

    async void(id: string): Promise<Invoice> {
      const invoice = await this.get(id)
      if (invoice.status === 'void') throw new ConflictError(`Invoice ${id} is void already`)
      await db.query(`update invoices set status = 'void' where id = $1`, [id])
      return { ...invoice, status: 'void' }
    },
  }
}
