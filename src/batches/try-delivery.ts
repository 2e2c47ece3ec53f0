import { BaseError } from '../errors.js'
import type { Webhook } from './batch.js'
import type { Delivery } from './batch-store.js'
import type { DeliverWebhook } from './deliver-webhook.js'
import type { Again } from './job-queue.js'

export interface DeliveryTry {
  webhook: Webhook
  body: string
  /** Attempts before this one. */
  attempts: number
  /** Milliseconds before the second attempt and those after it; after the last it is given up. */
  pausesMs: readonly number[]
  record(delivery: Delivery): Promise<void>
  onFailure(error: unknown): void
}

/**
 * One attempt to tell a webhook something, and what came of it. After the last one the message is
 * dead: it stays as `failed`.
 */
export async function tryDelivery(
  deliver: DeliverWebhook,
  { webhook, body, attempts: before, pausesMs, record, onFailure }: DeliveryTry,
  signal: AbortSignal,
): Promise<Again | undefined> {
  const attempts = before + 1
  try {
    await deliver(webhook, body, signal)
  } catch (error) {
    // What our own stopping cut short was no attempt.
    if (signal.aborted) return { againInMs: 0 }
    onFailure(error)
    const againInMs = pausesMs[before]
    const failure = error instanceof BaseError ? error.shortMessage : 'The message could not be sent'
    await record({ state: againInMs === undefined ? 'failed' : 'waiting', attempts, failure })
    return againInMs === undefined ? undefined : { againInMs }
  }
  await record({ state: 'delivered', attempts })
  return undefined
}
