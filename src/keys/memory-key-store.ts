import type { KeyRecord } from './key-record.js'
import { type KeyStore, MAX_LISTED } from './key-store.js'

/** Keys that live as long as the process: for tests and for a demo that keeps nothing. */
export function createMemoryKeyStore(): KeyStore {
  const records = new Map<string, KeyRecord>()
  return {
    async insert(record) {
      records.set(record.id, { ...record })
    },
    async find(id) {
      return copyOf(records.get(id))
    },
    async findByHash(hash) {
      return copyOf([...records.values()].find((record) => record.hash === hash))
    },
    async list() {
      return [...records.values()]
        .sort((a, b) => a.createdAt - b.createdAt)
        .slice(0, MAX_LISTED)
        .map((record) => ({ ...record }))
    },
    async update(id, change) {
      const record = records.get(id)
      if (record !== undefined) records.set(id, { ...record, ...change })
      return record !== undefined
    },
    async touch(uses) {
      for (const [id, usedAt] of uses) {
        const record = records.get(id)
        if (record !== undefined) records.set(id, { ...record, lastUsedAt: Math.max(usedAt, record.lastUsedAt ?? 0) })
      }
    },
    async ping() {},
    async close() {},
  }
}

function copyOf(record: KeyRecord | undefined): KeyRecord | undefined {
  return record && { ...record }
}
