import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import pg from 'pg'
import { Client } from 'undici'
import { cpuSecondsOf, residentMbOf, type ServiceProcess } from '../service-process.js'
import { median, report } from '../speed/measure.js'
import { ask, measureLanes, percentile, type Question } from './lanes.js'
import { askAnew, inTurn, type LoadStage, questionOf, startStage } from './stage.js'
import { predictWait } from './waiting.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
const WARM_UP_CHECKS = 40
const SINGLE_CHECKS = 30
const CORES = 2
/** Without blocks each question would ask for one that is due. */
const BLOCK_SECONDS = 12
/** Parts of what the service can do that are asked of it, at random moments. */
const LOADS = [0.3, 0.5, 0.7]
const STORE_LANES = 16
const REDIS_URL = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
const DATABASE_URL = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

/**
 * What one check costs a processor, a node and a store, and whether a queue model tells how long
 * checks wait: what `docs/scaling.md` reckons with.
 */
export async function run(): Promise<void> {
  const stage = await startStage({ tokens: 24, keys: 64, blockEverySeconds: BLOCK_SECONDS })
  try {
    const next = askAnew(stage)
    const inspected = askInspected(stage)
    await alone(stage, inspected, WARM_UP_CHECKS)
    await oneByOne(stage, 'an inspected token', inspected)
    await together(stage, 'inspected tokens', inspected)
    await alone(stage, next, WARM_UP_CHECKS)
    const service = await oneByOne(stage, 'a known token', next)
    const rate = await together(stage, 'known tokens', next)
    for (const part of LOADS) await atRandom(stage, next, { rate: rate * part, part, service })
    report('resident memory afterwards', residentMbOf(stage.service.pid), 'MB')
    const second = await startStage({ tokens: 24, keys: 64, blockEverySeconds: BLOCK_SECONDS })
    try {
      await alone(second, askAnew(second), WARM_UP_CHECKS)
      await sideBySide([stage, second])
    } finally {
      await second.stop()
    }
  } finally {
    await stage.stop()
  }
  await stores()
}

/** Milliseconds of each of so many checks, one after the other. */
async function alone({ service }: LoadStage, next: () => Question, count: number): Promise<number[]> {
  const client = new Client(service.url)
  const times: number[] = []
  for (let i = 0; i < count; i += 1) {
    const { ms, status } = await ask(client, next())
    if (status !== 200) throw new Error(`a check was answered ${status}`)
    times.push(ms)
  }
  await client.close()
  return times
}

interface Service {
  /** Seconds of processor time that one check takes. */
  cpu: number
  /** Spread of that, as its standard deviation in parts of the mean. */
  spread: number
}

/**
 * Questions that have all of a token inspected: an amount of another order each time, while there
 * are any.
 */
function askInspected({ tokens, keys }: LoadStage): () => Question {
  const key = inTurn(keys)
  let asked = 0
  return () => {
    const amount = FIRST_AMOUNT * 4n ** BigInt(Math.floor(asked / tokens.length))
    const token = tokens[asked % tokens.length]
    asked += 1
    return { key: key(), body: questionOf(token, { amount }) }
  }
}

/** Wei; twelve orders above are a hundredth of the pool and more. */
const FIRST_AMOUNT = 10n ** 11n

async function oneByOne(stage: LoadStage, what: string, next: () => Question): Promise<Service> {
  const [before, calls] = [cpuSecondsOf(stage.service.pid), await rpcOf(stage.service)]
  const times = await alone(stage, next, SINGLE_CHECKS)
  const cpu = (cpuSecondsOf(stage.service.pid) - before) / SINGLE_CHECKS
  const asked = await rpcOf(stage.service)
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  const spread = Math.sqrt(times.reduce((sum, ms) => sum + (ms - mean) ** 2, 0) / times.length) / mean
  report(`${what}, processor time`, cpu * 1_000, 'ms', `by the clock p50 ${median(times).toFixed(0)} ms`)
  report('requests to the node for it', (asked.requests - calls.requests) / SINGLE_CHECKS, '')
  report('calls in these', (asked.calls - calls.calls) / SINGLE_CHECKS, '')
  report('bytes from the node', (asked.bytes - calls.bytes) / SINGLE_CHECKS / 1_000, 'kB')
  return { cpu, spread }
}

