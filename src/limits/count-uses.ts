import type { LimitClass, Limiter } from './limiter.js'

/**
 * Tells of each request that was let through for a key: those of HTTP, targets of batches and calls
 * of tools alike, as all of them are counted here.
 */
export function countUses(limiter: Limiter, onUse: (keyId: string, limitClass: LimitClass) => void): Limiter {
  return {
    async take(request) {
      const decision = await limiter.take(request)
      if (decision.allowed && request.caller.kind === 'key') onUse(request.caller.id, request.limitClass)
      return decision
    },
    close: () => limiter.close(),
  }
}
