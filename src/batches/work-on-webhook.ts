import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import type { Batch } from './batch.js'
import type { BatchStore } from './batch-store.js'
import type { DeliverWebhook } from './deliver-webhook.js'
import { type Again, WEBHOOK_QUEUE, type Work } from './job-queue.js'

export interface WebhookWorkOptions {
  store: Pick<BatchStore, 'find' | 'listItems' | 'setWebhook'>
  deliver: DeliverWebhook
  clock: Clock
  onFailure(error: unknown): void
}

/** Waits before the second attempt and those after it; an hour and a half in all. */
const PAUSES_MS = [5_000, 30_000, 300_000, 1_500_000, WEBHOOK_QUEUE.longestPauseMs]

/**
 * One attempt to tell a webhook that its batch is finished. After the last one the message is dead:
 * it stays as `failed` until its owner asks for it again.
 */
export function createWebhookWork({ store, deliver, clock, onFailure }: WebhookWorkOptions): Work {
  return async (id, signal) => {
    const batch = await store.find(id)
    const webhook = batch?.webhook
    if (!batch || !webhook || batch.finishedAt === undefined || batch.webhookState !== 'waiting') return undefined
    try {
      await deliver(webhook, await writeEvent(store, clock, batch), signal)
    } catch (error) {
      // What our own stopping cut short was no attempt.
      if (signal.aborted) return { againInMs: 0 }
      onFailure(error)
      return giveUpOrWait(store, batch, error)
    }
    await store.setWebhook(id, { state: 'delivered', attempts: batch.webhookAttempts + 1 })
    return undefined
  }
}

async function writeEvent(store: WebhookWorkOptions['store'], clock: Clock, { id }: Batch): Promise<string> {
  const items = await store.listItems(id)
  const failed = items.filter(({ state }) => state === 'failed').length
  return JSON.stringify({
    type: 'batch.finished',
    id,
    total: items.length,
    done: items.length - failed,
    failed,
    statusUrl: `/api/batch/${id}`,
    sentAt: new Date(clock.now()).toISOString(),
  })
}

async function giveUpOrWait(
  store: WebhookWorkOptions['store'],
  { id, webhookAttempts }: Batch,
  error: unknown,
): Promise<Again | undefined> {
  const againInMs = PAUSES_MS[webhookAttempts]
  await store.setWebhook(id, {
    state: againInMs === undefined ? 'failed' : 'waiting',
    attempts: webhookAttempts + 1,
    failure: error instanceof BaseError ? error.shortMessage : 'The message could not be sent',
  })
  return againInMs === undefined ? undefined : { againInMs }
}
