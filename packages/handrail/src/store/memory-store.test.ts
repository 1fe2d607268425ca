import { storeContract } from '../testing/store-contract.ts'
import { createMemoryStore } from './memory-store.ts'

storeContract('memory', async () => {
  const store = createMemoryStore()
  return { store, close: () => store.close() }
})
