import type { Clock } from '../clock.js'
import { type LimitClass, type LimitDecision, type Limiter, type LimitRequest, WINDOW_MS } from './limiter.js'

/** A limiter of this process. Synchronous and exact: it remembers the time of every request in the window. */
export interface MemoryLimiter extends Limiter {
  takeNow(request: LimitRequest): LimitDecision
  /** Uncounts the caller's newest request, because it was refused elsewhere. */
  giveBack(request: Pick<LimitRequest, 'caller' | 'limitClass'>): void
}

/**
 * When `maxCallers` of a kind are in the window of a class, further ones are refused until somebody leaves it: forgetting a caller would give
 * it a fresh window. Keys and addresses have room of their own, so that a flood of addresses cannot shut out a key.
 */
export function createMemoryLimiter({
  clock,
  maxCallers = MAX_CALLERS,
}: {
  clock: Clock
  maxCallers?: number
}): MemoryLimiter {
  const windows = { key: createWindows(), address: createWindows() }

  const takeNow = ({ caller, limitClass, limit }: LimitRequest): LimitDecision => {
    const now = clock.monotonic()
    const known = windows[caller.kind][limitClass]
    const name = caller.id
    forgetIdle(known, now)
    const times = known.get(name) ?? []
    forgetOld(times, now)
    if (times.length >= limit) return { allowed: false, remaining: 0, resetMs: untilRoom(times, limit, now) }
    if (times.length === 0 && !known.has(name) && known.size >= maxCallers) {
      return { allowed: false, remaining: 0, resetMs: WINDOW_MS }
    }
    times.push(now)
    // Most recently used last, so that the idle ones are found at the front.
    known.delete(name)
    known.set(name, times)
    return { allowed: true, remaining: limit - times.length, resetMs: untilRoom(times, times.length, now) }
  }

  return {
    takeNow,
    take: async (request) => takeNow(request),
    giveBack({ caller, limitClass }) {
      windows[caller.kind][limitClass].get(caller.id)?.pop()
    },
    async close() {},
  }
}

/** A few megabytes at ten requests each. */
const MAX_CALLERS = 50_000

/** Per request: more than one, so that the front empties faster than the back fills. */
const MAX_FORGOTTEN = 8

/** When each caller's counted requests came, by its name. */
type Windows = Record<LimitClass, Map<string, number[]>>

const createWindows = (): Windows => ({ analysis: new Map(), general: new Map() })

function forgetIdle(known: Map<string, number[]>, now: number): void {
  let looked = 0
  for (const [name, times] of known) {
    const newest = times.at(-1) ?? Number.NEGATIVE_INFINITY
    if (newest > now - WINDOW_MS || looked >= MAX_FORGOTTEN) return
    known.delete(name)
    looked += 1
  }
}

/** A request leaves the window when it is exactly {@link WINDOW_MS} old. */
function forgetOld(times: number[], now: number): void {
  const firstKept = times.findIndex((time) => time > now - WINDOW_MS)
  if (firstKept !== 0) times.splice(0, firstKept < 0 ? times.length : firstKept)
}

/** Time until fewer than `limit` are left; more than `limit` are there when the limit was lowered meanwhile. */
function untilRoom(times: readonly number[], limit: number, now: number): number {
  const leaving = times[times.length - limit] ?? now
  return Math.max(1, leaving + WINDOW_MS - now)
}
