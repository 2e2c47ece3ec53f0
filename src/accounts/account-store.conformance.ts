import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AccountStore, MAX_SESSIONS_PER_WALLET, type NonceRecord, type SessionRecord } from './account-store.js'

const NOW = 1_767_225_600_000

const sampleNonce = (overrides: Partial<NonceRecord> = {}): NonceRecord => ({
  nonce: 'a'.repeat(32),
  origin: 'https://assay.example',
  chain: '1',
  issuedAt: NOW,
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

export const CONFORMANCE_MAX_NONCES = 3

export interface OpenAccountStore {
  /** Takes {@link CONFORMANCE_MAX_NONCES} nonces. */
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

    test('gives a nonce back once, exactly as it was added', async () => {
      expect(await store.addNonce(sampleNonce())).toBe(true)
      expect(await store.takeNonce(sampleNonce().nonce)).toEqual(sampleNonce())
      expect(await store.takeNonce(sampleNonce().nonce)).toBeUndefined()
    })

    test('gives a nonce for any chain back', async () => {
      await store.addNonce(sampleNonce({ chain: undefined }))
      expect((await store.takeNonce(sampleNonce().nonce))?.chain).toBeUndefined()
    })

    test('gives it to one of many who ask at the same time', async () => {
      await store.addNonce(sampleNonce())
      const answers = await Promise.all(Array.from({ length: 8 }, () => store.takeNonce(sampleNonce().nonce)))
      expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1)
    })

    test('knows no nonce that it did not get', async () => {
      expect(await store.takeNonce("' or 1=1 --")).toBeUndefined()
    })

    test('takes no more nonces than it may, until some are past their time', async () => {
      for (let i = 0; i < CONFORMANCE_MAX_NONCES; i += 1) {
        expect(await store.addNonce(sampleNonce({ nonce: `nonce${i}`, expiresAt: NOW + 10 + i }))).toBe(true)
      }
      expect(await store.addNonce(sampleNonce({ nonce: 'more', issuedAt: NOW + 9 }))).toBe(false)
      expect(await store.takeNonce('more')).toBeUndefined()
      expect(await store.addNonce(sampleNonce({ nonce: 'more', issuedAt: NOW + 10 }))).toBe(true)
      expect(await store.takeNonce('nonce0')).toBeUndefined()
      expect(await store.takeNonce('nonce1')).toBeDefined()
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

    test("counts a caller's orders of a time, itself included", async () => {
      const order = (id: string, caller: string, orderedAt: number) =>
        store.addKeyOrder({ id, caller, orderedAt }, orderedAt - 100)
      expect(await order('1', 'a', NOW)).toBe(1)
      expect(await order('2', 'b', NOW)).toBe(1)
      expect(await order('3', 'a', NOW + 100)).toBe(2)
      expect(await order('4', 'a', NOW + 101)).toBe(2)
    })

    test('never counts two orders at the same time as one', async () => {
      const counts = await Promise.all(
        Array.from({ length: 8 }, (_, i) => store.addKeyOrder({ id: `o${i}`, caller: 'a', orderedAt: NOW }, NOW - 1)),
      )
      expect(Math.max(...counts)).toBe(8)
    })
  })
}
