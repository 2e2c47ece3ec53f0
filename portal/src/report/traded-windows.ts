import type { Honeypot, Window } from '../api/reports.js'
import { formatPercent } from '../format.js'

/**
 * The windows with figures: those of a trade that did not take place are zero, and mean nothing.
 */
export function tradedWindows({ timeTravelResults, inconclusive }: Honeypot): readonly Window[] {
  return timeTravelResults.filter(
    ({ errorReason, riskScore }) => inconclusive === null || errorReason === '' || riskScore > 0,
  )
}

/** A tax as a person reads it: what fails is counted as all that was paid, and is no tax. */
export const sayTax = (percent: number, { errorReason }: Pick<Window, 'errorReason'>): string =>
  percent >= 100 && errorReason !== '' ? 'Fails' : formatPercent(percent)
