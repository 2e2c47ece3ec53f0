import type { Delivery } from '../batches/batch-store.js'
import type { DeliverWebhook } from '../batches/deliver-webhook.js'
import { ALERT_QUEUE, type Work } from '../batches/job-queue.js'
import { tryDelivery } from '../batches/try-delivery.js'
import type { Clock } from '../clock.js'
import { toAlertBody } from './to-alert-body.js'
import type { WatchStore } from './watch-store.js'

export interface AlertWorkOptions {
  store: Pick<WatchStore, 'find' | 'findAlert' | 'setDelivery'>
  deliver: DeliverWebhook
  clock: Clock
  onFailure(error: unknown): void
}

/** Waits before the second attempt and those after it: an alert is of use while it is new. */
export const PAUSES_MS = [2_000, 10_000, 60_000, 300_000, ALERT_QUEUE.longestPauseMs]

/** One attempt to tell a webhook of an alert. */
export function createAlertWork({ store, deliver, clock, onFailure }: AlertWorkOptions): Work {
  return async (id, signal) => {
    const alert = await store.findAlert(id)
    if (alert === undefined || alert.webhookState !== 'waiting') return undefined
    const webhook = (await store.find(alert.watchId))?.webhook
    const record = (delivery: Delivery) => store.setDelivery(id, delivery)
    const { attempts } = alert
    if (webhook === undefined) {
      await record({ state: 'failed', attempts, failure: 'The watch has no webhook any more' })
      return undefined
    }
    const sentAt = new Date(clock.now()).toISOString()
    const body = JSON.stringify({ type: 'watch.alert', ...toAlertBody(alert), sentAt })
    const send = (stop: AbortSignal) => deliver(webhook, body, stop)
    return tryDelivery({ send, attempts, pausesMs: PAUSES_MS, record, onFailure }, signal)
  }
}
