import { openPackDatabase } from '@handrail/postgres/testing'
import { checkPack } from 'handrail/testing'
import { gameplan } from './pack.ts'

await checkPack(gameplan, () => openPackDatabase(gameplan))
