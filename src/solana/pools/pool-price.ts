import { type SolanaAccount, viewOf } from '../account.js'
import { PUMP_CURVE } from './layouts.js'
import type { Pool } from './pool.js'

/** Base units of both sides that are worth the same in a pool. */
export interface PoolPrice {
  token: bigint
  quote: bigint
}

/**
 * What a pool charges before fees, by its own account: by its reserves, by the root of the price
 * that concentrated pools keep, by the bin that is traded in, by what a launch curve reckons with.
 * `undefined` where that is no number. `side`: the token's.
 */
export function priceOf(
  { venue, liquidity }: Pool,
  account: SolanaAccount | undefined,
  { side, reserves }: { side: 0 | 1; reserves: { token: bigint | undefined; quote: bigint | undefined } },
): PoolPrice | undefined {
  const data = account?.data
  if (data === undefined) return undefined
  if (liquidity.kind === 'curve') {
    return positive({ token: viewOf(data).getBigUint64(VIRTUAL_TOKENS_AT, true), quote: PUMP_CURVE.virtualQuote(data) })
  }
  if (liquidity.kind === 'lp-token') return positive({ token: reserves.token ?? 0n, quote: reserves.quote ?? 0n })
  // Of the first mint in the second: so many of the one for so many of the other.
  const [first, second] = venue === 'meteora-dlmm' ? ofBin(data) : ofRoot(rootOf({ venue, liquidity }, data))
  return positive(side === 0 ? { token: first, quote: second } : { token: second, quote: first })
}

const positive = (price: PoolPrice) => (price.token > 0n && price.quote > 0n ? price : undefined)

const VIRTUAL_TOKENS_AT = 8
/** cp-amm `Pool.sqrt_price`. */
const DAMM_ROOT_AT = 456
/** dlmm `LbPair.active_id` and `bin_step`. */
const ACTIVE_BIN_AT = 76
const BIN_STEP_AT = 80
const ONE = 2n ** 128n

function rootOf({ venue, liquidity }: Pick<Pool, 'venue' | 'liquidity'>, data: Uint8Array): bigint {
  if (liquidity.kind === 'positions') return liquidity.sqrtPrice ?? 0n
  if (venue !== 'meteora-damm-v2') return 0n
  const view = viewOf(data)
  return view.getBigUint64(DAMM_ROOT_AT, true) + (view.getBigUint64(DAMM_ROOT_AT + 8, true) << 64n)
}

const ofRoot = (root: bigint) => [ONE, root * root] as const

function ofBin(data: Uint8Array): readonly [bigint, bigint] {
  const view = viewOf(data)
  const price = (1 + view.getUint16(BIN_STEP_AT, true) / 10_000) ** view.getInt32(ACTIVE_BIN_AT, true)
  if (!(price > 0) || !Number.isFinite(price) || !Number.isFinite(1 / price)) return [0n, 0n]
  return price >= 1 ? [EVEN, scaled(price)] : [scaled(1 / price), EVEN]
}

const EVEN = 2n ** 32n
const scaled = (price: number) => BigInt(Math.round(Math.min(price, 2 ** 90) * 2 ** 32))
