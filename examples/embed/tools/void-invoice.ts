import { z } from 'zod'
import { defineTool } from './define-tool.ts'

export default defineTool({
  name: 'void_invoice',
  category: 'invoice',
  kind: 'action',
  effect: 'transaction',
  description: 'Void an invoice for good. list_invoices finds ids.',
  inputSchema: z.strictObject({ id: z.string().describe('Id of the invoice') }),
  preview: ({ input, services }) => services.get(input.id),
  execute: ({ input, services }) => services.void(input.id),
  describe: ({ input, result }) =>
    result.success ? `Voided invoice ${input.id}` : `Could not void invoice ${input.id}`,
  examples: [
    { input: () => ({ id: '2026-001' }), gives: { status: 'void' } },
    { input: () => ({ id: 'missing' }), refuses: 'NOT_FOUND' },
  ],
})
