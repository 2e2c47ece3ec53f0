import type { Chain } from '../../chains/chain.js'
import type { BlockEnvironment } from '../../evm/block-environment.js'
import type { Decision } from '../../evm/inspectors/decisions.js'
import { sources, sourcesOf, valueIf } from '../../evm/inspectors/term.js'
import { travel } from '../../simulation/pending-block.js'

/** A moment from which on a branch goes another way. */
export interface Instant {
  /** From the block that was looked at. */
  afterMs: number
  /** What decides: the height of the chain, or the clock. */
  by: 'timestamp' | 'number'
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Windows of hours and weekdays show within a week at this distance. */
const FINE_STEP = 30 * MINUTE
const FINE_END = 8 * DAY
/** Beyond, timers are looked for at growing distances. */
const GROWTH = 1.1
/** A trap that waits longer earns its maker nothing. */
const HORIZON = 5 * 365 * DAY
/** A trade depends on the time in a few places. */
const MAX_BRANCHES = 24
/** Each of them is traded at. */
const MAX_INSTANTS = 6

/**
 * When the given branches will go another way for the first time, worked out from how their
 * conditions were computed: the compared value is followed through time and the change narrowed
 * down to a second.
 */
export function findInstants(chain: Chain, block: BlockEnvironment, branches: readonly Decision[]): Instant[] {
  const timely = branches.filter(isTimely).slice(0, MAX_BRANCHES)
  if (timely.length === 0) return []
  const answersAt = (afterMs: number) => {
    const { timestamp, number, slotNumber } = afterMs === 0 ? block : travel(chain, block, afterMs)
    const known = new Map()
    return timely.map(({ condition }) => {
      const value = valueIf(
        condition,
        (leaf) => {
          if (leaf.kind !== 'environment') return undefined
          if (leaf.name === 'TIMESTAMP') return timestamp
          return leaf.name === 'NUMBER' ? number : leaf.name === 'SLOTNUM' ? slotNumber : undefined
        },
        known,
      )
      return value !== 0n
    })
  }
  const seen = new Set([answersAt(0).join()])
  const found: Instant[] = []
  for (
    let [before, at] = [0, FINE_STEP];
    at <= HORIZON && found.length < MAX_INSTANTS;
    [before, at] = [at, after(at)]
  ) {
    const answers = answersAt(at)
    if (seen.has(answers.join())) continue
    seen.add(answers.join())
    const earlier = answersAt(before)
    const changed = timely.find((_, i) => answers[i] !== earlier[i])
    const afterMs = narrow(before, at, (ms) => answersAt(ms).join() === earlier.join())
    const by = changed && (sourcesOf(changed.condition) & sources.timestamp) === 0 ? 'number' : 'timestamp'
    found.push({ afterMs, by })
  }
  return found
}

const isTimely = ({ condition }: Decision) => (sourcesOf(condition) & (sources.timestamp | sources.number)) !== 0

/** Whether neither bound left out a branch or a moment. */
export const areAllInstants = (branches: readonly Decision[], found: readonly Instant[]): boolean =>
  branches.filter(isTimely).length <= MAX_BRANCHES && found.length < MAX_INSTANTS

function after(ms: number): number {
  return ms < FINE_END ? ms + FINE_STEP : ms * GROWTH
}

/** Enough to come down from five years to a second. */
const MAX_TRIES = 30

/**
 * The first whole second, between one that is still the same and one that is not, as far as
 * `maxTries` tell.
 */
export function narrow(same: number, other: number, isSame: (ms: number) => boolean, maxTries = MAX_TRIES): number {
  let [low, high] = [Math.floor(same / 1_000), Math.ceil(other / 1_000)]
  for (let tries = 0; tries < maxTries && high - low > 1; tries += 1) {
    const middle = Math.floor((low + high) / 2)
    if (isSame(middle * 1_000)) low = middle
    else high = middle
  }
  return high * 1_000
}
