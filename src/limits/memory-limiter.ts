import type { Clock } from '../clock.js'
import { type CallerTable, createCallerTable } from './caller-table.js'
import {
  type CallerKind,
  type LimitClass,
  type LimitDecision,
  type Limiter,
  type LimitRequest,
  sharesOf,
  strictest,
  WINDOWS_MS,
} from './limiter.js'

/**
 * A limiter of this process. Synchronous, and exact for as many callers as it remembers one by one;
 * beyond that it may count a caller too high, never too low.
 */
export interface MemoryLimiter extends Limiter {
  takeNow(request: LimitRequest): LimitDecision
  /** Uncounts the caller's newest request, because it was refused elsewhere. */
  giveBack(request: LimitRequest): void
  /** More callers of its kind are about than are remembered one by one. */
  isCrowded(request: LimitRequest): boolean
}

export interface MemoryLimiterOptions {
  clock: Clock
  /** Of each kind and class. */
  maxCallers?: number
}

/** Each kind of callers has room of its own in each class, so that no kind can shut out another. */
export function createMemoryLimiter({ clock, maxCallers = MAX_CALLERS }: MemoryLimiterOptions): MemoryLimiter {
  const createTables = (kind: CallerKind): Record<LimitClass, CallerTable> => {
    const create = (limitClass: LimitClass) =>
      createCallerTable({
        ...{ now: clock.monotonic, maxCallers, counters: COUNTERS[kind] },
        windowMs: WINDOWS_MS[limitClass],
      })
    return { analysis: create('analysis'), general: create('general'), guest: create('guest') }
  }
  const tables: Record<CallerKind, Record<LimitClass, CallerTable>> = {
    key: createTables('key'),
    session: createTables('session'),
    address: createTables('address'),
    network: createTables('network'),
    guest: createTables('guest'),
  }

  const takeNow = (request: LimitRequest): LimitDecision => {
    const looks = sharesOf(request).map(({ caller, limit }) =>
      tables[caller.kind][request.limitClass].look(caller.id, limit),
    )
    const decision = strictest(looks.map((look) => look.decision))
    if (decision.allowed) for (const { count } of looks) count()
    return decision
  }

  return {
    takeNow,
    take: async (request) => takeNow(request),
    giveBack(request) {
      for (const { caller } of sharesOf(request)) tables[caller.kind][request.limitClass].giveBack(caller.id)
    },
    isCrowded: ({ caller, limitClass }) => tables[caller.kind][limitClass].isCrowded(),
    async close() {},
  }
}

/** A few megabytes at ten requests each. */
const MAX_CALLERS = 50_000

/**
 * Of the sketches, each of 24 bytes: 25 MB for addresses, which cost nothing, made when there are
 * more than {@link MAX_CALLERS} of them. Ten million in a minute are then counted about three too
 * high; a million not at all.
 */
const COUNTERS: Record<CallerKind, number> = {
  key: 2 ** 16,
  session: 2 ** 16,
  address: 2 ** 20,
  network: 2 ** 18,
  guest: 2 ** 18,
}
