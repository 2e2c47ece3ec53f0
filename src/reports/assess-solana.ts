import type { SolanaTarget } from '../checks/solana/check-token.js'
import type { SolanaReport } from '../checks/solana/solana-report.js'
import type { Family } from './family.js'

/** What was found out about an account of Solana. */
export type SolanaAssessment = SolanaReport & {
  /** What is known of other tokens with its rules; absent where that was not asked. */
  family?: Family
}

/** Judges one token of Solana. Rejects when no node answers. */
export type AssessSolana = (target: SolanaTarget) => Promise<SolanaAssessment>
