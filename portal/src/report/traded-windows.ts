import type { Honeypot, Window } from '../api/reports.js'

/**
 * The windows with figures: those of a trade that did not take place are zero, and mean nothing.
 */
export function tradedWindows({ timeTravelResults, inconclusive }: Honeypot): readonly Window[] {
  return timeTravelResults.filter(
    ({ errorReason, riskScore }) => inconclusive === null || errorReason === '' || riskScore > 0,
  )
}
