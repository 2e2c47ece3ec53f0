import type { Market } from '../../dex/venues.js'
import type { SeededRandom } from '../../simulation/random.js'

/**
 * Half a percent of the pool moves its price by about one: enough to be real, too little to
 * distort.
 */
const POOL_SHARE_BPS = 50n
const FULL_BPS = 10_000n
/** A tenth of a native coin: what an ordinary person tries. */
const ORDINARY_AMOUNT = 10n ** 17n
/**
 * Below a millionth of a coin, rounding would look like tax. Pools that shallow are still tried.
 */
const LEAST_AMOUNT = 10n ** 12n

/** An amount of native coin (wei) that suits the pool and that only this trader would think of. */
export function tradeAmount({ depth }: Market, random: SeededRandom): bigint {
  const share = (depth * POOL_SHARE_BPS) / FULL_BPS
  const most = share < ORDINARY_AMOUNT ? share : ORDINARY_AMOUNT
  const amount = (most * random.between('amount share', 6_000n, 9_999n)) / FULL_BPS
  return (amount > LEAST_AMOUNT ? amount : LEAST_AMOUNT) + random.between('amount odds', 1n, 999_983n)
}
