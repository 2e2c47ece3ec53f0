import { randomBytes } from 'node:crypto'
import {
  type AccountStore,
  type KeyOrderRecord,
  MAX_SESSIONS_PER_WALLET,
  MAX_USED_NONCES_PER_WALLET,
  NONCE_KEPT_MS,
  SECRET_BYTES,
  type SessionRecord,
  type UsedNonceRecord,
} from './account-store.js'

/** Sign-ins and sessions that live as long as the process: for tests. */
export function createMemoryAccountStore(): AccountStore {
  const nonces = new Map<string, UsedNonceRecord>()
  const secrets = new Map<string, Buffer>()
  const sessions = new Map<string, SessionRecord>()
  let orders: KeyOrderRecord[] = []
  return {
    async spendNonce(record) {
      forget(nonces, ({ expiresAt }) => expiresAt <= record.usedAt - NONCE_KEPT_MS)
      if (nonces.has(record.nonce)) return 'used'
      const own = [...nonces.values()].filter(
        ({ wallet, expiresAt }) => wallet === record.wallet && expiresAt > record.usedAt,
      )
      if (own.length >= MAX_USED_NONCES_PER_WALLET) return 'full'
      nonces.set(record.nonce, { ...record })
      return 'taken'
    },
    async sharedSecret(name) {
      const secret = secrets.get(name) ?? randomBytes(SECRET_BYTES)
      secrets.set(name, secret)
      return secret
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
    async addKeyOrder(record, { since, limit }) {
      orders = orders.filter(({ orderedAt }) => orderedAt >= since)
      const hasRoom = orders.filter(({ caller }) => caller === record.caller).length < limit
      if (hasRoom) orders.push(record)
      return hasRoom
    },
  }
}

function forget<T>(records: Map<string, T>, isOver: (record: T) => boolean): void {
  for (const [name, record] of records) if (isOver(record)) records.delete(name)
}
