import { createByteLru } from '../scheduling/lru.js'
import type { FactStore } from './fact-store.js'

/** Facts of this process alone. */
export function createMemoryFactStore({ maxBytes = DEFAULT_MAX_BYTES }: { maxBytes?: number } = {}): FactStore {
  const facts = createByteLru<Uint8Array>({ maxBytes, sizeOf: (value) => value.length })
  return {
    get: async (keys) => keys.map((key) => facts.get(key)),
    set: async (key, value) => facts.set(key, value),
  }
}

/** Some thousand tokens. */
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024
