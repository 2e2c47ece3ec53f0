import {
  type AccountStore,
  type KeyOrderRecord,
  MAX_NONCES,
  MAX_SESSIONS_PER_WALLET,
  type NonceRecord,
  type SessionRecord,
} from './account-store.js'

/** Sign-ins and sessions that live as long as the process: for tests. */
export function createMemoryAccountStore({ maxNonces = MAX_NONCES }: { maxNonces?: number } = {}): AccountStore {
  const nonces = new Map<string, NonceRecord>()
  const sessions = new Map<string, SessionRecord>()
  let orders: KeyOrderRecord[] = []
  return {
    async addNonce(record) {
      forget(nonces, ({ expiresAt }) => expiresAt <= record.issuedAt)
      if (nonces.size >= maxNonces) return false
      nonces.set(record.nonce, { ...record })
      return true
    },
    async takeNonce(nonce) {
      const record = nonces.get(nonce)
      nonces.delete(nonce)
      return record
    },
    async addSession(record) {
      forget(sessions, ({ expiresAt }) => expiresAt <= record.createdAt)
      sessions.set(record.hash, { ...record })
      const own = [...sessions.values()].filter(({ wallet }) => wallet === record.wallet)
      const surplus = own.sort((a, b) => b.createdAt - a.createdAt).slice(MAX_SESSIONS_PER_WALLET)
      for (const { hash } of surplus) sessions.delete(hash)
    },
    async findSession(hash) {
      const record = sessions.get(hash)
      return record && { ...record }
    },
    async removeSession(hash) {
      sessions.delete(hash)
    },
    async addKeyOrder(record, since) {
      orders = [...orders.filter(({ orderedAt }) => orderedAt >= since), record]
      return orders.filter(({ caller }) => caller === record.caller).length
    },
  }
}

function forget<T>(records: Map<string, T>, isOver: (record: T) => boolean): void {
  for (const [name, record] of records) if (isOver(record)) records.delete(name)
}
