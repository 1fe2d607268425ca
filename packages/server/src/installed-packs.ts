import { gameplan } from '@handrail/pack-gameplan'
import type { Pack } from 'handrail'

/** The domains that a server has unless it is given others. */
export const installedPacks: readonly Pack[] = [gameplan]
