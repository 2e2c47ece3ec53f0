import { createHmac } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import { BaseError } from '../errors.js'
import type { Webhook } from './batch.js'
import { type ResolvedAddress, resolvePublic } from './public-address.js'

/** Tells a client's own server something. Rejects when the server did not confirm it with a 2xx. */
export type DeliverWebhook = (webhook: Webhook, body: string) => Promise<void>

/** A receiver stores the message and does its work later. */
const TIMEOUT_MS = 10_000

/**
 * Posts to exactly the address that was checked, follows no redirects and reads nothing of the
 * answer but its status: what lies behind the service must not be reachable through it.
 */
export function createDeliverWebhook(options: { allowPrivate: boolean; now(): number }): DeliverWebhook {
  return async ({ url, secret }, body) => {
    const resolved = await resolvePublic(new URL(url).hostname, options)
    const agent = new Agent({
      connect: { lookup: pinTo(resolved), timeout: TIMEOUT_MS },
      headersTimeout: TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    })
    try {
      const { statusCode } = await request(url, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Assay',
          'x-assay-signature': signWebhook({ secret, body, at: Math.floor(options.now() / 1_000) }),
        },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (statusCode < 200 || statusCode > 299) throw new WebhookRefusedError(statusCode)
    } finally {
      await agent.destroy()
    }
  }
}

const MAX_HEADER_BYTES = 8 * 1024

/**
 * `t=<seconds>,v1=<hex>`: HMAC-SHA256 over `<seconds>.<body>`, so that an old message cannot be
 * sent again as a new one.
 */
export function signWebhook({ secret, body, at }: { secret: string; body: string; at: number }): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}

function pinTo({ address, family }: ResolvedAddress): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}

/** The receiver answered, but not with a 2xx. */
class WebhookRefusedError extends BaseError {
  override readonly name = 'WebhookRefusedError'

  constructor(status: number) {
    super(`The receiver of the webhook answered ${status}`, { docs: 'docs/interfaces.md' })
  }
}
