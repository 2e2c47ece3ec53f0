import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Address, Hex } from '../hex.js'
import { type FamilyMember, MEMBER_KEPT_MS } from './family-member.js'
import type { FamilyStore } from './family-store.js'
import type { FamilyShares } from './sql-family-store.js'

const NOW = 1_767_225_600_000
const CODE: Hex = `0x${'c0'.repeat(32)}`
const OTHER: Hex = `0x${'c1'.repeat(32)}`
/** Shares that a few tokens fill. */
const SHARES: FamilyShares = { ofCode: 3, members: 8, sources: 1 }

export const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`

export const memberOf = (number: number, overrides: Partial<FamilyMember> = {}): FamilyMember => ({
  ...{ chainId: 1, address: addressOf(number), code: CODE, behaviour: 'tame', traits: ['sell tax none'] },
  ...{ creator: addressOf(0xaa), firstAt: NOW + number, lastAt: NOW + number },
  ...{ firstLevel: 'Safe', lastLevel: 'Safe', isHostile: false, isTurned: false },
  ...overrides,
})

const hostile = { lastLevel: 'Critical Risk', isHostile: true, behaviour: 'wild' } as const

/** What every store of families promises. */
export function familyStoreConformance(
  name: string,
  create: (shares: FamilyShares) => Promise<{ store: FamilyStore; close(): Promise<void> }>,
) {
  describe(`${name}: store of families`, () => {
    let store: FamilyStore
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ store, close } = await create(SHARES))
    })
    afterEach(() => close())

    const readFor = (number: number, behaviour = 'tame') =>
      store.read({ chainId: 1, address: addressOf(number), code: CODE, behaviour })

    test('a token comes back as it was remembered', async () => {
      const member = memberOf(1, { traits: ['power mints account', 'sell tax none'] })
      await store.record(member)
      await store.record(memberOf(2, { creator: undefined, traits: [] }))
      expect(await store.list(10)).toEqual([memberOf(2, { creator: undefined, traits: [] }), member])
      expect(await store.list(1)).toHaveLength(1)
    })

    test('the family of a token is all others of its code, those that behave alike apart', async () => {
      for (const each of [1, 2]) await store.record(memberOf(each))
      await store.record(memberOf(3, { ...hostile, creator: addressOf(0xbb) }))
      await store.record(memberOf(4, { code: OTHER, isHostile: true }))
      expect(await readFor(1)).toEqual({
        ...{ code: CODE, copies: 2, hostile: 1, turned: 0, isMore: false },
        alike: { copies: 1, hostile: 0, turned: 0 },
        ...{ creatorsOfHostile: 1, since: NOW + 2, imported: [] },
      })
      expect((await readFor(9, 'wild')).alike).toEqual({ copies: 1, hostile: 1, turned: 0 })
      // The same address on another chain is another token.
      expect(await store.read({ chainId: 56, address: addressOf(1), code: CODE, behaviour: undefined })).toMatchObject({
        copies: 3,
        alike: { copies: 0 },
      })
    })

    test('a token that was judged again counts once, and what turned hostile is not forgiven', async () => {
      await store.record(memberOf(1))
      await store.record(memberOf(1, { ...hostile, lastAt: NOW + 50, firstAt: NOW + 50, creator: undefined }))
      await store.record(memberOf(1, { lastAt: NOW + 60 }))
      expect(await readFor(2)).toMatchObject({ copies: 1, hostile: 1, turned: 1, since: NOW + 1, creatorsOfHostile: 1 })
      expect(await store.count()).toEqual({ copies: 1, hostile: 1, turned: 1, codes: 1 })
    })

    test('a token that was hostile from the first did not turn', async () => {
      await store.record(memberOf(1, hostile))
      await store.record(memberOf(1, hostile))
      expect(await readFor(2)).toMatchObject({ hostile: 1, turned: 0 })
    })

    test('a flood of honest copies pushes out no hostile one, and the other way round', async () => {
      for (const each of [1, 2]) await store.record(memberOf(each, hostile))
      for (const each of [11, 12, 13, 14, 15]) await store.record(memberOf(each))
      expect(await readFor(99)).toMatchObject({ copies: 5, hostile: 2, isMore: true })
      for (const each of [21, 22, 23, 24]) await store.record(memberOf(each, hostile))
      expect(await readFor(99)).toMatchObject({ copies: 6, hostile: 3, isMore: true })
    })

    test('where there is no room, the code with most gives its oldest', async () => {
      for (const each of [1, 2, 3]) await store.record(memberOf(each))
      for (const each of [4, 5, 6]) await store.record(memberOf(each, hostile))
      for (const each of [7, 8, 9]) await store.record(memberOf(each, { code: OTHER }))
      await store.forgetOld(NOW + 100)
      expect((await store.list(20)).map(({ address }) => Number(address))).toEqual([9, 8, 7, 6, 5, 4, 3, 2])
    })

    test('what was not judged for a year is forgotten', async () => {
      for (const each of [1, 20]) await store.record(memberOf(each))
      await store.forgetOld(NOW + 10 + MEMBER_KEPT_MS)
      expect((await store.list(20)).map(({ address }) => Number(address))).toEqual([20])
    })

    test('what others told stands apart, and of a token that was judged here only that counts', async () => {
      await store.record(memberOf(1))
      const members = [memberOf(1, hostile), memberOf(2, hostile), memberOf(3)]
      expect(await store.replaceSource('k1', { madeAt: NOW, members })).toBeUndefined()
      const family = await readFor(9)
      expect(family).toMatchObject({ copies: 1, hostile: 0 })
      expect(family.imported).toEqual([{ keyId: 'k1', copies: 2, hostile: 1, turned: 0 }])
      expect(await store.list(10)).toHaveLength(1)
    })

    test('a newer file takes the place of the one before, an older one and one source too many are refused', async () => {
      await store.replaceSource('k1', { madeAt: NOW, members: [memberOf(1), memberOf(2)] })
      expect(await store.replaceSource('k1', { madeAt: NOW - 1, members: [] })).toBe('older')
      expect(await store.replaceSource('k2', { madeAt: NOW, members: [] })).toBe('sources')
      await store.replaceSource('k1', { madeAt: NOW + 1, members: [memberOf(3)] })
      expect(await store.listSources()).toEqual([{ keyId: 'k1', madeAt: NOW + 1, members: 1 }])
      expect((await readFor(9)).imported).toEqual([{ keyId: 'k1', copies: 1, hostile: 0, turned: 0 }])
      expect([await store.removeSource('k1'), await store.removeSource('k1')]).toEqual([true, false])
      expect((await readFor(9)).imported).toEqual([])
    })

    test('no source passes for the own memory', async () => {
      await store.record(memberOf(1))
      await expect(store.replaceSource('', { madeAt: NOW, members: [] })).rejects.toThrow(RangeError)
      await expect(store.removeSource('')).rejects.toThrow(RangeError)
      expect(await store.list(10)).toHaveLength(1)
    })

    test('a large file is taken whole', async () => {
      const members = Array.from({ length: 123 }, (_, i) => memberOf(i + 1))
      await store.replaceSource('k1', { madeAt: NOW, members })
      expect((await readFor(999)).imported).toMatchObject([{ copies: 123 }])
    })
  })
}
