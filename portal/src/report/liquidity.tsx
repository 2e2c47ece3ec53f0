import type { Honeypot } from '../api/reports.js'
import { formatCoins, formatPercent, formatTime, shorten } from '../format.js'
import { FactTable, Short } from '../parts/fact-table.js'

type Report = NonNullable<Honeypot['liquidity']>
type Part = 'withdrawable' | 'locked' | 'burnt' | 'unknown'

const PART_WORDS: Readonly<Record<Part, string>> = {
  withdrawable: 'can be taken out at once',
  locked: 'is locked',
  burnt: 'is burnt',
  unknown: 'belongs to an unknown holder',
}

/** What the pool holds, whose it is, and when it can leave. */
export function Liquidity({ report, coin }: { report: Report; coin: string }) {
  const { venue, native, unlocks, withdrawableShare, unfinished } = report
  return (
    <div className="money">
      <p className="flow-sum">
        <strong>
          {formatCoins(BigInt(native))} {coin}
        </strong>{' '}
        in the pool on {venue}.
      </p>
      <Shares report={report} />
      {withdrawableShare.in7d > withdrawableShare.now && (
        <p>
          In 24 hours it is {formatPercent(withdrawableShare.in24h)}, in 7 days {formatPercent(withdrawableShare.in7d)}{' '}
          that can leave.
        </p>
      )}
      {unlocks.map(({ timestamp, share }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <p key={i}>
          {formatPercent(share)} comes free on {formatDate(timestamp)}.
        </p>
      ))}
      <Holders report={report} />
      {unfinished && <p className="note">Not everything could be tried: {unfinished}.</p>}
    </div>
  )
}

const formatDate = (seconds: number) => formatTime(new Date(seconds * 1_000).toISOString())

function Shares({ report: { burntShare, lockedShare, unknownShare, withdrawableShare } }: { report: Report }) {
  const shares: [Part, number][] = [
    ['burnt', burntShare],
    ['locked', lockedShare],
    ['withdrawable', withdrawableShare.now],
    ['unknown', unknownShare],
  ]
  const shown = shares.filter(([, share]) => share > 0)
  return (
    <>
      <div className="flow-bar" aria-hidden="true">
        {shown.map(([part, share]) => (
          <span key={part} data-kind={part} style={{ flexGrow: share }} />
        ))}
      </div>
      <ul className="flow-legend">
        {shown.map(([part, share]) => (
          <li key={part}>
            <i className="key" data-kind={part} aria-hidden="true" /> <strong>{formatPercent(share)}</strong>{' '}
            {PART_WORDS[part]}
          </li>
        ))}
      </ul>
    </>
  )
}

/** More than a person reads; the rest is in the raw answer. */
const MAX_ROWS = 50

function Holders({ report: { holders } }: { report: Report }) {
  if (holders.length === 0) return null
  return (
    <details className="disclosure">
      <summary>Who has it</summary>
      <FactTable
        label="Who has the liquidity"
        rows={holders.slice(0, MAX_ROWS).map(({ address, kind, share, service, withdrawableAt }, i) => ({
          key: i,
          cells: {
            Who: service ?? kind,
            Share: formatPercent(share),
            Address: <Short all={address}>{shorten(address)}</Short>,
            'Can leave': withdrawableAt === null ? 'at no time that was tried' : formatDate(withdrawableAt),
          },
        }))}
      />
    </details>
  )
}
