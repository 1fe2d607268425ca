import { toolFactory } from 'handrail'
import type { Demo } from './demo.ts'
import type { Readers, Writers } from './services/services.ts'

/** GamePlan's own `defineTool`: its tools work on its tables only, and show what colleagues wrote. */
export const defineTool = toolFactory<{ readers: Readers; writers: Writers }, Demo>({ egress: false, untrusted: false })
