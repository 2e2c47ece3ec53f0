import type { Readable } from 'node:stream'
import { Pool } from 'undici'
import { BaseError } from '../errors.js'
import { RpcBudgetError } from './budget.js'

export interface HttpReply {
  status: number
  body: Buffer
  retryAfterMs: number | undefined
}

export interface HttpTransport {
  /**
   * One HTTP request. Rejects with {@link RpcTimeoutError}, {@link RpcConnectionError} or {@link RpcOversizeError}, or with `RpcBudgetError`
   * when the signal fires. Never follows a redirect: to whoever sends one it is an answer with status 3xx and no JSON in it.
   */
  post(body: string, options: { timeoutMs: number; signal?: AbortSignal | undefined }): Promise<HttpReply>
  close(): Promise<void>
}

/** Keeps connections to one node open. `url` may hold credentials: it goes nowhere but to the node. */
export function createHttpTransport({ url, maxBytes }: { url: URL; maxBytes: number }): HttpTransport {
  const pool = new Pool(url.origin, {
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  })
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
  if (url.username !== '' || url.password !== '') headers.authorization = basicAuthorization(url)
  const path = `${url.pathname}${url.search}`

  return {
    async post(body, { timeoutMs, signal }) {
      const controller = new AbortController()
      const timer = setTimeout(() => controller.abort(new RpcTimeoutError(timeoutMs)), timeoutMs)
      const stop = () => controller.abort(new RpcBudgetError('cancelled'))
      if (signal?.aborted) stop()
      signal?.addEventListener('abort', stop, { once: true })
      try {
        const reply = await pool.request({ method: 'POST', path, headers, body, signal: controller.signal })
        return {
          status: reply.statusCode,
          body: await readBody(reply.body, reply.headers, maxBytes),
          retryAfterMs: parseRetryAfter(reply.headers['retry-after']),
        }
      } catch (error) {
        if (controller.signal.aborted) throw controller.signal.reason
        throw error instanceof BaseError ? error : new RpcConnectionError(error)
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
      }
    },
    close: () => pool.destroy(),
  }
}

/** Enough for the batches of all requests that are served at once; more would only queue at the node. */
const MAX_CONNECTIONS = 32
/** Longer than the pause between two requests of a busy service; the node's own `Keep-Alive` answer shortens it. */
const KEEP_ALIVE_MS = 30_000
const MAX_HEADER_BYTES = 16_384
const CONNECT_TIMEOUT_MS = 2_500
/** A node that asks for a longer pause is asked again after this long all the same. */
const MAX_RETRY_AFTER_MS = 60_000

async function readBody(
  body: Readable,
  headers: Record<string, string | string[] | undefined>,
  maxBytes: number,
): Promise<Buffer> {
  // A body that is given up on may still fail later; nobody waits for that.
  body.on('error', () => {})
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    body.destroy()
    throw new RpcConnectionError(new Error('compressed although not asked for'))
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    body.destroy()
    throw new RpcOversizeError(maxBytes)
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new RpcOversizeError(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** Seconds only: the date form would make us trust the node's clock. */
function parseRetryAfter(value: string | string[] | undefined): number | undefined {
  if (typeof value !== 'string' || !/^\d{1,9}$/.test(value)) return undefined
  return Math.min(Number(value) * 1_000, MAX_RETRY_AFTER_MS)
}

function basicAuthorization({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** No whole answer came in time, whether the node was silent or dripped. */
export class RpcTimeoutError extends BaseError {
  override readonly name = 'RpcTimeoutError'
  constructor(timeoutMs: number) {
    super('A chain node did not answer in time', { details: `${Math.round(timeoutMs)} ms` })
  }
}

/** The connection could not be made, or broke. */
export class RpcConnectionError extends BaseError {
  override readonly name = 'RpcConnectionError'
  /** The cause itself is dropped: its message may name the host, and providers put credentials there. */
  constructor(cause: unknown) {
    super('A chain node could not be reached', {
      details: cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason',
    })
  }
}

export class RpcOversizeError extends BaseError {
  override readonly name = 'RpcOversizeError'
  constructor(maxBytes: number) {
    super('A chain node sent too much', { details: `more than ${maxBytes} bytes` })
  }
}
