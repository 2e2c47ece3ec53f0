import type { Chain } from '../chains/chain.js'
import type { Address, Hex } from '../hex.js'
import type { MarketHints } from './market-hints.js'
import type { WalletRequest } from './wallet-request.js'

/** How much of what happened inside a trade a report shows. What is judged is the whole. */
export type TraceLength = 'short' | 'full'

/** What one analysis is about. */
export interface AnalysisTarget {
  chain: Chain
  address: Address
  /** Replay at this height instead of the head. */
  blockNumber?: bigint
  /**
   * Repeat the invented people of a report that names this seed. Only for the operator's replay: a
   * caller that chooses it knows them beforehand.
   */
  traderSeed?: Hex
  /** The pool to judge instead of the deepest one. */
  pair?: Address
  /** The Uniswap V4 pool to judge instead, by its id. */
  poolId?: Hex
  /** Where there is no pool, make one on the fork. */
  simulateLiquidity?: boolean
  /** Where else it may trade, by its logs; asked for only where nothing was found without. */
  hints?: MarketHints
  /** Wei of native coin to buy with instead of an amount that suits the pool. */
  amount?: bigint
  /** `full`: as much of what happened inside the trade as is ever shown. */
  trace?: TraceLength
  /**
   * What a wallet is asked to send or sign, to be judged along with the address by the phishing
   * check.
   */
  wallet?: WalletRequest
  /** At the head, whatever stands from blocks before. */
  isAnew?: boolean
  /** Only the check that was asked for, without an overall verdict. */
  only?: boolean
  /** Whose analysis it is: callers take turns where one has to wait for another. */
  caller?: string
  /** Fires when the client left or the deadline passed; the work then stops. */
  signal?: AbortSignal
  /** Told what is done, for a caller that watches. Must not throw. */
  onProgress?(step: ProgressStep): void
}

export interface ProgressStep {
  /** `block`: the block is pinned, and the checks have begun. */
  step: 'block' | 'simulate' | 'bytecode' | 'history' | 'honeypot' | 'phishing'
  success: boolean
}
