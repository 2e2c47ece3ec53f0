import type { DayUsage } from '../api/usage.js'
import { formatCount } from '../format.js'

const DAY_MS = 24 * 3_600_000
const BAR = 10
const HEIGHT = 48
/** Something is to be seen of a day that had little. */
const LEAST = 2

/** What a key did on each of the last days: a bar for each, today's last, and the sums in words. */
export function UsageChart({ days, count, label }: { days: readonly DayUsage[]; count: number; label: string }) {
  const analyses = days.reduce((sum, day) => sum + day.analyses, 0)
  const others = days.reduce((sum, day) => sum + day.others, 0)
  const most = Math.max(1, ...days.map((day) => day.analyses + day.others))
  const today = Math.floor(Date.now() / DAY_MS)
  const tall = (requests: number) => (requests === 0 ? 0 : Math.max(LEAST, (requests / most) * HEIGHT))
  return (
    <figure className="usage">
      {days.length > 0 && (
        <svg viewBox={`0 0 ${count * BAR} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {days.map(({ day, analyses: own, others: rest }) => {
            const x = (count - 1 - (today - Date.parse(day) / DAY_MS)) * BAR + 1
            const [all, part] = [tall(own + rest), tall(own)]
            return (
              <g key={day}>
                <rect className="others" x={x} y={HEIGHT - all} width={BAR - 2} height={all} />
                <rect className="analyses" x={x} y={HEIGHT - part} width={BAR - 2} height={part} />
              </g>
            )
          })}
        </svg>
      )}
      <figcaption>
        Last {count} days: analyses {formatCount(analyses)}, other requests {formatCount(others)}.
      </figcaption>
      {days.length > 0 && (
        <details className="disclosure">
          <summary aria-label={`${label} by day`}>By day</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                <th scope="col">Analyses</th>
                <th scope="col">Others</th>
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((day) => (
                <tr key={day.day}>
                  <th scope="row">{day.day}</th>
                  <td>{formatCount(day.analyses)}</td>
                  <td>{formatCount(day.others)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </figure>
  )
}
