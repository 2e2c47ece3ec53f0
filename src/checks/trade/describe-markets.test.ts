import { expect, test } from 'vitest'
import type { Venue } from '../../dex/venue.js'
import type { Market } from '../../dex/venues.js'
import { toPaddedHex } from '../../hex.js'
import { describeMarkets } from './describe-markets.js'

const market = (depth: bigint): Market => ({
  venue: {} as Venue,
  depth,
  pool: {
    ...{ venue: 'Uniswap V2', address: toPaddedHex(depth, 20), token: toPaddedHex(1n, 20), quote: toPaddedHex(2n, 20) },
    ...{ quoteReserve: depth, tokenReserve: depth },
  },
})
const many = Array.from({ length: 40 }, (_, i) => market(BigInt(100 - i)))

test('a token with more pools than are listed shows the deepest, and counts the depth of all', () => {
  const { pools, omitted, depth } = describeMarkets(many[0] as Market, many)
  expect(pools).toHaveLength(12)
  expect(pools[0]).toMatchObject({ depth: 100n, isJudged: true })
  expect(omitted).toBe(28)
  expect(depth).toBe(many.reduce((sum, each) => sum + each.depth, 0n))
})

test('the judged pool is listed, however shallow it is', () => {
  const { pools, omitted } = describeMarkets(many[39] as Market, many)
  expect(pools).toHaveLength(12)
  expect(pools.at(-1)).toMatchObject({ depth: 61n, isJudged: true })
  expect(pools.filter(({ isJudged }) => isJudged)).toHaveLength(1)
  expect(omitted).toBe(28)
})
