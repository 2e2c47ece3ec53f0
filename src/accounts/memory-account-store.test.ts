import { accountStoreConformance, CONFORMANCE_MAX_NONCES } from './account-store.conformance.js'
import { createMemoryAccountStore } from './memory-account-store.js'

accountStoreConformance('memory', async () => ({
  store: createMemoryAccountStore({ maxNonces: CONFORMANCE_MAX_NONCES }),
  close: async () => {},
}))
