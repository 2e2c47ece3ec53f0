import { accountStoreConformance } from './account-store.conformance.js'
import { createMemoryAccountStore } from './memory-account-store.js'

accountStoreConformance('memory', async () => ({ store: createMemoryAccountStore(), close: async () => {} }))
