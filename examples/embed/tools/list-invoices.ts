import { z } from 'zod'
import { defineTool } from './define-tool.ts'

export default defineTool({
  name: 'list_invoices',
  category: 'invoice',
  kind: 'read',
  description: 'List invoices with customer, amount in cents and status.',
  inputSchema: z.strictObject({ status: z.enum(['open', 'void']).optional() }),
  execute: ({ input, services }) => services.list(input.status),
  sources: () => [{ table: 'invoices' }],
  examples: [
    { input: () => ({ status: 'open' }), gives: [{ id: '2026-001' }] },
    { input: () => ({ status: 'paid' }), refuses: 'VALIDATION' },
  ],
})
