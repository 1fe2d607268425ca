import { storeContract } from '../../handrail/src/testing/store-contract.ts'
import { openTestDatabase } from './testing/index.ts'

storeContract('pglite', async () => {
  const store = await openTestDatabase({ engine: 'pglite' })
  return { store, close: () => store.close() }
})
