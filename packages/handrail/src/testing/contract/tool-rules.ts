import { asksBeforeItActs } from './rules/asks-before-it-acts.ts'
import { convertsForEveryProvider } from './rules/converts-for-every-provider.ts'
import { declaresItsDangers } from './rules/declares-its-dangers.ts'
import { describesItselfBriefly } from './rules/describes-itself-briefly.ts'
import { givesWhatItSays } from './rules/gives-what-it-says.ts'
import { keepsWorkspacesApart } from './rules/keeps-workspaces-apart.ts'
import { readsChangeNothing } from './rules/reads-change-nothing.ts'
import { recordsStartAndEnd } from './rules/records-start-and-end.ts'
import { refusalsChangeNothing } from './rules/refusals-change-nothing.ts'
import { refusesBadInput } from './rules/refuses-bad-input.ts'
import { rollsBackWholly } from './rules/rolls-back-wholly.ts'
import { saysWhatItDid } from './rules/says-what-it-did.ts'
import type { ToolRule } from './tool-rule.ts'

/** The contract that every tool passes. */
export const toolRules: readonly ToolRule[] = [
  describesItselfBriefly,
  convertsForEveryProvider,
  declaresItsDangers,
  givesWhatItSays,
  saysWhatItDid,
  refusesBadInput,
  readsChangeNothing,
  asksBeforeItActs,
  refusalsChangeNothing,
  rollsBackWholly,
  recordsStartAndEnd,
  keepsWorkspacesApart,
]
