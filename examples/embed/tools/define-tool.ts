import { toolFactory } from 'handrail'
import type { invoices } from '../invoices.ts'

export const defineTool = toolFactory<{ readers: ReturnType<typeof invoices>; writers: ReturnType<typeof invoices> }>({
  egress: false,
  untrusted: false,
})
