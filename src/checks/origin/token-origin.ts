import type { Address } from '../../hex.js'

/** Where a token comes from, as far as the node tells. */
export interface TokenOrigin {
  /** Who sent the transaction that made it. */
  creator: Address
  /** The contract that made it for them, such as a factory; absent where they did it themselves. */
  through: Address | undefined
  /**
   * The address of the token follows from the creator and the transaction's number, so that no node
   * can have made it up. Otherwise the node's word that there was no code before.
   */
  isProven: boolean
  block: bigint
  /** Seconds since 1970; absent where the node does not have that block any more. */
  timestamp: bigint | undefined
}

/** The origin, or why it is not known. */
export type OriginReport = { known: TokenOrigin; unknown?: undefined } | { known?: undefined; unknown: string }
