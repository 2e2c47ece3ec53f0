import type { Honeypot } from '../api/reports.js'
import { formatCount, formatPercent, formatTime, shorten } from '../format.js'
import { FactTable, Short } from '../parts/fact-table.js'
import type { MarketView, PoolView } from './market-view.js'

/** Where it can be traded, what it costs there, and how much of its market each place is. */
export function MarketPools({ market: { pools, omitted, depth } }: { market: MarketView }) {
  const has = (field: 'share' | 'locked') => pools.some((pool) => pool[field] !== undefined)
  return (
    <>
      {depth.length > 0 && (
        <p className="flow-sum">
          <strong>{depth.join(' and ')}</strong> {depth.length === 1 ? 'stands' : 'stand'} behind its price in{' '}
          {pools.length + omitted === 1 ? 'one pool' : `${formatCount(pools.length + omitted)} pools`}.
        </p>
      )}
      <FactTable
        label="Pools"
        className="pools"
        rows={pools.map(({ venue, place, price, exactPrice, reserve, share, locked, closed, isJudged }) => ({
          key: place,
          cells: {
            Exchange: (
              <>
                {venue}
                {isJudged && <small className="quiet"> traded here</small>}
                {closed && <small className="quiet"> {closed}</small>}
              </>
            ),
            'One token costs': <span title={exactPrice}>{price ?? '–'}</span>,
            'In the pool': reserve ?? '–',
            ...(has('share') && { Share: percentOf(share) }),
            ...(has('locked') && { Locked: percentOf(locked) }),
            Pool: <Short all={place}>{shorten(place)}</Short>,
          },
        }))}
      />
      {omitted > 0 && <p className="quiet">{formatCount(omitted)} smaller pools are not listed.</p>}
      {pools.map((pool) => (
        <Positions key={pool.place} pool={pool} />
      ))}
    </>
  )
}

const percentOf = (percent: number | undefined) => (percent === undefined ? '–' : formatPercent(percent))

/** Of a pool whose liquidity lies in parts, whose these are. */
function Positions({ pool: { venue, positions } }: { pool: PoolView }) {
  if (positions.length === 0) return null
  return (
    <details className="disclosure">
      <summary>Whose the liquidity on {venue} is</summary>
      <FactTable
        label="Positions"
        rows={positions.map(({ share, owner, leaves }, i) => ({
          key: i,
          cells: {
            Owner: owner === null ? '–' : <Short all={owner}>{shorten(owner)}</Short>,
            Share: formatPercent(share),
            'Can leave': leaves,
          },
        }))}
      />
    </details>
  )
}

interface OriginProps {
  origin: Honeypot['origin']
  since: MarketView['since']
  unit: MarketView['unit']
}

/** Who made it and when, and since when it can be traded. */
export function Origin({ origin, since, unit }: OriginProps) {
  if (!origin && !since) return null
  return (
    <dl className="fields">
      {origin && (
        <div>
          <dt>Made by</dt>
          <dd>
            {origin.creator === null ? (
              `Not known: ${origin.unknown}.`
            ) : (
              <>
                <span className="mono wrap">{origin.creator}</span>
                {origin.through && (
                  <>
                    , through <span className="mono wrap">{origin.through}</span>
                  </>
                )}
                {!origin.isProven && <span className="quiet"> by the word of the node</span>}
              </>
            )}
          </dd>
        </div>
      )}
      {origin?.block != null && (
        <div>
          <dt>Made</dt>
          <dd>{sayWhen({ block: origin.block, timestamp: origin.timestamp }, unit)}</dd>
        </div>
      )}
      {since && (
        <div>
          <dt>Market since</dt>
          <dd>{sayWhen(since, unit)}</dd>
        </div>
      )}
    </dl>
  )
}

function sayWhen({ block, timestamp }: { block?: number; timestamp: string | null }, unit: string): string {
  const time = timestamp === null ? [] : [formatTime(timestamp)]
  return [...time, ...(block === undefined ? [] : [`${unit} ${formatCount(block)}`])].join(', ')
}
