import { RpcAbilityError, RpcLacksAbilityError, RpcWrongChainError } from './capabilities.js'
import type { Endpoint } from './endpoint.js'
import { RpcStaleHeadError } from './head-watch.js'
import { RpcRejectedError } from './node-replies.js'

/**
 * Remembers a failure: the node is left alone for as long as it asks, or after too many failures.
 */
export function punish({ breaker, forget }: Pick<Endpoint, 'breaker' | 'forget'>, error: unknown): void {
  const pauseMs = pauseAfter(error)
  if (pauseMs === undefined) breaker.fail()
  else breaker.pause(pauseMs)
  if (breaker.waitMs() > 0) forget()
}

/**
 * How long the failure asks us to leave the node alone; `undefined` when it is one of those that
 * the breaker counts.
 */
function pauseAfter(error: unknown): number | undefined {
  if (error instanceof RpcAbilityError || error instanceof RpcLacksAbilityError) return 0
  if (error instanceof RpcWrongChainError) return MISCONFIGURED_PAUSE_MS
  if (error instanceof RpcStaleHeadError) return STALE_PAUSE_MS
  if (!(error instanceof RpcRejectedError)) return undefined
  if (error.kind === 'too-many') return error.retryAfterMs ?? TOO_MANY_PAUSE_MS
  if (error.kind === 'forbidden') return MISCONFIGURED_PAUSE_MS
  return error.kind === 'slow' || error.kind === 'broken' ? undefined : 0
}

/** How long a node is left alone that says "too many" and does not say for how long. */
const TOO_MANY_PAUSE_MS = 1_000
const STALE_PAUSE_MS = 5_000
/** Wrong chain, wrong key: nothing that mends itself. */
const MISCONFIGURED_PAUSE_MS = 60_000
