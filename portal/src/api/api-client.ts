import type { Failure } from './reports.js'

/** What one hears who has neither a wallet nor a key here, and no free check left. */
export const WANTS_SIGN_IN: ReadonlySet<string> = new Set(['authorization_required', 'session_required', 'guest_limit'])

/** The service answered that it could not, or did not answer. */
export class RequestError extends Error {
  readonly failure: Failure
  readonly status: number
  /** Seconds until it is worth trying again, where the service says. */
  readonly retryAfter: number | undefined

  constructor(status: number, failure: Failure, retryAfter?: number) {
    super(failure.errorReason)
    this.failure = failure
    this.status = status
    this.retryAfter = retryAfter
  }
}

export interface Wallet {
  id: string
  address: string
  kind: 'ethereum' | 'contract' | 'solana'
}

export interface ApiKey {
  id: string
  label: string
  origins: string[]
  masked: string
  tier: string
  limits: { analysis: number; general: number }
  createdAt: string
  lastUsedAt: string | null
}

/** What an address or a name is. */
export interface Lookup {
  address: string
  chains: { id: number; name: string }[]
  unanswered: { id: number; name: string }[]
}

/** How far a batch is. */
export interface BatchProgress {
  id: string
  status: 'waiting' | 'finished'
  createdAt: string
  total: number
  waiting: number
  done: number
  failed: number
}

export type DeliveryState = 'waiting' | 'failed' | 'delivered'

/** How far the webhook of a finished batch is. */
export interface Delivery {
  /** Of the batch. */
  id: string
  host: string | null
  webhook: DeliveryState
  attempts: number
  failure: string | null
  finishedAt: string | null
}

export const api = {
  chains: () =>
    ask<{
      chains: { id: number | string; name: string; coin: string }[]
      examples: { name: string; chainId: number | string; address: string }[]
    }>('GET', '/api/chains'),
  lookup: (q: string) => ask<Lookup>('GET', `/api/lookup?${new URLSearchParams({ q })}`),
  session: () => ask<{ wallet: Wallet | null }>('GET', '/api/auth/session'),
  nonce: (chain: string, address: string) =>
    ask<{ message: string }>('GET', `/api/auth/nonce?${new URLSearchParams({ chainId: chain, address })}`),
  verify: (message: string, signature: string) =>
    ask<{ wallet: Wallet }>('POST', '/api/auth/verify', { message, signature }),
  logout: () => ask('POST', '/api/auth/logout'),
  keys: () => ask<{ keys: ApiKey[]; maxKeys: number }>('GET', '/api/keys'),
  createKey: (label: string, origins: string[]) =>
    ask<ApiKey & { key: string }>('POST', '/api/keys', { label, origins }),
  rotateKey: (id: string) => ask<ApiKey & { key: string }>('POST', `/api/keys/${encodeURIComponent(id)}/rotate`),
  revokeKey: (id: string) => ask('DELETE', `/api/keys/${encodeURIComponent(id)}`),
  batches: (key: string) => ask<{ batches: BatchProgress[] }>('GET', '/api/batch', undefined, key),
  webhooks: (key: string, state: DeliveryState) =>
    ask<{ webhooks: Delivery[] }>('GET', `/api/batch/webhooks?${new URLSearchParams({ state })}`, undefined, key),
  redeliver: (key: string, id: string) => ask('POST', `/api/batch/${encodeURIComponent(id)}/webhook`, undefined, key),
}

export async function ask<T = unknown>(method: string, path: string, body?: object, key?: string): Promise<T> {
  const response = await send(path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as T
}

/** As `fetch`, but what is no success is a {@link RequestError}. */
export async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new RequestError(0, { errorReason: 'The service does not answer', code: 'unreachable' })
  })
  if (response.ok) return response
  const failure: unknown = await response.json().catch(() => undefined)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  throw new RequestError(
    response.status,
    isFailure(failure)
      ? failure
      : { errorReason: `The service answered with status ${response.status}`, code: 'unknown' },
    Number.isNaN(retryAfter) ? undefined : retryAfter,
  )
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'errorReason' in value && typeof value.errorReason === 'string'
}
