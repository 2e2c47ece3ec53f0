import type { Clock } from '../clock.js'
import type { Batch } from './batch.js'
import type { BatchStore, Delivery } from './batch-store.js'
import type { DeliverWebhook } from './deliver-webhook.js'
import { WEBHOOK_QUEUE, type Work } from './job-queue.js'
import { tryDelivery } from './try-delivery.js'

export interface WebhookWorkOptions {
  store: Pick<BatchStore, 'find' | 'listItems' | 'setWebhook'>
  deliver: DeliverWebhook
  clock: Clock
  onFailure(error: unknown): void
}

/** Waits before the second attempt and those after it; an hour and a half in all. */
const PAUSES_MS = [5_000, 30_000, 300_000, 1_500_000, WEBHOOK_QUEUE.longestPauseMs]

/** One attempt to tell a webhook that its batch is finished; its owner may ask for another. */
export function createWebhookWork({ store, deliver, clock, onFailure }: WebhookWorkOptions): Work {
  return async (id, signal) => {
    const batch = await store.find(id)
    const webhook = batch?.webhook
    if (!batch || !webhook || batch.finishedAt === undefined || batch.webhookState !== 'waiting') return undefined
    const body = await writeEvent(store, clock, batch)
    const record = (delivery: Delivery) => store.setWebhook(id, delivery)
    const attempts = batch.webhookAttempts
    const send = (stop: AbortSignal) => deliver(webhook, body, stop)
    return tryDelivery({ send, attempts, pausesMs: PAUSES_MS, record, onFailure }, signal)
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
