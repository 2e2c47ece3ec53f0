import { createHmac } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import { BaseError } from '../errors.js'
import type { Webhook } from './batch.js'
import { PrivateAddressError, type ResolvedAddress, resolvePublic } from './public-address.js'

/**
 * Tells a client's own server something. Rejects with one of {@link WebhookFailure} when the server
 * did not confirm it with a 2xx in time, and with the signal's reason when that fires before.
 */
export type DeliverWebhook = (webhook: Webhook, body: string, signal: AbortSignal) => Promise<void>

export interface DeliverOptions {
  allowPrivate: boolean
  /** Milliseconds since 1970. */
  now(): number
  /** To ask instead of the system's, as `address:port`. */
  nameServers?: readonly string[]
  timeoutMs?: number
}

/** A receiver stores the message and does its work later. */
const TIMEOUT_MS = 10_000

/**
 * Posts to exactly the address that was checked, follows no redirects and reads nothing of the
 * answer but its status: what lies behind the service must not be reachable through it.
 */
export function createDeliverWebhook({ timeoutMs = TIMEOUT_MS, now, ...where }: DeliverOptions): DeliverWebhook {
  return async ({ url, secret }, body, stop) => {
    const late = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([stop, late])
    try {
      const resolved = await resolvePublic(new URL(url).hostname, { ...where, signal })
      const signature = signWebhook({ secret, body, at: Math.floor(now() / 1_000) })
      const status = await post({ url, body, signature, resolved, timeoutMs, signal })
      if (status < 200 || status > 299) throw new WebhookRefusedError(status)
    } catch (error) {
      stop.throwIfAborted()
      throw late.aborted ? new WebhookLateError(error) : toFailure(error)
    }
  }
}

interface Message {
  url: string
  body: string
  signature: string
  resolved: ResolvedAddress
  timeoutMs: number
  signal: AbortSignal
}

async function post({ url, body, signature, resolved, timeoutMs, signal }: Message): Promise<number> {
  const agent = new Agent({
    connect: { lookup: pinTo(resolved), timeout: timeoutMs },
    headersTimeout: timeoutMs,
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  try {
    const { statusCode } = await request(url, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', 'user-agent': 'Assay', 'x-assay-signature': signature },
      body,
      signal,
    })
    return statusCode
  } finally {
    await agent.destroy()
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

/** Why a message was not delivered; the text may reach the owner of the webhook. */
export type WebhookFailure = WebhookRefusedError | WebhookLateError | WebhookUnreachableError | PrivateAddressError

const toFailure = (error: unknown): WebhookFailure =>
  error instanceof PrivateAddressError || error instanceof WebhookRefusedError
    ? error
    : new WebhookUnreachableError(error)

/** The receiver answered, but not with a 2xx. */
class WebhookRefusedError extends BaseError {
  override readonly name = 'WebhookRefusedError'

  constructor(status: number) {
    super(`The receiver answered ${status}`, { docs: 'docs/interfaces.md' })
  }
}

/** The receiver did not answer in its time. */
class WebhookLateError extends BaseError {
  override readonly name = 'WebhookLateError'

  constructor(cause: unknown) {
    super('The receiver did not answer in time', { cause, docs: 'docs/interfaces.md' })
  }
}

/** No connection could be made, or it broke. */
class WebhookUnreachableError extends BaseError {
  override readonly name = 'WebhookUnreachableError'

  constructor(cause: unknown) {
    super('The receiver could not be reached', { cause, docs: 'docs/interfaces.md' })
  }
}
