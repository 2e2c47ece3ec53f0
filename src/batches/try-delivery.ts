import { BaseError } from '../errors.js'
import type { Delivery } from './batch-store.js'
import type { Again } from './job-queue.js'

export interface DeliveryTry {
  send(signal: AbortSignal): Promise<void>
  /** Attempts before this one. */
  attempts: number
  /** Milliseconds before the second attempt and those after it; after the last it is given up. */
  pausesMs: readonly number[]
  /** What an error says of the next attempt: that it has none, or that it comes no sooner. */
  adviceOf?(error: unknown): 'never' | { noSoonerMs: number } | undefined
  record(delivery: Delivery): Promise<void>
  onFailure(error: unknown): void
}

/**
 * One attempt to tell a receiver something, and what came of it. After the last one the message is
 * dead: it stays as `failed`.
 */
export async function tryDelivery(
  { send, attempts: before, pausesMs, adviceOf, record, onFailure }: DeliveryTry,
  signal: AbortSignal,
): Promise<Again | undefined> {
  const attempts = before + 1
  try {
    signal.throwIfAborted()
    await send(signal)
  } catch (error) {
    // What our own stopping cut short was no attempt.
    if (signal.aborted) return { againInMs: 0 }
    onFailure(error)
    const againInMs = pauseAfter(pausesMs[before], adviceOf?.(error))
    const failure = error instanceof BaseError ? error.shortMessage : 'The message could not be sent'
    await record({ state: againInMs === undefined ? 'failed' : 'waiting', attempts, failure })
    return againInMs === undefined ? undefined : { againInMs }
  }
  await record({ state: 'delivered', attempts })
  return undefined
}

function pauseAfter(planned: number | undefined, advice: 'never' | { noSoonerMs: number } | undefined) {
  if (planned === undefined || advice === 'never') return undefined
  return Math.max(planned, advice?.noSoonerMs ?? 0)
}
