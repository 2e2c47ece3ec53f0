import type { LimitDecision } from './limiter.js'
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
  /** How long a request is counted. */
  windowMs: number
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
export function createCallerTable({ now, windowMs, maxCallers, counters }: CallerTableOptions): CallerTable {
  // The one that came last stands last, so that idle ones are found at the front.
  const known = new Map<string, Visits>()
  let forgotten: RecentCounts | undefined
  let crowdedUntil = Number.NEGATIVE_INFINITY

  const visitsOf = (name: string): Visits => {
    const visits = known.get(name)
    if (visits !== undefined) return forgetOld(visits, now(), windowMs)
    const before = isCrowded() ? (forgotten?.estimate(name) ?? 0) : 0
    return { times: [], before, beforeUntil: before > 0 ? now() + windowMs : 0 }
  }
  /** What the sketch holds is of no use any more when nothing was added for this long. */
  const isCrowded = () => now() < crowdedUntil

  const makeRoom = () => {
    if (known.size < maxCallers) return
    for (const [name, { times }] of lessBusy(known, Math.ceil(maxCallers * SHARE_LOOKED), { now: now(), windowMs })) {
      known.delete(name)
      if (times.length === 0) continue
      forgotten ??= createRecentCounts({ now, windowMs, counters })
      forgotten.add(name, times.length)
      crowdedUntil = now() + 2 * windowMs
    }
  }

  return {
    look(name, limit) {
      const visits = visitsOf(name)
      return {
        decision: decide(visits, limit, { now: now(), windowMs }),
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
function lessBusy(known: ReadonlyMap<string, Visits>, count: number, { now, windowMs }: Moment): [string, Visits][] {
  const oldest: [string, Visits][] = []
  for (const [name, visits] of known) {
    oldest.push([name, forgetOld(visits, now, windowMs)])
    if (oldest.length >= count) break
  }
  oldest.sort(([, a], [, b]) => a.times.length - b.times.length)
  const isGone = ([, { times }]: [string, Visits]) => times.length === 0
  return oldest.slice(0, Math.max(Math.ceil(count / 2), oldest.filter(isGone).length))
}

/** Now, and how far back counts. */
interface Moment {
  now: number
  windowMs: number
}

/** A request leaves the window when it is exactly as old as that is long. */
function forgetOld(visits: Visits, now: number, windowMs: number): Visits {
  const { times } = visits
  const firstKept = times.findIndex((time) => time > now - windowMs)
  if (firstKept !== 0) times.splice(0, firstKept < 0 ? times.length : firstKept)
  if (now >= visits.beforeUntil) visits.before = 0
  return visits
}

function decide(visits: Visits, limit: number, now: Moment): LimitDecision {
  const used = visits.before + visits.times.length
  if (used >= limit) return { allowed: false, remaining: 0, resetMs: untilRoom(visits, limit, now) }
  return { allowed: true, remaining: limit - used - 1, resetMs: untilRoom(visits, used, now) }
}

/**
 * Time until fewer than `limit` are left; more than `limit` are there when the limit was lowered
 * meanwhile. Of those whose time is not known, until the last of them is gone.
 */
function untilRoom({ times, before, beforeUntil }: Visits, limit: number, { now, windowMs }: Moment): number {
  const leaving = times[times.length - limit]
  if (leaving !== undefined) return Math.max(1, leaving + windowMs - now)
  return before > 0 ? Math.max(1, beforeUntil - now) : windowMs
}
