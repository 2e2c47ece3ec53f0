import type { Clock } from '../clock.js'
import { type ConcurrencyLimit, QueueFullError } from '../scheduling/concurrency-limit.js'
import { createCountedLru } from '../scheduling/lru.js'
import { FLAPPING_AGAIN_MS } from './follow-chain.js'
import { type Judged, type Judges, judge, pauseAfter } from './judge-token.js'
import { alertsOf, DATES, eventOfAnnouncement, eventOfDate, eventsOfVerdict } from './tell-changes.js'
import { STALE_MS, type WatchedToken, type WatchStore } from './watch-store.js'

export interface JudgeAgainOptions {
  judges: Judges
  store: WatchStore
  slots: ConcurrencyLimit
  clock: Clock
  onFailure(error: unknown): void
}

/** A verdict takes seconds at the worst; a process that died is replaced after this. */
const LEASE_MS = 60_000
/** A token is looked at this often whatever happens: taxes may rise with time alone. */
const LOOK_AGAIN_MS = 24 * 3_600_000

/**
 * Judges the token that waits longest, and writes the verdict with the alerts that it gives.
 * Answers whether there was one. A verdict that did not finish is none: the token is tried again
 * later, and the last whole verdict stands meanwhile.
 */
export function createJudgeAgain(options: JudgeAgainOptions): (signal: AbortSignal) => Promise<boolean> {
  const { store, clock, judges, onFailure } = options
  const ids = [...judges.keys()]
  const restless = createRestless()
  return async (signal) => {
    const token = await store.claimDue(ids, { now: clock.now(), leaseMs: LEASE_MS })
    if (token === undefined) return false
    try {
      const judged = await judge(options, { ...token, caller: CALLER }, signal)
      await settle(options, token, judged, restless.staleMs(token, clock.now()))
    } catch (error) {
      // What our own stopping cut short waits for nothing.
      const pause = signal.aborted ? 0 : pauseAfter(token.failures)
      if (!signal.aborted && !(error instanceof QueueFullError)) onFailure(error)
      await store.postpone(token, clock.now() + pause)
    }
    return true
  }
}

/** What comes of a date of each kind that a verdict or the one before it knows. */
function eventsOfDates(
  { judgement: before, dependencies: was }: WatchedToken,
  { judgement, dependencies: is }: Pick<Judged, 'judgement' | 'dependencies'>,
  now: number,
) {
  return DATES.flatMap((kind) => {
    const [old, at] = [was?.[kind], is?.[kind]]
    const isNews = before && at !== undefined && at * 1_000 > now && isSooner(at, old)
    return [
      ...(old !== undefined && old * 1_000 <= now ? [eventOfDate(kind, old, before)] : []),
      ...(isNews ? [eventOfAnnouncement(kind, at, before, judgement)] : []),
    ]
  })
}

/** A date in the stead of another is news where it is sooner: some move on with the clock. */
const isSooner = (at: number, old: number | undefined) => old === undefined || at <= old - SOONER_SECONDS

/** Dates that are worked out from slots differ a little each time. */
const SOONER_SECONDS = 3_600

/** Verdicts on one token in an hour that are made anew at once when it changed meanwhile. */
const MAX_AT_ONCE = 24
const HOUR_MS = 3_600_000
const MAX_RESTLESS = 4_096

/** A token that changes in each block is not judged without end. */
function createRestless() {
  const judged = createCountedLru<string, { since: number; count: number }>(MAX_RESTLESS)
  return {
    staleMs({ chainId, address }: WatchedToken, now: number): number {
      const key = `${chainId} ${address}`
      const known = judged.get(key)
      const { since, count } = known && now - known.since < HOUR_MS ? known : { since: now, count: 0 }
      judged.set(key, { since, count: count + 1 })
      return count < MAX_AT_ONCE ? STALE_MS : FLAPPING_AGAIN_MS
    },
  }
}

/** All judging of watched tokens takes turns with callers as one of them. */
export const CALLER = 'watches'

async function settle(
  { store, clock }: JudgeAgainOptions,
  token: WatchedToken,
  { judgement, dependencies }: Judged,
  staleMs: number,
): Promise<void> {
  const now = clock.now()
  const events = [
    ...eventsOfDates(token, { judgement, dependencies }, now),
    ...eventsOfVerdict(token.judgement, judgement, token.version + 1),
  ]
  const watches = events.length > 0 ? await store.listOn(token.chainId, [token.address], now) : []
  const alerts = alertsOf(watches, token.address, events, now)
  const dates = DATES.flatMap((kind) => dependencies?.[kind] ?? []).map((at) => at * 1_000)
  const dueAt = Math.min(now + LOOK_AGAIN_MS, ...dates.filter((at) => at > now))
  await store.settle({ token, judgement, dependencies, judgedAt: now, dueAt, staleMs, alerts })
}
