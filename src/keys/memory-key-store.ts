import type { KeyRecord } from './key-record.js'
import { type KeyStore, KeyStoreError, MAX_LISTED } from './key-store.js'

/** Keys that live as long as the process: for tests and for a demo that keeps nothing. */
export function createMemoryKeyStore(): KeyStore {
  const records = new Map<string, KeyRecord>()
  const add = (record: KeyRecord) => {
    const isTaken = [...records.values()].some(({ id, hash }) => id === record.id || hash === record.hash)
    if (isTaken) throw new KeyStoreError('add a key', 'it is there already')
    records.set(record.id, { ...record })
  }
  return {
    async insert(record) {
      add(record)
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
    async listOf(wallet) {
      return [...records.values()]
        .filter((record) => record.wallet === wallet && record.revokedAt === undefined)
        .sort((a, b) => b.createdAt - a.createdAt)
        .slice(0, MAX_LISTED)
        .map((record) => ({ ...record }))
    },
    async replace(id, successor) {
      const record = records.get(id)
      if (record === undefined || record.revokedAt !== undefined) return false
      add(successor)
      records.set(id, { ...record, revokedAt: successor.createdAt })
      return true
    },
    async remove(id) {
      records.delete(id)
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
