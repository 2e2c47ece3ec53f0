import { factStoreConformance } from './fact-store.conformance.js'
import { createMemoryFactStore } from './memory-fact-store.js'

factStoreConformance('memory', () => createMemoryFactStore())
