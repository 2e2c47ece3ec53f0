import type { Honeypot, Window } from '../api/reports.js'
import { formatPercent, formatTime } from '../format.js'
import { sayTax, tradedWindows } from './traded-windows.js'

const WIDTH = 640
const HEIGHT = 220
const LEFT = 64
const RIGHT = 40
const TOP = 18
const BOTTOM = 30

/** The scale reaches at least this far, so that a small tax looks small. Percent. */
const LEAST_SCALE = 20

/**
 * Buy and sell tax over the three windows: a picture for the eye, and the same as a table for
 * all readers.
 */
export function TaxChart({ honeypot }: { honeypot: Honeypot }) {
  const { nextChange, inconclusive } = honeypot
  const windows = tradedWindows(honeypot)
  if (windows.length === 0) {
    return (
      <p className="note">
        No tax could be measured: {inconclusive}. That says nothing about the token, neither good nor bad.
      </p>
    )
  }
  const hasReasons = windows.some(({ errorReason }) => errorReason !== '')
  const top =
    Math.max(LEAST_SCALE, ...windows.flatMap(({ buyTax, sellTax }) => [buyTax, sellTax])) > LEAST_SCALE
      ? 100
      : LEAST_SCALE
  const x = (i: number) => LEFT + 30 + (i * (WIDTH - LEFT - RIGHT - 60)) / Math.max(1, windows.length - 1)
  const y = (percent: number) => HEIGHT - BOTTOM - (percent / top) * (HEIGHT - TOP - BOTTOM)
  const line = (read: (window: Window) => number) =>
    windows.map((window, i) => `${i === 0 ? 'M' : 'L'}${x(i)} ${y(read(window))}`).join('')
  return (
    <div className="tax">
      <svg className="tax-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {[0, top / 2, top].map((percent) => (
          <g key={percent}>
            <line className="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(percent)} y2={y(percent)} />
            <text className="axis" x={LEFT - 8} y={y(percent) + 4} textAnchor="end">
              {percent} %
            </text>
          </g>
        ))}
        <path
          className="sell-area"
          d={`${line(({ sellTax }) => sellTax)}L${x(windows.length - 1)} ${y(0)}L${x(0)} ${y(0)}Z`}
        />
        <path className="buy-line" d={line(({ buyTax }) => buyTax)} />
        <path className="sell-line" d={line(({ sellTax }) => sellTax)} />
        {windows.map((window, i) => (
          <g key={window.label}>
            <circle className="buy-dot" cx={x(i)} cy={y(window.buyTax)} r="4" />
            <circle className="sell-dot" cx={x(i)} cy={y(window.sellTax)} r="5" />
            <text className="axis" x={x(i)} y={HEIGHT - 8} textAnchor="middle">
              {NAMES[window.label]}
            </text>
          </g>
        ))}
      </svg>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">
              <i className="key buy" aria-hidden="true" /> Buy
            </th>
            <th scope="col">
              <i className="key sell" aria-hidden="true" /> Sell
            </th>
            <th scope="col">Risk of 100</th>
            {hasReasons && <th scope="col">Why</th>}
          </tr>
        </thead>
        <tbody>
          {windows.map(({ label, buyTax, sellTax, riskScore, errorReason }) => (
            <tr key={label}>
              <th scope="row">{NAMES[label]}</th>
              <td>{sayTax(buyTax, { errorReason })}</td>
              <td>{sayTax(sellTax, { errorReason })}</td>
              <td>{Math.round(riskScore)}</td>
              {hasReasons && (
                <td>
                  <small className="why">{errorReason}</small>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {nextChange && (
        <p className="next-change">
          The code itself names the next turn: from {formatTime(new Date(nextChange.timestamp * 1_000).toISOString())}{' '}
          on, a sell{' '}
          {nextChange.errorReason === ''
            ? `costs ${formatPercent(nextChange.sellTax)}`
            : `fails (${nextChange.errorReason})`}
          .
        </p>
      )}
    </div>
  )
}

const NAMES: Readonly<Record<Window['label'], string>> = {
  Immediate: 'Now',
  '24 Hours': 'In 24 hours',
  '7 Days': 'In 7 days',
}
