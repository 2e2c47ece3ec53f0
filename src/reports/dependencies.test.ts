import { expect, test } from 'vitest'
import type { LiquidityReport } from '../checks/liquidity/liquidity-report.js'
import type { Assessment } from './assess.js'
import { dependenciesOf } from './dependencies.js'

const [SOON, LATE] = [1_800_000_000, 1_900_000_000]

/** A judged trade of which only the locks on liquidity are told. */
const judged = (unlocks: LiquidityReport['unlocks'] | undefined) =>
  ({
    honeypot: {
      dependencies: { words: [], codes: [], isTruncated: false },
      liquidity: unlocks && { unlocks },
    },
  }) as unknown as Assessment

test.each([
  ['a lock on most of it', [{ timestamp: SOON, shareBps: 9_000 }], SOON],
  [
    'the first of two',
    [
      { timestamp: LATE, shareBps: 5_000 },
      { timestamp: SOON, shareBps: 4_000 },
    ],
    SOON,
  ],
  [
    'no lock on crumbs',
    [
      { timestamp: SOON, shareBps: 999 },
      { timestamp: LATE, shareBps: 1_000 },
    ],
    LATE,
  ],
  ['no lock', [], undefined],
  ['what was not measured', undefined, undefined],
])('the date at which liquidity comes out of %s is known', (_, unlocks, at) => {
  expect(dependenciesOf(judged(unlocks))?.nextUnlock).toBe(at)
})
