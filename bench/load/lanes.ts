import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'undici'

/** One thing to ask. `path` defaults to the simulation. */
export interface Question {
  path?: string
  key: string
  body: string
}

export interface Outcome {
  status: number
  ms: number
  retryAfter: string | undefined
  /** Of a failure. */
  code: string | undefined
  /** The verdict says that our work did not finish. */
  isUnfinished: boolean
  /** What is wrong with the answer itself: not our envelope, or none at all. */
  problem: string | undefined
}

export interface LanesOptions {
  url: string
  /** Connections, each with one request at a time. */
  lanes: number
  signal: AbortSignal
  next(): Question
  onOutcome(outcome: Outcome, question: Question): void
  /** How long a lane rests after a refusal; a client that never rests measures refusals. */
  restMs?: number
}

const SIMULATE = '/api/simulate/execute-simulation'
/** Longer than the service may take; what is not here by then is lost. */
const PATIENCE_MS = 30_000

/**
 * Asks over as many connections as there are lanes until `signal` fires, and waits for the last
 * answers.
 */
export async function runLanes({ url, lanes, signal, next, onOutcome, restMs = 0 }: LanesOptions): Promise<void> {
  setMaxListeners(0, signal)
  const lane = async () => {
    const client = new Client(url, { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, pipelining: 1 })
    while (!signal.aborted) {
      const question = next()
      const outcome = await ask(client, question)
      onOutcome(outcome, question)
      if (restMs > 0 && outcome.status !== 200) await sleep(restMs, undefined, { signal }).catch(() => {})
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

export async function ask(client: Client, { path = SIMULATE, key, body }: Question): Promise<Outcome> {
  const start = performance.now()
  try {
    const {
      statusCode,
      headers,
      body: answer,
    } = await client.request({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    })
    const text = await answer.text()
    return {
      status: statusCode,
      ms: performance.now() - start,
      retryAfter: headers['retry-after']?.toString(),
      code: /"code":"(\w+)"\}$/.exec(text)?.[1],
      isUnfinished: text.includes(UNFINISHED),
      problem: problemIn(statusCode, text),
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const problem = `no answer: ${code ?? message}`
    return {
      status: 0,
      ms: performance.now() - start,
      retryAfter: undefined,
      code: undefined,
      isUnfinished: false,
      problem,
    }
  }
}

const UNFINISHED = '"headline":"Our analysis did not finish."'

/** Every answer says whether it succeeded, and if not, why. */
function problemIn(status: number, text: string): string | undefined {
  let body: { success?: unknown; errorReason?: unknown; code?: unknown }
  try {
    body = JSON.parse(text)
  } catch {
    return `${status} without JSON`
  }
  if (body.success === true && status === 200) return undefined
  if (body.success !== false || status === 200) return `${status} with success ${String(body.success)}`
  return typeof body.errorReason === 'string' && typeof body.code === 'string'
    ? undefined
    : `${status} without a reason`
}

/** The value that a share of all values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** What became of the questions of one measurement. */
export interface Summary {
  answered: number
  /** Answers with a report, for each second. */
  rate: number
  busy: number
  p50: number
  p95: number
  p99: number
}

/**
 * Runs lanes for `seconds`. Rejects when an answer was outside the envelope, missing, a failure, or
 * busy without saying when to come back.
 */
export async function measureLanes(options: Omit<LanesOptions, 'signal'>, seconds: number): Promise<Summary> {
  const times: number[] = []
  const wrong = new Set<string>()
  let busy = 0
  let inTime = 0
  const start = performance.now()
  await runLanes({
    ...options,
    signal: AbortSignal.timeout(seconds * 1_000),
    onOutcome(outcome, question) {
      const { status, ms, problem, retryAfter } = outcome
      if (status === 200) times.push(ms)
      if (status === 200 && performance.now() - start <= seconds * 1_000) inTime += 1
      if (status === 503) busy += 1
      if (problem !== undefined) wrong.add(problem)
      else if (status === 503 && retryAfter === undefined) wrong.add('503 without Retry-After')
      else if (status !== 200 && status !== 503) wrong.add(`status ${status}`)
      options.onOutcome(outcome, question)
    },
  })
  if (wrong.size > 0) throw new Error([...wrong].join('; '))
  times.sort((a, b) => a - b)
  const [p50 = Number.NaN, p95 = Number.NaN, p99 = Number.NaN] = [0.5, 0.95, 0.99].map((share) =>
    percentile(times, share),
  )
  return { answered: times.length, rate: inTime / seconds, busy, p50, p95, p99 }
}

export const timesOf = ({ p50, p95, p99 }: Summary): string =>
  `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
