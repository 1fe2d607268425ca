import { defineConfig } from 'drizzle-kit'

/** `npx drizzle-kit generate --config packages/postgres/drizzle.config.ts --name <what-changed>`; works offline. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './packages/postgres/src/schema/*.ts',
  out: './packages/postgres/migrations',
  schemaFilter: ['handrail'],
})
