import type { Parse } from './parse.js'

/** One JSON-RPC call, together with what its answer must look like. */
export interface RpcRequest<T> {
  method: string
  params: readonly unknown[]
  parse: Parse<T>
  /**
   * A failure of this item, of whatever kind, leaves the rest of its batch standing. For answers
   * that only save time.
   */
  optional?: boolean
}

/**
 * What became of one item of a batch. Only failures that another node would repeat are reported
 * here; others are retried elsewhere.
 */
export type RpcOutcome<T> = { ok: true; value: T } | { ok: false; error: Error }

export type RpcOutcomes<R extends readonly RpcRequest<unknown>[]> = {
  -readonly [K in keyof R]: RpcOutcome<R[K] extends RpcRequest<infer T> ? T : never>
}

/** The value of an item that must have one. */
export function unwrap<T>(outcome: RpcOutcome<T>): T {
  if (!outcome.ok) throw outcome.error
  return outcome.value
}
