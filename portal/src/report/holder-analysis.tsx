import type { Honeypot } from '../api/reports.js'
import { formatCount, formatPercent, shorten } from '../format.js'
import { FactTable, Short } from '../parts/fact-table.js'
import type { TokenUnits } from './condition-words.js'
import { sayTokens } from './size-chart.js'

type Analysis = NonNullable<Honeypot['holderAnalysis']>

interface HolderAnalysisProps {
  analysis: Analysis
  units: TokenUnits
  /** Who made the token, where that is known. */
  creator: string | undefined
}

/**
 * Whether people who have the token already can sell it, and what those have in common who cannot.
 */
export function HolderAnalysis({ analysis, units, creator }: HolderAnalysisProps) {
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
      <Known analysis={analysis} units={units} creator={creator} />
      {unfinished && <p className="note">Not all holders could be tried: {unfinished}.</p>}
    </>
  )
}

type Known = Analysis['known'][number]

const KIND_WORDS: Readonly<Record<Known['kind'], string>> = {
  account: 'an account',
  contract: 'a contract',
  pool: 'the pool',
  token: 'the token itself',
  burnt: 'burnt',
}
const SALE_WORDS = { sold: 'sold', ruined: 'sold, and lost half or more', refused: 'could not sell' } as const

/** The rest is one click away. */
const SHOWN_AT_ONCE = 8

/** Who has how much, of those that were looked at. */
function Known({ analysis: { known = [] }, units, creator }: HolderAnalysisProps) {
  if (known.length === 0) return null
  const [first, rest] = [known.slice(0, SHOWN_AT_ONCE), known.slice(SHOWN_AT_ONCE)]
  return (
    <>
      <HolderTable label="Holders and their share" holders={first} units={units} creator={creator} />
      {rest.length > 0 && (
        <details className="disclosure">
          <summary>{formatCount(rest.length)} more that have less</summary>
          <HolderTable label="Smaller holders" holders={rest} units={units} creator={creator} />
        </details>
      )}
      <p className="quiet">Those that moved it in the last 7 days; who was quiet longer is not among them.</p>
    </>
  )
}

interface HolderTableProps extends Pick<HolderAnalysisProps, 'units' | 'creator'> {
  label: string
  holders: readonly Known[]
}

function HolderTable({ label, holders, units, creator }: HolderTableProps) {
  return (
    <FactTable
      label={label}
      rows={holders.map(({ address, kind, balance, share, sale }) => ({
        key: address,
        cells: {
          Who: (
            <>
              {address === creator ? 'the account that made it' : KIND_WORDS[kind]}{' '}
              <span className="quiet">
                <Short all={address}>{shorten(address)}</Short>
              </span>
            </>
          ),
          Share:
            share === null ? (
              '–'
            ) : (
              <span className="share">
                {formatPercent(share)}
                <i aria-hidden="true" style={{ width: `${share}%` }} />
              </span>
            ),
          Has: sayTokens(balance, units),
          'When it tried to sell': sale === null ? <span className="quiet">not tried</span> : SALE_WORDS[sale],
        },
      }))}
    />
  )
}
