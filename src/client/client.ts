import { type FailureCode, type Operations, operations } from './operations.js'

export type * from './operations.js'

export interface ClientOptions {
  /** Where the service is, for instance `https://assay.example`. */
  baseUrl: string
  apiKey: string
  /** Instead of the platform's own. */
  fetch?: typeof fetch
  /**
   * How often a request is repeated that was refused because of a limit (429) or too much work
   * (503).
   */
  maxRetries?: number
  /** A wait that the service asks for and that is longer than this is the caller's to decide. */
  maxWaitMs?: number
  /** For one attempt, from the first byte to the last. */
  timeoutMs?: number
}

export interface RequestOptions {
  /** Ends the request and the waiting between attempts. */
  signal?: AbortSignal
}

/**
 * One method per route that a key opens. Each rejects with {@link AssayFailure} or {@link
 * AssayConnectionError}, or with the reason of its signal.
 */
export type AssayClient = {
  [Name in keyof Operations]: (
    request: Operations[Name]['request'],
    options?: RequestOptions,
  ) => Promise<Operations[Name]['answer']>
}

/**
 * Asks an Assay service. Needs nothing but `fetch`.
 *
 * @example
 * const assay = createClient({ baseUrl: 'https://assay.example', apiKey })
 * const { honeypotResponse } = await assay.checkHoneypot({ targetContractAddress, chainId: 1 })
 */
export function createClient(options: ClientOptions): AssayClient {
  const names = Object.keys(operations) as (keyof Operations)[]
  const methods = names.map((name) => [
    name,
    (request: object, { signal }: RequestOptions = {}) => ask(options, name, request, signal),
  ])
  return Object.fromEntries(methods)
}

const DEFAULTS = { maxRetries: 2, maxWaitMs: 60_000, timeoutMs: 30_000 }

async function ask(
  options: ClientOptions,
  name: keyof Operations,
  request: object,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { maxRetries = DEFAULTS.maxRetries, maxWaitMs = DEFAULTS.maxWaitMs } = options
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await askOnce(options, name, request, signal)
    } catch (error) {
      if (!(error instanceof AssayFailure) || attempt >= maxRetries) throw error
      const waitMs = error.retryAfterMs
      if (waitMs === undefined || waitMs > maxWaitMs) throw error
      await pause(waitMs, signal)
    }
  }
}

async function askOnce(
  { baseUrl, apiKey, fetch: send = fetch, timeoutMs = DEFAULTS.timeoutMs }: ClientOptions,
  name: keyof Operations,
  request: object,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { method } = operations[name]
  const hasBody = method === 'POST' || method === 'PATCH'
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(urlOf(baseUrl, name, request), {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(hasBody && { 'content-type': 'application/json' }),
      },
      ...(hasBody && { body: JSON.stringify(request) }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    const answer = await response.json()
    if (response.ok) return answer
    throw new AssayFailure(response, answer)
  } catch (error) {
    if (error instanceof AssayFailure) throw error
    signal?.throwIfAborted()
    throw new AssayConnectionError(error)
  }
}

function urlOf(baseUrl: string, name: keyof Operations, request: object): string {
  const { path, params, query } = operations[name]
  const fields = new Map<string, unknown>(Object.entries(request))
  const textOf = (field: string) => encodeURIComponent(String(fields.get(field) ?? ''))
  const filled = (params as readonly string[]).reduce((url, field) => url.replace(`{${field}}`, textOf(field)), path)
  const asked = (query as readonly string[]).filter((field) => fields.get(field) !== undefined)
  const search = asked.map((field) => `${field}=${textOf(field)}`).join('&')
  return `${baseUrl.replace(/\/$/, '')}${filled}${search === '' ? '' : `?${search}`}`
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }, ms)
    signal?.addEventListener('abort', leave, { once: true })
  })
}

/** The service answered that it will not, or could not. */
export class AssayFailure extends Error {
  override readonly name = 'AssayFailure'
  readonly status: number
  /** Stable; `undefined` when something between client and service answered. */
  readonly code: FailureCode | undefined
  /** Of a 429 or 503: when to come back. */
  readonly retryAfterMs: number | undefined
  /** For the operator's log. */
  readonly requestId: string | undefined

  constructor({ status, headers }: Response, body: unknown) {
    const fields = new Map<string, unknown>(typeof body === 'object' && body !== null ? Object.entries(body) : [])
    super(String(fields.get('errorReason') ?? `The service answered ${status}`))
    this.status = status
    this.code = fields.get('code') as FailureCode | undefined
    this.retryAfterMs = status === 429 || status === 503 ? readRetryAfter(headers.get('retry-after')) : undefined
    this.requestId = headers.get('x-request-id') ?? undefined
  }
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}

/** No answer, or one that is no JSON: nothing is known about the request. */
export class AssayConnectionError extends Error {
  override readonly name = 'AssayConnectionError'

  constructor(cause: unknown) {
    super('The service could not be reached', { cause })
  }
}
