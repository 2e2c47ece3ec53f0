import { hash, randomBytes } from 'node:crypto'

/**
 * How often callers came lately, for any number of callers in a fixed memory: a count-min sketch
 * over half windows. A count is never too low while it is younger than `windowMs`; it may be
 * too high, by what other callers share its counters, and is forgotten at the latest half a window
 * later.
 */
export interface RecentCounts {
  add(name: string, count: number): void
  estimate(name: string): number
}

export interface RecentCountsOptions {
  now(): number
  windowMs: number
  counters: number
}

/** `counters` in each of {@link ROWS} rows: a power of two. */
export function createRecentCounts({ now, windowMs, counters }: RecentCountsOptions): RecentCounts {
  // Unknown to callers, so that none can choose names that share all counters of another.
  const secret = randomBytes(SECRET_BYTES).toString('hex')
  const halves = Array.from({ length: HALVES }, () => new Uint16Array(counters * ROWS))
  const halfOf = (time: number) => Math.floor(time / (windowMs / 2))
  let newest = halfOf(now())

  const turn = () => {
    const current = halfOf(now())
    for (let turned = 0; newest < current && turned < HALVES; turned += 1) {
      newest = turned === HALVES - 1 ? current : newest + 1
      halves[newest % HALVES]?.fill(0)
    }
    newest = current
  }
  const placesOf = (name: string) => {
    const digits = hash('sha1', secret + name)
    return ROW_NUMBERS.map((row) => {
      const word = Number.parseInt(digits.slice(row * WORD_DIGITS, (row + 1) * WORD_DIGITS), 16)
      return row * counters + (word & (counters - 1))
    })
  }
  const least = (half: Uint16Array, places: readonly number[]) => Math.min(...places.map((place) => half[place] ?? 0))

  return {
    add(name, count) {
      turn()
      const half = halves[newest % HALVES]
      if (half === undefined) return
      const places = placesOf(name)
      // Only as far as needed: counters that others raised already stay as they are.
      const raised = Math.min(MAX_COUNT, least(half, places) + count)
      for (const place of places) half[place] = Math.max(half[place] ?? 0, raised)
    },
    estimate(name) {
      turn()
      const places = placesOf(name)
      return halves.reduce((sum, half) => sum + least(half, places), 0)
    },
  }
}

const SECRET_BYTES = 16
const WORD_DIGITS = 8
/** A caller is counted too high only when it meets others in all rows. */
const ROWS = 4
const ROW_NUMBERS = Array.from({ length: ROWS }, (_, row) => row)
/** The half that is being filled, and two that together reach back a whole window at least. */
const HALVES = 3
const MAX_COUNT = 65_535
