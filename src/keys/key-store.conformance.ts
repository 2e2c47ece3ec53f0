import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FREE_LIMITS, type KeyRecord } from './key-record.js'
import type { KeyStore } from './key-store.js'

export const sampleRecord = (overrides: Partial<KeyRecord> = {}): KeyRecord => ({
  id: 'key_a',
  hash: 'aa'.repeat(32),
  masked: 'assay_0****************************abcd',
  label: "Robert'); drop table api_keys;-- 🪙",
  wallet: undefined,
  tier: 'free',
  limits: FREE_LIMITS,
  createdAt: 1_767_225_600_000,
  lastUsedAt: undefined,
  origins: ['https://app.example', 'http://localhost:5173'],
  revokedAt: undefined,
  ...overrides,
})

/** What every key store promises, whatever it is made of. */
export function keyStoreConformance(name: string, create: () => Promise<KeyStore>) {
  describe(`${name}: key store`, () => {
    let store: KeyStore
    beforeEach(async () => {
      store = await create()
    })
    afterEach(() => store.close())

    test('finds a key by id and by hash, exactly as it was added', async () => {
      const record = sampleRecord({
        lastUsedAt: 1_767_225_600_123,
        tier: 'partner',
        limits: { analysis: 1, general: 10_000 },
      })
      await store.insert(record)
      expect(await store.find(record.id)).toEqual(record)
      expect(await store.findByHash(record.hash)).toEqual(record)
    })

    test('finds nothing where nothing is', async () => {
      expect(await store.find('key_a')).toBeUndefined()
      expect(await store.findByHash("' or 1=1 --")).toBeUndefined()
    })

    test('lists the oldest first', async () => {
      await store.insert(sampleRecord({ id: 'key_b', hash: 'bb', createdAt: 2 }))
      await store.insert(sampleRecord({ id: 'key_c', hash: 'cc', createdAt: 1 }))
      expect((await store.list()).map(({ id }) => id)).toEqual(['key_c', 'key_b'])
    })

    test("lists a wallet's own keys that still work, newest first", async () => {
      const mine = { wallet: 'eip155:0xa' }
      await store.insert(sampleRecord({ ...mine, id: 'key_1', hash: '1', createdAt: 1 }))
      await store.insert(sampleRecord({ ...mine, id: 'key_2', hash: '2', createdAt: 2 }))
      await store.insert(sampleRecord({ ...mine, id: 'key_3', hash: '3', createdAt: 3, revokedAt: 4 }))
      await store.insert(sampleRecord({ id: 'key_4', hash: '4', wallet: 'eip155:0xb' }))
      await store.insert(sampleRecord({ id: 'key_5', hash: '5' }))
      expect((await store.listOf('eip155:0xa')).map(({ id }) => id)).toEqual(['key_2', 'key_1'])
      expect(await store.listOf('eip155:0xc')).toEqual([])
    })

    test('replaces a key that works by another, and no other', async () => {
      const successor = sampleRecord({ id: 'key_b', hash: 'bb', createdAt: 9 })
      expect(await store.replace('key_a', successor)).toBe(false)
      expect(await store.find('key_b')).toBeUndefined()
      await store.insert(sampleRecord())
      expect(await store.replace('key_a', successor)).toBe(true)
      expect(await store.find('key_a')).toEqual(sampleRecord({ revokedAt: 9 }))
      expect(await store.find('key_b')).toEqual(successor)
      expect(await store.replace('key_a', sampleRecord({ id: 'key_c', hash: 'cc' }))).toBe(false)
      expect(await store.find('key_c')).toBeUndefined()
    })

    test('keeps the old key when its successor cannot be added', async () => {
      await store.insert(sampleRecord())
      await store.insert(sampleRecord({ id: 'key_b', hash: 'bb' }))
      await expect(store.replace('key_a', sampleRecord({ id: 'key_c', hash: 'bb' }))).rejects.toThrow()
      expect((await store.find('key_a'))?.revokedAt).toBeUndefined()
    })

    test('removes a key without a trace', async () => {
      await store.insert(sampleRecord())
      await store.remove('key_a')
      expect(await store.find('key_a')).toBeUndefined()
      await expect(store.remove('key_a')).resolves.toBeUndefined()
    })

    test('changes what it is told to change, and nothing else', async () => {
      await store.insert(sampleRecord())
      expect(await store.update('key_a', { tier: 'partner', limits: { analysis: 50, general: 60 } })).toBe(true)
      expect(await store.update('key_a', { revokedAt: 7 })).toBe(true)
      expect(await store.find('key_a')).toEqual(
        sampleRecord({ tier: 'partner', limits: { analysis: 50, general: 60 }, revokedAt: 7 }),
      )
    })

    test('says whether there was anything to change', async () => {
      expect(await store.update('key_a', { revokedAt: 1 })).toBe(false)
      expect(await store.update('key_a', {})).toBe(false)
    })

    test('records last uses, never an earlier one, and ignores unknown ids', async () => {
      await store.insert(sampleRecord())
      await store.touch(
        new Map([
          ['key_a', 200],
          ['key_gone', 1],
        ]),
      )
      await store.touch(new Map([['key_a', 100]]))
      expect((await store.find('key_a'))?.lastUsedAt).toBe(200)
      expect(await store.find('key_gone')).toBeUndefined()
    })

    test('hands out copies', async () => {
      await store.insert(sampleRecord())
      const record = await store.find('key_a')
      if (record !== undefined) record.revokedAt = 1
      expect((await store.find('key_a'))?.revokedAt).toBeUndefined()
    })

    test('answers a ping', async () => {
      await expect(store.ping()).resolves.toBeUndefined()
    })
  })
}
