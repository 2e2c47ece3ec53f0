import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import type { BlockHeader } from './block-header.js'

/**
 * Judges whether a head that a node reports can be the chain's head: by our own clock, and by what
 * other nodes reported lately.
 */
export interface HeadWatch {
  /** Throws {@link RpcStaleHeadError}. */
  accept(head: BlockHeader): void
}

/**
 * `maxAgeMs` of `Infinity` accepts every head: a chain that makes no blocks by itself, or is wound
 * back, has no wrong time.
 */
export function createHeadWatch({ clock, maxAgeMs }: { clock: Clock; maxAgeMs: number }): HeadWatch {
  let newest = 0
  let seenAt = Number.NEGATIVE_INFINITY
  return {
    accept({ timestamp }) {
      if (maxAgeMs === Number.POSITIVE_INFINITY) return
      const timeMs = Number(timestamp) * 1_000
      const ageMs = clock.now() - timeMs
      if (ageMs > maxAgeMs) throw new RpcStaleHeadError(`${Math.round(ageMs / 1_000)} s old`)
      if (ageMs < -MAX_FUTURE_MS) throw new RpcStaleHeadError(`${Math.round(-ageMs / 1_000)} s in the future`)
      const isFresh = clock.monotonic() - seenAt < MEMORY_MS
      if (isFresh && timeMs < newest - MAX_LAG_MS)
        throw new RpcStaleHeadError(`${(newest - timeMs) / 1_000} s behind another`)
      newest = isFresh ? Math.max(newest, timeMs) : timeMs
      seenAt = clock.monotonic()
    },
  }
}

/** Clocks of validators and ours may differ by this much; a block from further ahead is a lie. */
const MAX_FUTURE_MS = 60_000
/** A few blocks of the slowest chain: nodes behind one load balancer differ by one or two. */
const MAX_LAG_MS = 40_000
/**
 * Comparisons are made with heads seen this recently only, so that no single report can rule for
 * long.
 */
const MEMORY_MS = 60_000

/** A node is out of step with the chain. */
export class RpcStaleHeadError extends BaseError {
  override readonly name = 'RpcStaleHeadError'
  constructor(details: string) {
    super('A chain node is out of step with the chain', { details })
  }
}
