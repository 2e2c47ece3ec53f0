/**
 * How sure a finding is of what it says. `observed`: it happened when it was tried, to an ordinary
 * trader or to a holder. `possible`: a privileged role could bring it about. `unfinished`: work of
 * ours that is missing.
 */
export type FindingBasis = 'observed' | 'possible' | 'unfinished'

/**
 * One thing that a check found, in the words of a buyer: no address, no selector, no text of a
 * contract.
 */
export interface Finding {
  /** Stable name, by the check that it comes from: `trade/sell-blocked`. */
  id: string
  basis: FindingBasis
  /** 0 to 100, higher is worse, on the scale of `levels.ts`. */
  score: number
  /** A few words that stand alone. */
  headline: string
  /** One sentence. */
  reason: string
  /** It is about what a wallet was asked to sign, and not about the target. */
  isOfRequest?: true
}
