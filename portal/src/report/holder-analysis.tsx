import type { Honeypot } from '../api/reports.js'
import { formatCount, formatPercent } from '../format.js'

type Analysis = NonNullable<Honeypot['holderAnalysis']>

/**
 * Whether people who have the token already can sell it, and what those have in common who cannot.
 */
export function HolderAnalysis({ analysis }: { analysis: Analysis }) {
  const { tested, successful, ruined, siphoned, averageTax, highestTax, reasons, distinction, unfinished } = analysis
  return (
    <>
      {tested > 0 && (
        <p className="flow-sum">
          <strong>
            {formatCount(successful)} of {formatCount(tested)}
          </strong>{' '}
          holders who were tried could sell
          {averageTax !== null && `, at ${formatPercent(averageTax)} on average`}
          {highestTax !== null && highestTax !== averageTax && ` and ${formatPercent(highestTax)} at worst`}.
        </p>
      )}
      {tested === 0 && !unfinished && <p className="quiet">There was no holder to try it with.</p>}
      {ruined > 0 && <p className="note">{formatCount(ruined)} more sold and lost half or more by it.</p>}
      {siphoned > 0 && <p className="note">{formatCount(siphoned)} bought, sent nothing, and have nothing left.</p>}
      {reasons.length > 0 && (
        <ul className="items">
          {reasons.map(({ reason, count }) => (
            <li key={reason}>
              {formatCount(count)}: {reason}
            </li>
          ))}
        </ul>
      )}
      {distinction && <p>Those who could not: {distinction}.</p>}
      {unfinished && <p className="note">Not all holders could be tried: {unfinished}.</p>}
    </>
  )
}
