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

/** As a `Review` of other chains. */
export type SolanaReview = (
  report: SolanaAssessment,
  target: SolanaTarget,
) => SolanaAssessment | Promise<SolanaAssessment>

/** The check of a token, and what is done with each report. */
export function createAssessSolana(check: AssessSolana, reviews: readonly SolanaReview[]): AssessSolana {
  return async (target) => {
    let report = await check(target)
    for (const review of reviews) report = await review(report, target)
    return report
  }
}
