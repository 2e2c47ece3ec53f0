import { keyStoreConformance } from './key-store.conformance.js'
import { createMemoryKeyStore } from './memory-key-store.js'

keyStoreConformance('memory', async () => createMemoryKeyStore())
