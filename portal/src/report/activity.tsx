import type { History } from '../api/reports.js'
import { formatCount, formatDuration, formatTime, shorten } from '../format.js'
import { FactTable, Short } from '../parts/fact-table.js'
import { Fields } from './generic.js'

const WIDTH = 640
const HEIGHT = 44
const EDGE = 6

/** The newest transfers on a line of time, and the transfers themselves. */
export function Activity({ history }: { history: History }) {
  const { success, recentTransfers, summary } = history
  if (!success) return <p className="note">The history could not be read. Unknown is not dead.</p>
  return (
    <div className="activity">
      {isKnown(summary?.hours) ? (
        <Hours hours={summary.hours} />
      ) : (
        recentTransfers.length > 0 && <Sparkline history={history} />
      )}
      {summary && (
        <div className="pace">
          <Pace name="Last 24 hours" activity={summary.last24Hours} />
          <Pace name="Last 7 days" activity={summary.last7Days} />
        </div>
      )}
      {summary?.makeBelieve.map(({ id, description }) => (
        <p key={id} className="note">
          {description}
        </p>
      ))}
      {recentTransfers.length === 0 ? (
        <p className="quiet">No transfer was found in the time that was looked at.</p>
      ) : (
        <details className="disclosure">
          <summary>The newest {recentTransfers.length} transfers</summary>
          <Transfers history={history} />
        </details>
      )}
      {summary?.firstMintDate && <Fields value={{ firstMint: formatTime(summary.firstMintDate) }} />}
    </div>
  )
}

type ByHour = readonly (number | null)[]

/** A token that did nothing all day has nothing to draw. */
const isKnown = (hours: ByHour | undefined): hours is ByHour =>
  hours?.some((count) => count !== null && count > 0) === true

/** Something is to be seen of an hour that had little. */
const LEAST = 2

/** A bar for each hour, the newest last; what was not read is pale from top to bottom. */
function Hours({ hours }: { hours: ByHour }) {
  const most = Math.max(...hours.map((count) => count ?? 0))
  const busiest = hours.length - hours.indexOf(most)
  const step = WIDTH / hours.length
  return (
    <figure className="sparkline">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line className="grid" x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
        {hours.map((count, i) => {
          const height = count === null ? HEIGHT - 1 : count === 0 ? 0 : Math.max(LEAST, (count / most) * (HEIGHT - 1))
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              key={i}
              className={count === null ? 'unread' : 'hour'}
              x={i * step + 1}
              y={HEIGHT - 1 - height}
              width={step - 2}
              height={height}
            />
          )
        })}
      </svg>
      <figcaption>
        Transfers in each of the last {hours.length} hours; the most, {formatCount(most)},{' '}
        {busiest === 1 ? 'in the last one' : `${busiest - 1} to ${busiest} hours ago`}.
        {hours.includes(null) && ' Pale hours were not read.'}
      </figcaption>
    </figure>
  )
}

type Activity = NonNullable<History['summary']>['last7Days']

function Pace({ name, activity: { transfers, senders, receivers, isEstimate } }: { name: string; activity: Activity }) {
  return (
    <div>
      <h3>{name}</h3>
      <p>
        <strong>
          {isEstimate && 'about '}
          {formatCount(transfers)}
        </strong>{' '}
        transfers, {formatCount(senders)} senders, {formatCount(receivers)} receivers
      </p>
    </div>
  )
}

function Sparkline({ history: { recentTransfers } }: { history: History }) {
  const times = recentTransfers.map(({ date }) => new Date(date).getTime()).filter((time) => !Number.isNaN(time))
  const first = Math.min(...times)
  const span = Math.max(...times) - first
  const x = (time: number) => EDGE + (span === 0 ? 0.5 : (time - first) / span) * (WIDTH - 2 * EDGE)
  return (
    <figure className="sparkline">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line className="grid" x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
        {times.map((time, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <line key={i} className="tick" x1={x(time)} x2={x(time)} y1={6} y2={HEIGHT - 1} />
        ))}
      </svg>
      <figcaption>
        The newest {times.length} transfers{span > 0 && `, over ${formatDuration(span / 1_000)}`}
      </figcaption>
    </figure>
  )
}

function Transfers({ history: { recentTransfers } }: { history: History }) {
  return (
    <FactTable
      label="Transfers"
      rows={recentTransfers.map(({ hash, logIndex, date, amount, symbol, from, to }) => ({
        key: `${hash}${logIndex}`,
        cells: {
          When: formatTime(date),
          Amount: `${shorten(amount, 10, 4)} ${symbol.slice(0, 12)}`,
          From: <Short all={from}>{shorten(from)}</Short>,
          To: <Short all={to}>{shorten(to)}</Short>,
        },
      }))}
    />
  )
}
