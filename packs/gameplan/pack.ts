import { fileURLToPath } from 'node:url'
import type { Db } from '@handrail/postgres/pack'
import { definePack } from 'handrail'
import { z } from 'zod'
import { authorize } from './authorize.ts'
import { type Demo, gameplanDemo } from './demo.ts'
import { gameplanInstructions } from './instructions.ts'
import { phrases } from './phrases/phrases.ts'
import { gameplanReaders, gameplanWriters, type Readers, type Writers } from './services/services.ts'
import { tools } from './tools/index.generated.ts'

/** GamePlan: a game studio plans its systems, what they depend on, and which version gets which. */
export const gameplan = definePack<{ readers: Readers; writers: Writers }, Db, Demo>({
  name: 'gameplan',
  title: 'GamePlan',
  description: "A game studio's planning workspace: systems, dependencies, version plans, ideas and exports",
  language: 'en',
  tools,
  scopeSchema: z.union([z.strictObject({ projectId: z.string().min(1).max(100) }), z.strictObject({})]),
  roles: {
    owner: 'all',
    member: 'all',
    reader: { kinds: ['read'], tools: ['post_idea_message'] },
  },
  services: { readers: gameplanReaders, writers: gameplanWriters },
  authorize,
  instructions: gameplanInstructions,
  phrases,
  storage: { schema: 'gameplan', migrationsFolder: fileURLToPath(new URL('./db/migrations', import.meta.url)) },
  demo: gameplanDemo,
})
