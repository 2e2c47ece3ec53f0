import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, type Followed } from './outcome.js'
import { type FollowShares, OUTCOME_KEPT_MS, type OutcomeStore } from './outcome-store.js'

const NOW = 1_767_225_600_000
const SHARES: FollowShares = { sample: 2, sampleOfHour: 1, all: 4 }

export const followedOf = (number: number, overrides: Partial<Followed> = {}): Followed => ({
  ...{ chainId: 1, address: `0x${number.toString(16).padStart(40, '0')}`, origin: 'watch' },
  ...{ judgedAt: NOW + number, level: 'Low Risk', wasTrap: false },
  sight: { isTrap: false, sellTaxBps: 100, depth: 10n ** 30n, pool: { name: 'pool', tokens: 5n } },
  ...{ harm: undefined, harmAt: undefined, seen: { 7: undefined, 30: undefined } },
  ...overrides,
})

/** What every store of outcomes promises. */
export function outcomeStoreConformance(
  name: string,
  create: (options: undefined) => Promise<{ store: OutcomeStore; close(): Promise<void> }>,
) {
  describe(`${name}: store of outcomes`, () => {
    let store: OutcomeStore
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ store, close } = await create(undefined))
    })
    afterEach(() => close())

    const follow = (number: number, overrides?: Partial<Followed>) =>
      store.follow(followedOf(number, overrides), SHARES)

    test('a verdict comes back as it was given, and what was seen is written beside it', async () => {
      expect([await follow(1), await follow(1, { level: 'Safe' })]).toEqual([true, false])
      const known = followedOf(1)
      expect(await store.find(1, known.address)).toEqual(known)
      expect(await store.find(56, known.address)).toBeUndefined()
      const seen: Followed = { ...known, harm: 'shut', harmAt: NOW + DAY_MS, seen: { 7: 'shut', 30: undefined } }
      await store.write(seen, NOW + 30 * DAY_MS)
      expect(await store.find(1, known.address)).toEqual(seen)
      expect(await store.list(10)).toEqual([seen])
    })

    test('the sample has its share, at a time and in an hour; watched tokens have the rest', async () => {
      const sample = { origin: 'sample' } as const
      expect(await follow(1, sample)).toBe(true)
      expect(await follow(2, sample)).toBe(false)
      expect(await follow(3, { ...sample, judgedAt: NOW + 2 * 3_600_000 })).toBe(true)
      expect(await follow(4, { ...sample, judgedAt: NOW + 4 * 3_600_000 })).toBe(false)
      expect([await follow(5), await follow(6), await follow(7)]).toEqual([true, true, false])
    })

    test('what is due is given to one process at a time, again after its lease', async () => {
      await follow(1)
      await follow(2)
      const at = NOW + 8 * DAY_MS
      expect(await store.claimDue({ now: NOW, leaseMs: 10 })).toBeUndefined()
      expect((await store.claimDue({ now: at, leaseMs: 10 }))?.judgedAt).toBe(NOW + 1)
      expect((await store.claimDue({ now: at, leaseMs: 10 }))?.judgedAt).toBe(NOW + 2)
      expect(await store.claimDue({ now: at, leaseMs: 10 })).toBeUndefined()
      expect((await store.claimDue({ now: at + 10, leaseMs: 10 }))?.judgedAt).toBe(NOW + 1)
      await store.postpone(followedOf(1), at + DAY_MS)
      await store.write(followedOf(2), undefined)
      expect(await store.claimDue({ now: at + 20, leaseMs: 10 })).toBeUndefined()
      expect((await store.claimDue({ now: at + DAY_MS, leaseMs: 10 }))?.judgedAt).toBe(NOW + 1)
    })

    test('verdicts are counted by word and outcome', async () => {
      const over = { seen: { 7: 'fine', 30: 'unknown' } } as const
      for (const each of [1, 2]) await follow(each, over)
      await follow(3, { level: 'Critical Risk', wasTrap: true })
      const counts = await store.count()
      expect(counts.toSorted((a, b) => b.count - a.count)).toEqual([
        { level: 'Low Risk', wasTrap: false, ...over, count: 2 },
        { level: 'Critical Risk', wasTrap: true, seen: { 7: undefined, 30: undefined }, count: 1 },
      ])
    })

    test('old verdicts are forgotten', async () => {
      await follow(1)
      await follow(20)
      await store.forgetOld(NOW + 10 + OUTCOME_KEPT_MS)
      expect((await store.list(10)).map(({ judgedAt }) => judgedAt)).toEqual([NOW + 20])
    })
  })
}
