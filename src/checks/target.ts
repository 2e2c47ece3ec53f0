import type { Chain } from '../chains/chain.js'
import type { Address } from '../hex.js'

/** What one analysis is about. */
export interface AnalysisTarget {
  chain: Chain
  address: Address
  /** Replay at this height instead of the head. */
  blockNumber?: bigint
  /** The pool to judge instead of the deepest one. */
  pair?: Address
  /** Wei of native coin to buy with instead of an amount that suits the pool. */
  amount?: bigint
  /** Fires when the client left or the deadline passed; the work then stops. */
  signal?: AbortSignal
}
