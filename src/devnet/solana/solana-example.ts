import type { TrustStatus } from '../../checks/levels.js'
import type { SolanaAddress } from '../../solana/address.js'
import type { SolanaChain } from './cluster.js'

/** Percent lost on the way; `x`: it fails. */
export type Lost = number | 'x'

/** What a report on an example must say. */
export interface SolanaExpectation {
  trustStatus: TrustStatus | 'not-a-mint'
  /** Loss in percent when buying and selling, now, in 24 hours and in 7 days. */
  windows?: readonly [buy: Lost, sell: Lost][]
  isHoneypot?: boolean
  isTimeHoneypot?: boolean
  /** Findings that must be there, by id. */
  findings?: readonly string[]
  absent?: readonly string[]
  /** Findings whose effect must have been brought about on the fork. */
  proven?: readonly string[]
}

/** An example on the Solana devnet. */
export interface SolanaExample {
  /** Number in the list of `docs/solana.md`, or a word. */
  name: string
  summary: string
  expect: SolanaExpectation
  /** Puts it onto the cluster and gives the address to be checked. */
  place(chain: SolanaChain): SolanaAddress
}
