import { describe, expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { createMemoryKeyStore } from '../keys/memory-key-store.js'
import { createKeyVerifier } from '../keys/verify-key.js'
import { createMemoryAccountStore } from './memory-account-store.js'
import type { Wallet } from './wallet.js'
import { createWalletKeys, KeyCapError, MAX_KEYS_PER_WALLET, MAX_ORDERS_PER_DAY } from './wallet-keys.js'

const ALICE: Wallet = 'eip155:0x00000000000000000000000000000000000000aa'
const BOB: Wallet = 'solana:4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const alice = { wallet: ALICE, ip: '192.0.2.1' }

function setUp() {
  const clock = createManualClock()
  const keyStore = createMemoryKeyStore()
  const walletKeys = createWalletKeys({ keyStore, accountStore: createMemoryAccountStore(), clock })
  return { clock, keyStore, walletKeys, verifier: createKeyVerifier({ store: keyStore, clock }) }
}

test('a key that was made works, is listed without itself, and stops working when it is revoked', async () => {
  const { clock, walletKeys, verifier } = setUp()
  const { key, record } = await walletKeys.create(alice, { label: 'my bot' })
  expect((await verifier.verify(key))?.wallet).toBe(ALICE)
  expect(JSON.stringify(await walletKeys.list(ALICE))).not.toContain(key)
  expect(await walletKeys.list(ALICE)).toHaveLength(1)
  expect(await walletKeys.revoke(ALICE, record.id)).toBe(true)
  clock.advance(999)
  expect(await verifier.verify(key)).toBeUndefined()
  expect(await walletKeys.list(ALICE)).toEqual([])
})

test('rotation puts a new key of the same kind in the place of the old one', async () => {
  const { clock, keyStore, walletKeys, verifier } = setUp()
  const old = await walletKeys.create(alice, { label: 'my bot' })
  const limits = { analysis: 70, general: 80 }
  await keyStore.update(old.record.id, { tier: 'partner', limits })
  const fresh = await walletKeys.rotate(alice, old.record.id)
  expect(fresh?.record).toMatchObject({ label: 'my bot', tier: 'partner', limits, wallet: ALICE })
  expect(fresh?.key).not.toBe(old.key)
  clock.advance(999)
  expect(await verifier.verify(old.key)).toBeUndefined()
  expect(await verifier.verify(fresh?.key ?? '')).toBeDefined()
  expect(await walletKeys.rotate(alice, old.record.id)).toBeUndefined()
})

describe("another wallet's key", () => {
  test('does not exist', async () => {
    const { walletKeys, verifier } = setUp()
    const { key, record } = await walletKeys.create(alice, { label: 'x' })
    expect(await walletKeys.list(BOB)).toEqual([])
    expect(await walletKeys.revoke(BOB, record.id)).toBe(false)
    expect(await walletKeys.rotate({ ...alice, wallet: BOB }, record.id)).toBeUndefined()
    expect(await verifier.verify(key)).toBeDefined()
  })

  test('nor does one of the operator', async () => {
    const { keyStore, walletKeys } = setUp()
    const { record } = await walletKeys.create(alice, { label: 'x' })
    await keyStore.insert({ ...record, id: 'key_operator', hash: 'h', wallet: undefined })
    expect(await walletKeys.revoke(ALICE, 'key_operator')).toBe(false)
    expect(await walletKeys.rotate(alice, 'key_operator')).toBeUndefined()
  })
})

describe('caps', () => {
  test('a wallet has so many keys and no more, also when it asks at the same time', async () => {
    const { walletKeys } = setUp()
    const attempts = Array.from({ length: MAX_KEYS_PER_WALLET + 3 }, (_, i) =>
      walletKeys.create(alice, { label: `key ${i}` }),
    )
    await Promise.allSettled(attempts)
    expect((await walletKeys.list(ALICE)).length).toBeLessThanOrEqual(MAX_KEYS_PER_WALLET)
    while ((await walletKeys.list(ALICE)).length < MAX_KEYS_PER_WALLET) await walletKeys.create(alice, { label: 'x' })
    await expect(walletKeys.create(alice, { label: 'one more' })).rejects.toThrow(KeyCapError)
    const [first] = await walletKeys.list(ALICE)
    await walletKeys.revoke(ALICE, first?.id ?? '')
    await expect(walletKeys.create(alice, { label: 'room again' })).resolves.toBeDefined()
  })

  test('an address orders so many a day, whatever the wallet, rotations included', async () => {
    const { clock, walletKeys } = setUp()
    const order = (i: number, ip: string) => walletKeys.create({ wallet: `solana:${i}`, ip }, { label: 'x' })
    const { record } = await order(0, '192.0.2.1')
    for (let i = 1; i < MAX_ORDERS_PER_DAY; i += 1) await order(i, '192.0.2.1')
    await expect(order(99, '192.0.2.1')).rejects.toMatchObject({ of: 'address' })
    await expect(walletKeys.rotate({ wallet: 'solana:0', ip: '192.0.2.1' }, record.id)).rejects.toThrow(KeyCapError)
    await expect(order(99, '192.0.2.2')).resolves.toBeDefined()
    clock.advance(25 * 60 * 60_000)
    await expect(order(100, '192.0.2.1')).resolves.toBeDefined()
  })

  test('a network orders ten times as many a day, whichever of its addresses they come from', async () => {
    const { walletKeys } = setUp()
    const order = (i: number, ip: string) => walletKeys.create({ wallet: `solana:${i}`, ip }, { label: 'x' })
    for (let i = 0; i < 10 * MAX_ORDERS_PER_DAY; i += 1) await order(i, `2001:db8:1:${i.toString(16)}::1`)
    await expect(order(999, '2001:db8:1:ffff::1')).rejects.toMatchObject({ of: 'address' })
    await expect(order(999, '2001:db8:2::1')).resolves.toBeDefined()
  })

  test('a label that is none takes nothing', async () => {
    const { walletKeys } = setUp()
    for (let i = 0; i < MAX_ORDERS_PER_DAY; i += 1) await walletKeys.create(alice, { label: '' }).catch(() => {})
    await expect(walletKeys.create(alice, { label: 'x' })).resolves.toBeDefined()
  })
})
