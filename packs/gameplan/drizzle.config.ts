import { defineConfig } from 'drizzle-kit'

/** `npx drizzle-kit generate --config packs/gameplan/drizzle.config.ts`, from the root of the repository. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './packs/gameplan/db/schema.ts',
  out: './packs/gameplan/db/migrations',
})
