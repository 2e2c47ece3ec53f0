import type { Readable } from 'node:stream'
import { Pool } from 'undici'
import { BaseError } from '../errors.js'
import { createConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import { type RpcBudget, RpcBudgetError, withinBudget } from './budget.js'

export interface HttpReply {
  status: number
  body: Buffer
  retryAfterMs: number | undefined
}

export interface HttpTransport {
  /**
   * One HTTP request. Rejects with {@link RpcTimeoutError}, {@link RpcConnectionError} or {@link
   * RpcOversizeError}, or with `RpcBudgetError` when the budget's time is over or its signal fires.
   * Never follows a redirect: it is taken as an answer with status 3xx and no JSON in it.
   */
  post(body: string, budget: RpcBudget): Promise<HttpReply>
  /** Requests that wait for a connection. */
  queued(): number
  close(): Promise<void>
}

export interface HttpTransportOptions {
  /** May hold credentials: it goes nowhere but to the node. */
  url: URL
  /** From when a connection is free for a request until its answer is here. */
  timeoutMs: number
  maxBytes: number
}

/** Keeps connections to one node open. */
export function createHttpTransport({ url, timeoutMs, maxBytes }: HttpTransportOptions): HttpTransport {
  const pool = new Pool(url.origin, {
    connections: MAX_CONNECTIONS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  })
  // The pool would queue too, but then the waits for us and for the node could not be told apart.
  // Callers take turns: where a node takes no batches, one analysis asks hundreds of questions.
  const limit = createConcurrencyLimit({ concurrency: MAX_CONNECTIONS, maxWaiting: MAX_WAITING })
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
  if (url.username !== '' || url.password !== '') headers.authorization = basicAuthorization(url)
  const path = `${url.pathname}${url.search}`

  async function exchange(body: string, budget: RpcBudget): Promise<HttpReply> {
    budget.check()
    const ownMs = budget.remainingMs()
    const controller = new AbortController()
    // Our own lack of time is not the node's failure.
    const late = () => (ownMs < timeoutMs ? new RpcBudgetError('out of time') : new RpcTimeoutError(timeoutMs))
    const stopWaiting = waitIdle(Math.min(timeoutMs, ownMs), () => controller.abort(late()))
    const stop = () => controller.abort(new RpcBudgetError('cancelled'))
    budget.signal?.addEventListener('abort', stop, { once: true })
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
      stopWaiting()
      budget.signal?.removeEventListener('abort', stop)
    }
  }

  return {
    post: (body, budget) =>
      withinBudget(
        limit.run({ caller: budget.caller ?? budget, signal: undefined }, () => exchange(body, budget)),
        budget,
      ),
    queued: () => limit.waiting,
    close: () => pool.destroy(),
  }
}

/**
 * Enough for the batches of all analyses that wait for a node at once; more would only queue there.
 */
const MAX_CONNECTIONS = 32
/** Budgets bound what waits: as many calls as one has, of as many analyses as run. */
const MAX_WAITING = Number.POSITIVE_INFINITY
/**
 * Longer than the pause between two requests of a busy service; the node's own `Keep-Alive` answer
 * shortens it.
 */
const KEEP_ALIVE_MS = 30_000
const MAX_HEADER_BYTES = 16_384
const CONNECT_TIMEOUT_MS = 2_500
/** A node that asks for a longer pause is asked again after this long all the same. */
const MAX_RETRY_AFTER_MS = 60_000

/**
 * As a timer, but time in which this thread was too busy to hear an answer does not count: the
 * answer may lie in the socket, and its lateness would be ours. The budget ends the wait in any
 * case. Gives back how to stop it.
 */
function waitIdle(ms: number, onOver: () => void): () => void {
  let leftMs = ms
  let timer: NodeJS.Timeout
  const wait = () => {
    const sliceMs = Math.min(SLICE_MS, leftMs)
    const startedAt = performance.now()
    timer = setTimeout(() => {
      const passedMs = performance.now() - startedAt
      const wasBusy = passedMs > sliceMs + SLICE_MS
      // After a busy stretch there is always one more slice, in which what has come can be heard.
      leftMs = wasBusy ? Math.max(SLICE_MS, leftMs - sliceMs) : leftMs - passedMs
      if (leftMs > 0) wait()
      else onOver()
    }, sliceMs)
  }
  wait()
  return () => clearTimeout(timer)
}

/** Most answers are there sooner, and a pause of this thread that is shorter makes no node late. */
const SLICE_MS = 100

async function readBody(
  body: Readable,
  headers: Record<string, string | string[] | undefined>,
  maxBytes: number,
): Promise<Buffer> {
  // A body that is given up on may still fail later; no caller waits for that.
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
  /**
   * The cause itself is dropped: its message may name the host, and providers put credentials
   * there.
   */
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
