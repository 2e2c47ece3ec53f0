import { describe, expect, test } from 'vitest'
import { viewOf } from '../account.js'
import { addressAt } from '../address.js'
import type { Pool, PoolLiquidity, VenueId } from './pool.js'
import { priceOf } from './pool-price.js'

const key = (byte: number) => addressAt(new Uint8Array(32).fill(byte))
const pool = (venue: VenueId, liquidity: PoolLiquidity): Pool => ({
  ...{ venue, liquidity, address: key(1), program: key(2), vaultOwner: key(1), status: 'open' },
  ...{ mints: [key(3), key(4)], vaults: [key(5), key(6)] },
})
const accountOf = (write: (view: DataView) => void) => {
  const data = new Uint8Array(1_200)
  write(viewOf(data))
  return { lamports: 1n, owner: key(2), executable: false, data }
}
const EMPTY = accountOf(() => {})
const reserves = { token: 400n, quote: 100n }
/** Of the quote for one of the token. */
const ratioOf = (price: ReturnType<typeof priceOf>) => price && Number(price.quote) / Number(price.token)

describe('what a pool charges', () => {
  test.each<[string, Pool, ReturnType<typeof accountOf>, 0 | 1, number | undefined]>([
    ['by its reserves', pool('raydium-cpmm', { kind: 'lp-token', mint: key(7), issued: 1n }), EMPTY, 0, 0.25],
    ['by the root of its price', pool('orca-whirlpool', { kind: 'positions', sqrtPrice: 2n ** 65n }), EMPTY, 0, 4],
    [
      'by that root, seen from the other side',
      pool('raydium-clmm', { kind: 'positions', sqrtPrice: 2n ** 65n }),
      EMPTY,
      1,
      0.25,
    ],
    [
      'by the root that DAMM v2 keeps',
      pool('meteora-damm-v2', { kind: 'shares', total: 1n, locked: 0n }),
      accountOf((view) => view.setBigUint64(456 + 8, 3n, true)),
      ...([0, 9] as const),
    ],
    [
      'by the bin that is traded in',
      pool('meteora-dlmm', { kind: 'positions' }),
      accountOf((view) => {
        view.setInt32(76, -2, true)
        view.setUint16(80, 10_000, true)
      }),
      ...([0, 0.25] as const),
    ],
    [
      'by what a curve reckons with',
      pool('pump-curve', { kind: 'curve' }),
      accountOf((view) => {
        view.setBigUint64(8, 1_000n, true)
        view.setBigUint64(16, 30n, true)
      }),
      ...([0, 0.03] as const),
    ],
    ['by nothing', pool('orca-whirlpool', { kind: 'positions', sqrtPrice: 0n }), EMPTY, 0, undefined],
  ])('%s', (_, each, account, side, expected) => {
    const told = ratioOf(priceOf(each, account, { side, reserves }))
    if (expected === undefined) expect(told).toBeUndefined()
    else expect(told).toBeCloseTo(expected, 6)
  })

  test('bins beyond all numbers have no price', () => {
    const account = accountOf((view) => {
      view.setInt32(76, -2_000_000_000, true)
      view.setUint16(80, 65_535, true)
    })
    expect(priceOf(pool('meteora-dlmm', { kind: 'positions' }), account, { side: 0, reserves })).toBeUndefined()
  })
})
