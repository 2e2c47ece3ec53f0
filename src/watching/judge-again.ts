import type { Clock } from '../clock.js'
import { type ConcurrencyLimit, QueueFullError } from '../scheduling/concurrency-limit.js'
import { type Judged, type Judges, judge, pauseAfter } from './judge-token.js'
import { alertsOf, eventOfDate, eventsOfVerdict } from './tell-changes.js'
import type { WatchedToken, WatchStore } from './watch-store.js'

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
  return async (signal) => {
    const token = await store.claimDue(ids, { now: clock.now(), leaseMs: LEASE_MS })
    if (token === undefined) return false
    try {
      await settle(options, token, await judge(options, { ...token, caller: CALLER }, signal))
    } catch (error) {
      // What our own stopping cut short waits for nothing.
      const pause = signal.aborted ? 0 : pauseAfter(token.failures)
      if (!signal.aborted && !(error instanceof QueueFullError)) onFailure(error)
      await store.postpone(token, clock.now() + pause)
    }
    return true
  }
}

/** All judging of watched tokens takes turns with callers as one of them. */
export const CALLER = 'watches'

async function settle(
  { store, clock }: JudgeAgainOptions,
  token: WatchedToken,
  { judgement, dependencies }: Judged,
): Promise<void> {
  const now = clock.now()
  const announced = token.dependencies?.nextChange
  const events = [
    ...(announced !== undefined && announced * 1_000 <= now ? [eventOfDate(announced, token.judgement)] : []),
    ...eventsOfVerdict(token.judgement, judgement, token.version + 1),
  ]
  const watches = events.length > 0 ? await store.listOn(token.chainId, [token.address], now) : []
  const alerts = alertsOf(watches, token.address, events, now)
  const nextChange = dependencies?.nextChange === undefined ? undefined : dependencies.nextChange * 1_000
  const dueAt = Math.min(
    now + LOOK_AGAIN_MS,
    nextChange !== undefined && nextChange > now ? nextChange : now + LOOK_AGAIN_MS,
  )
  await store.settle({ token, judgement, dependencies, judgedAt: now, dueAt, alerts })
}