/** Checks a second when more is asked than can be done. */
async function together(stage: LoadStage, what: string, next: () => Question): Promise<number> {
  const before = cpuSecondsOf(stage.service.pid)
  const { rate } = await measureLanes({ url: stage.service.url, lanes: 8, next, onOutcome() {} }, SECONDS)
  const used = cpuSecondsOf(stage.service.pid) - before
  report(`${what}, 8 connections`, rate, '1/s', `${((used / SECONDS) * 100).toFixed(0)} % of a processor`)
  return rate
}

/** Requests that do not wait for each other, as from many clients: measured beside the model. */
async function atRandom(
  { service }: LoadStage,
  next: () => Question,
  { rate, part, service: { cpu, spread } }: { rate: number; part: number; service: Service },
): Promise<void> {
  const clients = Array.from({ length: 64 }, () => new Client(service.url))
  const client = inTurn(clients)
  const times: number[] = []
  const answers: Promise<void>[] = []
  const end = performance.now() + 2 * SECONDS * 1_000
  while (performance.now() < end) {
    await sleep((-Math.log(1 - Math.random()) * 1_000) / rate)
    answers.push(ask(client(), next()).then(({ ms, status }) => void (status === 200 && times.push(ms))))
  }
  await Promise.all(answers)
  await Promise.all(clients.map((each) => each.close()))
  const waited = predictWait({ rate, seconds: cpu, servers: CORES, spread })
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  const sorted = times.toSorted((a, b) => a - b)
  const rest = `p95 ${percentile(sorted, 0.95).toFixed(0)} ms, the model says ${((waited + cpu) * 1_000).toFixed(0)}`
  report(`at ${part * 100} % of that, mean`, mean, 'ms', rest)
}

/** Two processes with a node each, on the same processors. */
async function sideBySide(stages: readonly LoadStage[]): Promise<void> {
  const rates = await Promise.all(
    stages.map((stage) =>
      measureLanes({ url: stage.service.url, lanes: 4, next: askAnew(stage), onOutcome() {} }, SECONDS),
    ),
  )
  report(
    'two processes, 4 connections each',
    rates.reduce((sum, { rate }) => sum + rate, 0),
    '1/s',
    'together',
  )
}

/** What the service counts of its requests to nodes. */
async function rpcOf({ metricsUrl }: ServiceProcess): Promise<{ requests: number; calls: number; bytes: number }> {
  const text = await (await fetch(metricsUrl)).text()
  const sumOf = (name: string) =>
    [...text.matchAll(new RegExp(`^assay_rpc_${name}_total\\{[^}]*\\} (\\S+)`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    )
  return { requests: sumOf('requests'), calls: sumOf('calls'), bytes: sumOf('received_bytes') }
}

/** Small reads and writes of the stores, from this process. */
async function stores(): Promise<void> {
  const redis = new Redis(REDIS_URL)
  const key = `assay-bench-${process.pid}`
  await many('Redis, set and get', () => redis.set(key, 'x'.repeat(64), 'EX', 60).then(() => redis.get(key)))
  redis.disconnect()
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: STORE_LANES })
  const table = `assay_bench_${process.pid}`
  await pool.query(`create unlogged table ${table} (id bigserial primary key, body text)`)
  try {
    await many('PostgreSQL, one row written', () =>
      pool.query(`insert into ${table} (body) values ($1)`, ['x'.repeat(1_000)]),
    )
    await many('PostgreSQL, one row read', () => pool.query(`select body from ${table} where id = 1`))
  } finally {
    await pool.query(`drop table ${table}`)
    await pool.end()
  }
}

async function many(name: string, work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 3_000
  let done = 0
  const lane = async () => {
    for (; performance.now() < end; done += 1) await work()
  }
  await Promise.all(Array.from({ length: STORE_LANES }, lane))
  report(name, done / 3, '1/s', `${STORE_LANES} at a time`)
}
