import type { CallFrame, Log } from '../../evm/inspector.js'
import type { Address, Hex } from '../../hex.js'
import type { EngineName } from '../../simulation/scenario.js'

/** One transaction of the scenario, in the order in which it was sent. Side branches are marked. */
export interface StepReport {
  name: 'buy' | 'approve' | 'sell' | 'transfer' | 'sell-half' | 'sell-tenth' | 'sell-hundredth' | 'send-native'
  branch: 'main' | 'side'
  success: boolean
  gasUsed: bigint
  /** Geth's words or the decoded revert reason; empty on success. */
  errorReason: string
  /** How long a cooldown kept the trader waiting before this step; 0 without one. */
  waitedSeconds: number
}

/** An allowance over the trader's or the pool's tokens that the trader did not ask for. */
export interface AllowanceChange {
  token: Address
  owner: Address
  spender: Address
  delta: bigint
}

/**
 * What the round trip of an ordinary trader did: the internal form of `checks.simulateResult`.
 * Amounts in wei or base units.
 */
export interface TradeReport {
  success: boolean
  /** Empty when `success`. */
  errorReason: string
  /** What kind of target was tried. */
  kind: 'token' | 'contract' | 'account'
  /** The trader's net change over the whole round trip, without gas. */
  nativeDelta: bigint
  tokenDelta: bigint
  allowanceChanges: readonly AllowanceChange[]
  returnData: Hex
  /** How long it had been, where it was cut. */
  returnDataBytes?: number
  /** Milliseconds since 1970. */
  simulatedAt: number
  /** `undefined`: could not be measured. Basis points with fractions of the amount, 0 to 10,000. */
  buyTaxBps: number | undefined
  sellTaxBps: number | undefined
  transferTaxBps: number | undefined
  gasUsed: bigint
  /** Wei that the chain takes beside gas for data on L1 and its operator; of the OP Stack alone. */
  l1Fee?: bigint | undefined
  watchedDeltas: readonly { token: Address; delta: bigint }[]
  isReentrancy: boolean
  isHoneypot: boolean
  /** Why the outcome says nothing about the token ("no liquidity"); absent when it does. */
  inconclusive: string | undefined
  /** Where it was traded. */
  venue: { name: string; pool: Address } | undefined
  steps: readonly StepReport[]
  calls: readonly CallFrame[]
  logs: readonly Log[]
  /** `calls`, `logs` or `returnData` outgrew their bound. */
  isTruncated: boolean
  /** Who executed; absent for the interpreter here. */
  engine?: EngineName | undefined
}
