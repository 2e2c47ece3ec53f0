import { type FailureCode, type Operations, operations, type Streams } from './operations.js'
import { readEvents, type ServerEvent } from './parse-events.js'

export {
  AssayTimeoutError,
  BlockedByAssayError,
  type Decision,
  defaultPolicy,
  type GuardOptions,
  guardProvider,
  type Judgement,
  type WalletProvider,
} from './guard-provider.js'
export type * from './operations.js'
export type { ServerEvent } from './parse-events.js'

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

export interface StreamOptions extends RequestOptions {
  /** The id of the last event that was seen: what came since then comes first. */
  after?: string | undefined
}

/**
 * One method per documented route but those of a browser's session. Each rejects with {@link
 * AssayFailure} or {@link AssayConnectionError}, or with the reason of its signal. Streams end when
 * the service ends them, or the connection: ask again, `after` the last event.
 */
export type AssayClient = {
  [Name in keyof Operations]: (
    request: Operations[Name]['request'],
    options?: RequestOptions,
  ) => Promise<Operations[Name]['answer']>
} & {
  [Name in keyof Streams]: (request: Streams[Name]['request'], options?: StreamOptions) => AsyncGenerator<ServerEvent>
}

/**
 * Asks an Assay service. Needs nothing but `fetch`.
 *
 * @example
 * const assay = createClient({ baseUrl: 'https://assay.example', apiKey })
 * const { honeypotResponse } = await assay.checkHoneypot({ targetContractAddress, chainId: 1 })
 */
export function createClient(options: ClientOptions): AssayClient {
  const methods = Object.entries(operations).map(([name, operation]) => {
    const method = operation.isEvents
      ? (request: object, own: StreamOptions = {}) => follow(options, operation, request, own)
      : (request: object, { signal }: RequestOptions = {}) => ask(options, operation, request, signal)
    return [name, method]
  })
  return Object.fromEntries(methods)
}

const DEFAULTS = { maxRetries: 2, maxWaitMs: 60_000, timeoutMs: 30_000 }

type Operation = (typeof operations)[keyof typeof operations]

async function ask(
  options: ClientOptions,
  operation: Operation,
  request: object,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const timeout = () => AbortSignal.timeout(options.timeoutMs ?? DEFAULTS.timeoutMs)
  return withRetries(options, signal, () => {
    const ends = signal === undefined ? timeout() : AbortSignal.any([signal, timeout()])
    return connected(signal, async () => (await send(options, operation, request, { signal: ends })).json())
  })
}

/** No bound in time but for the first byte: a stream that says nothing may still stand. */
async function* follow(
  options: ClientOptions,
  operation: Operation,
  request: object,
  { signal, after }: StreamOptions,
): AsyncGenerator<ServerEvent> {
  const late = new AbortController()
  const ends = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal])
  const headers = after === undefined ? {} : { 'last-event-id': after }
  const response = await withRetries(options, signal, async () => {
    const timer = setTimeout(() => late.abort(), options.timeoutMs ?? DEFAULTS.timeoutMs)
    return connected(signal, () => send(options, operation, request, { signal: ends, headers })).finally(() =>
      clearTimeout(timer),
    )
  })
  const events = readEvents(response)
  try {
    for (;;) {
      const { done, value } = await connected(signal, () => events.next())
      if (done) return
      yield value
    }
  } finally {
    // What is not read on is not to be sent on.
    await events.return(undefined)
  }
}

async function withRetries<T>(
  { maxRetries = DEFAULTS.maxRetries, maxWaitMs = DEFAULTS.maxWaitMs }: ClientOptions,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof AssayFailure) || attempts >= maxRetries) throw error
      const waitMs = error.retryAfterMs
      if (waitMs === undefined || waitMs > maxWaitMs) throw error
      await pause(waitMs, signal)
    }
  }
}

/** Tells a caller who left and a service that refused from one that is not there. */
async function connected<T>(signal: AbortSignal | undefined, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    if (error instanceof AssayFailure) throw error
    signal?.throwIfAborted()
    throw new AssayConnectionError(error)
  }
}

/** Rejects with {@link AssayFailure} where the service refuses. */
async function send(
  { baseUrl, apiKey, fetch: request = fetch }: ClientOptions,
  operation: Operation,
  asked: object,
  { signal, headers }: { signal: AbortSignal; headers?: Record<string, string> },
): Promise<Response> {
  const { method } = operation
  const hasBody = method === 'POST' || method === 'PATCH'
  const response = await request(urlOf(baseUrl, operation, asked), {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(hasBody && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(hasBody && { body: JSON.stringify(asked) }),
    signal,
  })
  if (!response.ok) throw new AssayFailure(response, await response.json())
  return response
}

function urlOf(baseUrl: string, { path, params, query }: Operation, request: object): string {
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
