import type { Clock } from '../clock.js'
import type { Limiter } from './limiter.js'
import type { MemoryLimiter } from './memory-limiter.js'

export interface GuardedLimiterOptions {
  /** Counts for all processes, and may fail. */
  shared: Limiter
  /** Counts what this process lets through, and cannot fail. */
  local: MemoryLimiter
  clock: Clock
  /** Called once per outage and once per recovery. */
  onOutage?: (error: unknown) => void
  onRecovery?: () => void
}

/**
 * The shared limiter behind this process's own. Whatever happens to the store, before, during and
 * after an outage, this process never lets more than the limit through in any window; without the
 * store, only the sum over several processes can be higher.
 */
export function createGuardedLimiter({ shared, local, clock, onOutage, onRecovery }: GuardedLimiterOptions): Limiter {
  let isOut = false
  let askAgainAt = Number.NEGATIVE_INFINITY

  const ask = async (request: Parameters<Limiter['take']>[0]) => {
    if (clock.monotonic() < askAgainAt) return undefined
    try {
      const decision = await shared.take(request)
      if (isOut) onRecovery?.()
      isOut = false
      return decision
    } catch (error) {
      if (!isOut) onOutage?.(error)
      isOut = true
      askAgainAt = clock.monotonic() + PAUSE_MS
      return undefined
    }
  }

  return {
    async take(request) {
      const own = local.takeNow(request)
      // Of kinds that have no end the store keeps no more than this process remembers one by one.
      if (!own.allowed || local.isCrowded(request)) return own
      const common = await ask(request)
      if (common === undefined) return own
      if (!common.allowed) local.giveBack(request)
      return common
    },
    async close() {
      await shared.close()
    },
  }
}

/**
 * After a failure the store is left alone this long, so that a store that hangs delays one request
 * a second and not all.
 */
const PAUSE_MS = 1_000
