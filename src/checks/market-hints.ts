import type { V4PoolKey } from '../dex/v4-pool-key.js'
import type { Address } from '../hex.js'

/**
 * What logs tell about where a token may be traded, when it is not where tokens usually are. Plain
 * data.
 */
export interface MarketHints {
  /** Of pools that were opened for it on Uniswap V4. */
  poolKeys: readonly V4PoolKey[]
  /** Who received or sent it lately, the most active first. */
  parties: readonly Address[]
}
