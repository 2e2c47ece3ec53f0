import type { DeliverWebhook } from '../batches/deliver-webhook.js'
import { type Again, ALERT_QUEUE, type Work } from '../batches/job-queue.js'
import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import { toAlertBody } from './to-alert-body.js'
import type { StoredAlert, WatchStore } from './watch-store.js'

export interface AlertWorkOptions {
  store: Pick<WatchStore, 'find' | 'findAlert' | 'setDelivery'>
  deliver: DeliverWebhook
  clock: Clock
  onFailure(error: unknown): void
}

/** Waits before the second attempt and those after it: an alert is of use while it is new. */
const PAUSES_MS = [2_000, 10_000, 60_000, 300_000, ALERT_QUEUE.longestPauseMs]

/** One attempt to tell a webhook of an alert. */
export function createAlertWork({ store, deliver, clock, onFailure }: AlertWorkOptions): Work {
  return async (id, signal) => {
    const alert = await store.findAlert(id)
    if (alert === undefined || alert.webhookState !== 'waiting') return undefined
    const webhook = (await store.find(alert.watchId))?.webhook
    const attempts = alert.attempts + 1
    if (webhook === undefined) {
      await store.setDelivery(id, { state: 'failed', attempts, failure: 'The watch has no webhook any more' })
      return undefined
    }
    try {
      const sentAt = new Date(clock.now()).toISOString()
      await deliver(webhook, JSON.stringify({ type: 'watch.alert', ...toAlertBody(alert), sentAt }), signal)
    } catch (error) {
      if (signal.aborted) return { againInMs: 0 }
      onFailure(error)
      return giveUpOrWait(store, alert, error)
    }
    await store.setDelivery(id, { state: 'delivered', attempts })
    return undefined
  }
}

async function giveUpOrWait(
  store: AlertWorkOptions['store'],
  { id, attempts }: StoredAlert,
  error: unknown,
): Promise<Again | undefined> {
  const againInMs = PAUSES_MS[attempts]
  await store.setDelivery(id, {
    state: againInMs === undefined ? 'failed' : 'waiting',
    attempts: attempts + 1,
    failure: error instanceof BaseError ? error.shortMessage : 'The message could not be sent',
  })
  return againInMs === undefined ? undefined : { againInMs }
}
