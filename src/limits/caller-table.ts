import { type LimitDecision, WINDOW_MS } from './limiter.js'
import { createRecentCounts, type RecentCounts } from './recent-counts.js'

/** Counts the requests of one kind of callers in one class, in a bounded memory. */
export interface CallerTable {
  /** What would be decided; counts the request only when it is told to. */
  look(name: string, limit: number): { decision: LimitDecision; count(): void }
  /** Uncounts the newest request. */
  giveBack(name: string): void
  /** More callers are about than can be remembered one by one. */
  isCrowded(): boolean
}

export interface CallerTableOptions {
  now(): number
  /** Callers that are remembered exactly. */
  maxCallers: number
  /** Of the sketch that takes over; it is made when it is needed first. */
  counters: number
}

/**
 * Remembers the time of every request of the callers that came last. When there are too many, the
 * less busy of the longest idle move to a sketch ({@link RecentCounts}), and are counted from there
 * when they come back: a newcomer is never refused for the number of others.
 */
export function createCallerTable({ now, maxCallers, counters }: CallerTableOptions): CallerTable {
  // The one that came last stands last, so that idle ones are found at the front.
  const known = new Map<string, Visits>()
  let forgotten: RecentCounts | undefined
  let crowdedUntil = Number.NEGATIVE_INFINITY

  const visitsOf = (name: string): Visits => {
    const visits = known.get(name)
    if (visits !== undefined) return forgetOld(visits, now())
    const before = isCrowded() ? (forgotten?.estimate(name) ?? 0) : 0
    return { times: [], before, beforeUntil: before > 0 ? now() + WINDOW_MS : 0 }
  }
  /** What the sketch holds is of no use any more when nothing was added for this long. */
  const isCrowded = () => now() < crowdedUntil

  const makeRoom = () => {
    if (known.size < maxCallers) return
    for (const [name, { times }] of lessBusy(known, Math.ceil(maxCallers * SHARE_LOOKED), now())) {
      known.delete(name)
      if (times.length === 0) continue
      forgotten ??= createRecentCounts({ now, counters })
      forgotten.add(name, times.length)
      crowdedUntil = now() + 2 * WINDOW_MS
    }
  }

  return {
    look(name, limit) {
      const visits = visitsOf(name)
      return {
        decision: decide(visits, limit, now()),
        count() {
          if (!known.delete(name)) makeRoom()
          visits.times.push(now())
          known.set(name, visits)
        },
      }
    },
    giveBack(name) {
      known.get(name)?.times.pop()
    },
    isCrowded,
  }
}

interface Visits {
  /** When the counted requests came. */
  times: number[]
  /** Requests before those, about which only the number is known. */
  before: number
  beforeUntil: number
}

/**
 * Looked at when there is no room: many at a time, because the way to the front of a map is as long
 * as what was taken from there before; few enough that it takes some milliseconds.
 */
const SHARE_LOOKED = 1 / 16

/** Half of the `count` longest idle, or more when more are out of the window. */
function lessBusy(known: ReadonlyMap<string, Visits>, count: number, now: number): [string, Visits][] {
  const oldest: [string, Visits][] = []
  for (const [name, visits] of known) {
    oldest.push([name, forgetOld(visits, now)])
    if (oldest.length >= count) break
  }
  oldest.sort(([, a], [, b]) => a.times.length - b.times.length)
  const isGone = ([, { times }]: [string, Visits]) => times.length === 0
  return oldest.slice(0, Math.max(Math.ceil(count / 2), oldest.filter(isGone).length))
}

/** A request leaves the window when it is exactly {@link WINDOW_MS} old. */
function forgetOld(visits: Visits, now: number): Visits {
  const { times } = visits
  const firstKept = times.findIndex((time) => time > now - WINDOW_MS)
  if (firstKept !== 0) times.splice(0, firstKept < 0 ? times.length : firstKept)
  if (now >= visits.beforeUntil) visits.before = 0
  return visits
}

function decide(visits: Visits, limit: number, now: number): LimitDecision {
  const used = visits.before + visits.times.length
  if (used >= limit) return { allowed: false, remaining: 0, resetMs: untilRoom(visits, limit, now) }
  return { allowed: true, remaining: limit - used - 1, resetMs: untilRoom(visits, used, now) }
}

/**
 * Time until fewer than `limit` are left; more than `limit` are there when the limit was lowered
 * meanwhile. Of those whose time is not known, until the last of them is gone.
 */
function untilRoom({ times, before, beforeUntil }: Visits, limit: number, now: number): number {
  const leaving = times[times.length - limit]
  if (leaving !== undefined) return Math.max(1, leaving + WINDOW_MS - now)
  return before > 0 ? Math.max(1, beforeUntil - now) : WINDOW_MS
}
