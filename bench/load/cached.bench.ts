import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type autocannon from 'autocannon'
import { cpuSecondsOf } from '../service-process.js'
import { median, report } from '../speed/measure.js'
import { type LoadStage, questionOf, startStage } from './stage.js'

/**
 * Seconds of each measurement; the answer is known until the next block is due, which takes twelve.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 1)
const ROUNDS = 7
const WARM_UP_SECONDS = 2
/** An address may hold 256. */
const CONNECTIONS = [1, 4, 16, 64, 200]
/** With the highest limits there are, enough for 10,000 answers a second. */
const KEYS = 64
const SIMULATE = '/api/simulate/execute-simulation'
const TARGET_PERCENT = 50

/**
 * A cached analysis, by the service as it is shipped: keys in the database, limits, log. Beside it
 * a bare Fastify route that sends as many bytes. Each has a process of its own, and so has the
 * client; on a busy machine the answers for a second of processor time mean more than those for a
 * second.
 */
export async function run(): Promise<void> {
  const stage = await startStage({ tokens: 1, keys: KEYS })
  const text = await refresh(stage)
  const bare = fork(join(import.meta.dirname, 'bare-server.ts'))
  bare.send(text)
  const [bareUrl] = await once(bare, 'message')
  report('size of the answer', text.length / 1_024, 'KB')
  try {
    await measureLevels(stage, { url: bareUrl, path: '/', pid: pidOf(bare) })
  } finally {
    bare.kill('SIGKILL')
    await stage.stop()
  }
}

interface Side {
  url: string
  path: string
  pid: number
}

async function measureLevels(stage: LoadStage, bare: Side): Promise<void> {
  const cached: Side = { url: stage.service.url, path: SIMULATE, pid: stage.service.pid }
  const drive = createDriver(stage)
  for (const side of [bare, cached]) {
    await refresh(stage)
    await drive(side, 16, WARM_UP_SECONDS)
  }
  for (const connections of CONNECTIONS) {
    const rounds: { bare: Drive; cached: Drive }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const ofBare = await drive(bare, connections, SECONDS)
      await refresh(stage)
      rounds.push({ bare: ofBare, cached: await drive(cached, connections, SECONDS) })
    }
    for (const side of ['bare', 'cached'] as const) {
      const runs = rounds.map((round) => round[side])
      const { latency } = runs[ROUNDS >> 1]?.result ?? { latency: undefined }
      const name = `${side === 'bare' ? 'bare Fastify' : 'cached analysis'}, ${connections} connections`
      const times = `p50 ${latency?.p50} ms, p97.5 ${latency?.p97_5} ms, p99 ${latency?.p99} ms`
      report(name, median(runs.map(({ result }) => result.requests.average)), '1/s', times)
      report(name, median(runs.map(({ perCpuSecond }) => perCpuSecond)), '1/cpu s')
    }
    for (const [of, rateOf] of MEASURES) {
      const share = median(rounds.map((round) => (100 * rateOf(round.cached)) / rateOf(round.bare)))
      const name = `cached against bare ${of}, ${connections} connections`
      report(name, share, '%', share < TARGET_PERCENT ? 'MISSED' : '')
    }
  }
}

/** A new block, and the answer at it. */
async function refresh({ devnet, service, tokens: [token], keys: [key] }: LoadStage): Promise<string> {
  await devnet.node.call('evm_mine')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const options = { method: 'POST', headers, body: questionOf(token) }
  const answer = await fetch(`${service.url}${SIMULATE}`, options)
  if (answer.status !== 200) throw new Error(`the service answered ${answer.status}: ${await answer.text()}`)
  return answer.text()
}

interface Drive {
  perCpuSecond: number
  result: autocannon.Result
}

const MEASURES: readonly (readonly [string, (drive: Drive) => number])[] = [
  ['by the clock', ({ result }) => result.requests.average],
  ['by the processor', ({ perCpuSecond }) => perCpuSecond],
]

/** Rejects when any answer is not a 200: a rate of refusals says nothing. */
function createDriver({ keys, tokens: [token] }: LoadStage) {
  return async ({ url, path, pid }: Side, connections: number, duration: number): Promise<Drive> => {
    const body = questionOf(token)
    const requests = keys.map((key) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      return { method: 'POST' as const, path, headers, body }
    })
    const before = cpuSecondsOf(pid)
    const result = await fire({ url, requests, connections, duration })
    const { non2xx, errors, statusCodeStats } = result
    if (non2xx + errors > 0)
      throw new Error(`${path}: ${errors} failed, the others by status: ${JSON.stringify(statusCodeStats)}`)
    return { result, perCpuSecond: result.requests.total / (cpuSecondsOf(pid) - before) }
  }
}

/** Runs the client in a process of its own, so that the time of the others is theirs. */
async function fire(options: autocannon.Options): Promise<autocannon.Result> {
  const child = fork(join(import.meta.dirname, 'load-client.ts'))
  child.send(options)
  const [result] = await once(child, 'message')
  return result as autocannon.Result
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('a process did not start')
  return pid
}
