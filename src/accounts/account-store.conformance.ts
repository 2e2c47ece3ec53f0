import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type AccountStore,
  MAX_SESSIONS_PER_WALLET,
  MAX_USED_NONCES_PER_WALLET,
  NONCE_KEPT_MS,
  SECRET_BYTES,
  type SessionRecord,
  type UsedNonceRecord,
} from './account-store.js'

const NOW = 1_767_225_600_000

const sampleNonce = (overrides: Partial<UsedNonceRecord> = {}): UsedNonceRecord => ({
  nonce: 'a'.repeat(60),
  wallet: 'eip155:0x00000000000000000000000000000000000000aa',
  usedAt: NOW,
  expiresAt: NOW + 300_000,
  ...overrides,
})

const sampleSession = (overrides: Partial<SessionRecord> = {}): SessionRecord => ({
  hash: 'aa'.repeat(32),
  wallet: 'eip155:0x00000000000000000000000000000000000000aa',
  createdAt: NOW,
  expiresAt: NOW + 1_000,
  ...overrides,
})

export interface OpenAccountStore {
  store: AccountStore
  close(): Promise<void>
}

/** What every account store promises, whatever it is made of. */
export function accountStoreConformance(name: string, create: () => Promise<OpenAccountStore>) {
  describe(`${name}: account store`, () => {
    let store: AccountStore
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ store, close } = await create())
    })
    afterEach(() => close())

    test('takes a nonce once, from whichever wallet it comes', async () => {
      expect(await store.spendNonce(sampleNonce())).toBe('taken')
      expect(await store.spendNonce(sampleNonce())).toBe('used')
      expect(await store.spendNonce(sampleNonce({ wallet: 'solana:x' }))).toBe('used')
      expect(await store.spendNonce(sampleNonce({ nonce: "' or 1=1 --" }))).toBe('taken')
    })

    test('takes it from one of many who come at the same time', async () => {
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => store.spendNonce(sampleNonce())))
      expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1)
    })

    test('remembers a nonce for a day after its time, and forgets it then', async () => {
      await store.spendNonce(sampleNonce({ expiresAt: NOW + 10 }))
      const again = (usedAt: number) => store.spendNonce(sampleNonce({ usedAt, expiresAt: usedAt + 10 }))
      expect(await again(NOW + 9)).toBe('used')
      expect(await again(NOW + 10 + NONCE_KEPT_MS)).toBe('taken')
    })

    test('38: a clock that ran ahead and was set right makes no used nonce good again', async () => {
      await store.spendNonce(sampleNonce())
      const ahead = NOW + 2 * 3_600_000
      const later = { nonce: 'b'.repeat(60), wallet: 'solana:x', usedAt: ahead, expiresAt: ahead + 300_000 }
      expect(await store.spendNonce(sampleNonce(later))).toBe('taken')
      expect(await store.spendNonce(sampleNonce())).toBe('used')
    })

    test('takes so many of one wallet, and those of others all the same', async () => {
      const spend = (i: number, more: Partial<UsedNonceRecord> = {}) =>
        store.spendNonce(sampleNonce({ nonce: `n${i}`, ...more }))
      for (let i = 0; i < MAX_USED_NONCES_PER_WALLET; i += 1) expect(await spend(i)).toBe('taken')
      expect(await spend(100)).toBe('full')
      expect(await spend(100, { wallet: 'solana:x' })).toBe('taken')
      expect(await spend(101, { usedAt: NOW + 300_000, expiresAt: NOW + 600_000 })).toBe('taken')
    })

    test('makes a secret once, another for each name', async () => {
      const asked = await Promise.all(['a', 'a', 'b'].map((name) => store.sharedSecret(name)))
      const [first, second, other] = asked.map((secret) => secret.toString('hex'))
      expect(first).toHaveLength(2 * SECRET_BYTES)
      expect(second).toBe(first)
      expect(other).not.toBe(first)
      expect((await store.sharedSecret('a')).toString('hex')).toBe(first)
    })

    test('finds a session until it is removed', async () => {
      await store.addSession(sampleSession())
      expect(await store.findSession(sampleSession().hash)).toEqual(sampleSession())
      await store.removeSession(sampleSession().hash)
      expect(await store.findSession(sampleSession().hash)).toBeUndefined()
      await expect(store.removeSession(sampleSession().hash)).resolves.toBeUndefined()
    })

    test('forgets sessions that are over when another begins', async () => {
      await store.addSession(sampleSession({ hash: 'old' }))
      await store.addSession(
        sampleSession({ hash: 'young', wallet: 'solana:x', createdAt: NOW + 1_000, expiresAt: NOW + 2_000 }),
      )
      expect(await store.findSession('old')).toBeUndefined()
      expect(await store.findSession('young')).toBeDefined()
    })

    test('keeps the newest sessions of a wallet, and those of others', async () => {
      const at = (i: number, wallet: string) =>
        store.addSession(sampleSession({ hash: `${wallet}${i}`, wallet, createdAt: NOW + i, expiresAt: NOW + 9_999 }))
      await at(0, 'other')
      for (let i = 0; i <= MAX_SESSIONS_PER_WALLET; i += 1) await at(i, 'mine')
      expect(await store.findSession('mine0')).toBeUndefined()
      expect(await store.findSession('mine1')).toBeDefined()
      expect(await store.findSession(`mine${MAX_SESSIONS_PER_WALLET}`)).toBeDefined()
      expect(await store.findSession('other0')).toBeDefined()
    })

    test('takes so many orders of a caller in a time, and those that were refused do not count', async () => {
      const order = (id: string, caller: string, orderedAt: number) =>
        store.addKeyOrder({ id, caller, orderedAt }, { since: orderedAt - 100, limit: 2 })
      expect(await order('1', 'a', NOW)).toBe(true)
      expect(await order('2', 'b', NOW)).toBe(true)
      expect(await order('3', 'a', NOW + 100)).toBe(true)
      expect(await order('4', 'a', NOW + 100)).toBe(false)
      expect(await order('5', 'a', NOW + 101)).toBe(true)
      expect(await order('6', 'a', NOW + 101)).toBe(false)
    })

    test('of orders at the same time never takes one too many', async () => {
      const orders = Array.from({ length: 8 }, (_, i) => ({ id: `o${i}`, caller: 'a', orderedAt: NOW }))
      const bound = { since: NOW - 1, limit: 3 }
      const taken = await Promise.all(orders.map((order) => store.addKeyOrder(order, bound)))
      expect(taken.filter((isTaken) => isTaken).length).toBeLessThanOrEqual(bound.limit)
    })
  })
}
