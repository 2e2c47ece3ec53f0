import { describe, expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { InvalidLabelError, issueKey } from './issue.js'
import { createMemoryKeyStore } from './memory-key-store.js'
import { revokeKey } from './revoke.js'
import { setTier } from './tier.js'
import { createKeyVerifier } from './verify-key.js'

const setUp = () => {
  const clock = createManualClock()
  const store = createMemoryKeyStore()
  return { clock, store, verifier: createKeyVerifier({ store, clock }) }
}

describe('issueKey', () => {
  test('stores everything but the key', async () => {
    const { clock, store } = setUp()
    const { key, record } = await issueKey({ store, clock }, { label: ' my bot ', tier: 'free' })
    const stored = await store.find(record.id)
    expect(stored).toMatchObject({ label: 'my bot', tier: 'free', limits: { analysis: 10, general: 30 } })
    expect(JSON.stringify(stored)).not.toContain(key)
  })

  test('gives a partner its own limits', async () => {
    const order = { label: 'x', tier: 'partner', limits: { analysis: 600 } } as const
    const { record } = await issueKey(setUp(), order)
    expect(record.limits).toEqual({ analysis: 600, general: 300 })
  })

  test.each([0, -1, 1.5, Number.NaN, 10_001])('refuses %d as a limit', async (analysis) => {
    await expect(issueKey(setUp(), { label: 'x', tier: 'partner', limits: { analysis } })).rejects.toThrow(RangeError)
  })

  test.each(['', '   ', 'a\nb', 'a\u001b[31m', 'a\u202eb', 'a\ud800', 'x'.repeat(101)])(
    'refuses %j as a label',
    async (label) => {
      await expect(issueKey(setUp(), { label, tier: 'free' })).rejects.toThrow(InvalidLabelError)
    },
  )
})

describe('verify', () => {
  test('knows a key that was issued, and no other', async () => {
    const { clock, store, verifier } = setUp()
    const { key, record } = await issueKey({ store, clock }, { label: 'x', tier: 'free' })
    expect((await verifier.verify(key))?.id).toBe(record.id)
    expect(await verifier.verify(`${key}x`)).toBeUndefined()
    expect(await verifier.verify('')).toBeUndefined()
    expect(await verifier.verify("' or 1=1 --")).toBeUndefined()
    expect(await verifier.verify(record.hash)).toBeUndefined()
  })

  test('6: refuses a revoked key within the second, by whichever process it was revoked', async () => {
    const { clock, store, verifier } = setUp()
    const { key, record } = await issueKey({ store, clock }, { label: 'x', tier: 'free' })
    await verifier.verify(key)
    await revokeKey({ store, clock }, record.id)
    clock.advance(999)
    expect(await verifier.verify(key)).toBeUndefined()
  })

  test('asks the store once for a key in constant use, and again after half a second', async () => {
    const { clock, store } = setUp()
    let lookups = 0
    const findByHash = (hash: string) => {
      lookups += 1
      return store.findByHash(hash)
    }
    const counting = { ...store, findByHash }
    const verifier = createKeyVerifier({ store: counting, clock })
    const { key } = await issueKey({ store, clock }, { label: 'x', tier: 'free' })
    for (let i = 0; i < 10; i += 1) await verifier.verify(key)
    expect(lookups).toBe(1)
    clock.advance(500)
    await verifier.verify(key)
    expect(lookups).toBe(2)
  })

  test('records the last use when told to write it down, and keeps it when that fails', async () => {
    const { clock, store } = setUp()
    let isBroken = true
    const flaky = {
      ...store,
      touch: (uses: ReadonlyMap<string, number>) =>
        isBroken ? Promise.reject(new Error('disk full')) : store.touch(uses),
    }
    const verifier = createKeyVerifier({ store: flaky, clock })
    const { key, record } = await issueKey({ store, clock }, { label: 'x', tier: 'free' })
    clock.advance(5_000)
    await verifier.verify(key)
    await expect(verifier.flush()).rejects.toThrow('disk full')
    isBroken = false
    await verifier.flush()
    expect((await store.find(record.id))?.lastUsedAt).toBe(clock.now())
  })
})

describe('revokeKey', () => {
  test('takes the id or the key itself, and says which key it was', async () => {
    const { clock, store } = setUp()
    const first = await issueKey({ store, clock }, { label: 'x', tier: 'free' })
    const second = await issueKey({ store, clock }, { label: 'y', tier: 'free' })
    expect(await revokeKey({ store, clock }, first.record.id)).toBe(first.record.id)
    expect(await revokeKey({ store, clock }, second.key)).toBe(second.record.id)
    expect((await store.list()).every(({ revokedAt }) => revokedAt === clock.now())).toBe(true)
  })

  test('keeps the time of the first revocation', async () => {
    const { clock, store } = setUp()
    const { record } = await issueKey({ store, clock }, { label: 'x', tier: 'free' })
    await revokeKey({ store, clock }, record.id)
    const revokedAt = clock.now()
    clock.advance(1_000)
    await revokeKey({ store, clock }, record.id)
    expect((await store.find(record.id))?.revokedAt).toBe(revokedAt)
  })

  test('says when there is no such key', async () => {
    expect(await revokeKey(setUp(), 'key_none')).toBeUndefined()
  })
})

describe('setTier', () => {
  test('changes the limits with the tier, there and back', async () => {
    const { clock, store } = setUp()
    const { record } = await issueKey({ store, clock }, { label: 'x', tier: 'free' })
    expect(await setTier(store, record.id, { tier: 'partner', limits: { analysis: 77 } })).toEqual({
      analysis: 77,
      general: 300,
    })
    expect((await store.find(record.id))?.limits).toEqual({ analysis: 77, general: 300 })
    expect(await setTier(store, record.id, { tier: 'free' })).toEqual({ analysis: 10, general: 30 })
  })

  test('says when there is no such key', async () => {
    expect(await setTier(setUp().store, 'key_none', { tier: 'free' })).toBeUndefined()
  })
})
