import { startTestPostgres } from '@handrail/postgres/testing'
import pg from 'pg'
import { createApp } from './app.ts'

// DATABASE_URL is the application's own database. Without one a throw-away Postgres serves, and ends with the process.
const connectionString = process.env.DATABASE_URL ?? (await startTestPostgres()).url
const app = await createApp(new pg.Pool({ connectionString }))
app.listen(Number(process.env.PORT ?? 4400), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${process.env.PORT ?? 4400}   try:

  curl -s localhost:4400/assistant/tools/list_invoices -H 'x-user: carl' -H 'content-type: application/json' -d '{}'
  curl -s localhost:4400/assistant/tools/void_invoice -H 'x-user: ada' -H 'content-type: application/json' -d '{"id":"2026-001"}'`)
})
