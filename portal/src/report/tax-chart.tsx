import type { Honeypot, Window } from '../api/reports.js'
import { formatPercent, formatTime } from '../format.js'
import { isFailed, sayTax, type TaxPoint, tradedWindows, unbrokenRuns } from './traded-windows.js'

const WIDTH = 640
const HEIGHT = 220
const LEFT = 64
const RIGHT = 40
const TOP = 16
const BOTTOM = 30

/** The scale reaches at least this far, so that a small tax looks small. Percent. */
const LEAST_SCALE = 20

/** Where trades that failed are marked: above every tax. Below the mark stand its words. */
const FAILS = TOP + 2
const FAILS_HEIGHT = 44

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
        No tax could be measured. {inconclusive}. That says nothing about the token, neither good nor bad.
      </p>
    )
  }
  const hasReasons = windows.some(({ errorReason }) => errorReason !== '')
  return (
    <div className="tax">
      <TaxLines windows={windows} />
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

/** Taxes as lines; a trade that failed is no tax of any height, but a cross of its own. */
function TaxLines({ windows }: { windows: readonly Window[] }) {
  const runs = [BUY, SELL].map((read) => unbrokenRuns(windows, read))
  const [buys = [], sells = []] = runs
  const points = runs.flat(2)
  const top = Math.max(0, ...points.map(({ tax }) => tax)) > LEAST_SCALE ? 100 : LEAST_SCALE
  const highest = points.length < 2 * windows.length ? FAILS + FAILS_HEIGHT : TOP
  const x = (place: number) => LEFT + 30 + (place * (WIDTH - LEFT - RIGHT - 60)) / Math.max(1, windows.length - 1)
  const y = (percent: number) => HEIGHT - BOTTOM - (percent / top) * (HEIGHT - highest - BOTTOM)
  const line = (run: readonly TaxPoint[]) =>
    run.map(({ place, tax }, i) => `${i === 0 ? 'M' : 'L'}${x(place)} ${y(tax)}`).join('')
  const area = (run: readonly TaxPoint[]) =>
    `${line(run)}L${x(run.at(-1)?.place ?? 0)} ${y(0)}L${x(run[0]?.place ?? 0)} ${y(0)}Z`
  return (
    <svg className="tax-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {[0, top / 2, top].map((percent) => (
        <g key={percent}>
          <line className="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(percent)} y2={y(percent)} />
          <text className="axis" x={LEFT - 8} y={y(percent) + 4} textAnchor="end">
            {percent} %
          </text>
        </g>
      ))}
      <path className="sell-area" d={sells.map(area).join('')} />
      <path className="buy-line" d={buys.map(line).join('')} />
      <path className="sell-line" d={sells.map(line).join('')} />
      {buys.flat().map(({ place, tax }) => (
        <circle key={place} className="buy-dot" cx={x(place)} cy={y(tax)} r="4" />
      ))}
      {sells.flat().map(({ place, tax }) => (
        <circle key={place} className="sell-dot" cx={x(place)} cy={y(tax)} r="5" />
      ))}
      {windows.map((window, place) => (
        <g key={window.label}>
          <FailMark x={x(place)} window={window} />
          <text className="axis" x={x(place)} y={HEIGHT - 8} textAnchor="middle">
            {NAMES[window.label]}
          </text>
        </g>
      ))}
    </svg>
  )
}

function FailMark({ x, window }: { x: number; window: Window }) {
  const words = isFailed(window.buyTax, window) ? 'buying fails' : isFailed(window.sellTax, window) && 'sale fails'
  if (!words) return null
  return (
    <>
      <path className="fail-mark" d={`M${x - 7} ${FAILS - 7}l14 14m0 -14l-14 14`} />
      <text className="axis fails-axis" x={x} y={FAILS + 27} textAnchor="middle">
        {words}
      </text>
    </>
  )
}

const BUY = ({ buyTax }: Window) => buyTax
const SELL = ({ sellTax }: Window) => sellTax
