import type { Honeypot, Token, Window } from '../api/reports.js'
import { formatPercent } from '../format.js'

type Tax = Pick<Window, 'errorReason'>

/**
 * The windows with figures: those of a trade that did not take place are zero, and mean nothing.
 */
export function tradedWindows({ timeTravelResults, inconclusive }: Honeypot): readonly Window[] {
  return timeTravelResults.filter(
    ({ errorReason, riskScore }) => inconclusive === null || errorReason === '' || riskScore > 0,
  )
}

/**
 * Why there is nothing of trade, where the address is no token either: that is said once, in the
 * place of each part that is empty. `undefined` where there is something.
 */
export function whyNotTraded(trade: Honeypot, token: Token): string | undefined {
  const { powersTried, holderAnalysis, liquidity, inconclusive } = trade
  const isEmpty = powersTried === null && holderAnalysis === null && liquidity === null
  const isTraded = token !== null || !isEmpty || tradedWindows(trade).length > 0
  return isTraded ? undefined : (inconclusive ?? undefined)
}

/** What fails is counted as all that was paid, and is no tax. */
export const isFailed = (percent: number, { errorReason }: Tax): boolean => percent >= 100 && errorReason !== ''

/** A tax as a person reads it. */
export const sayTax = (percent: number, window: Tax): string =>
  isFailed(percent, window) ? 'Fails' : formatPercent(percent)

/** A tax at the place of its window. */
export interface TaxPoint {
  place: number
  tax: number
}

/** Taxes one after the other as pieces of a line: what failed has no height, and cuts it. */
export function unbrokenRuns(windows: readonly Window[], read: (window: Window) => number): TaxPoint[][] {
  const runs: TaxPoint[][] = [[]]
  windows.forEach((window, place) => {
    const tax = read(window)
    if (isFailed(tax, window)) runs.push([])
    else runs.at(-1)?.push({ place, tax })
  })
  return runs.filter((run) => run.length > 0)
}
