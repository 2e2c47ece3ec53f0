import type { Outcome } from '../../bytecode/deciding-branches.js'
import type { Address, Hex } from '../../hex.js'
import type { LeafKind } from '../conditions/leaf-kind.js'

/** Who or what can move something that a condition asks for. */
export interface Mover {
  /** `chance`: the block, gas, coins. `contract`: what another contract answers. */
  by: 'anyone' | 'holder' | 'trading' | 'time' | 'chance' | 'contract' | 'unknown'
  /** Functions that write it; empty where none does. */
  selectors: readonly Hex[]
}

/** What the code alone tells of one condition between a holder and his money. */
export interface CodeCondition {
  /** Whose code, which of its functions, and where. */
  address: Address
  selector: Hex
  pc: number
  /** What happens when, in words. */
  text: string
  outcome: Outcome
  leaves: readonly LeafKind[]
  /** The variables that it asks for (`StorageClass.id`), and `seller` where it asks who sells. */
  asks: readonly string[]
  /** An entry of a table decides: a sale that met one of them says nothing of the others. */
  isLookup: boolean
  movers: readonly Mover[]
  /** Why it is explained: detectors that tell of it, or what keeps it from harm. */
  explainedBy: readonly string[]
  /** Why it is not explained; absent where it is. */
  unexplained: string | undefined
}

/** What decides the standard functions of a token, as far as its code tells. */
export interface CodeConditions {
  /** Conditions of the kinds that each token has: balances, allowances, accounts and amounts. */
  ordinary: number
  /** All others. */
  others: readonly CodeCondition[]
  /** There were more than were looked at. */
  isTruncated: boolean
}

/** Of those that no rule explains. */
export const unexplainedOf = ({ others }: CodeConditions): CodeCondition[] =>
  others.filter(({ unexplained }) => unexplained !== undefined)
