import { Client } from 'undici'
import type { Limitation } from '../../test/fault-proxy/limited-node.js'
import { report } from '../speed/measure.js'
import { ask, measureLanes, timesOf } from './lanes.js'
import { askAnew, type LoadStage, questionOf, startStage } from './stage.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4)
/** On this machine, in the same city, on another continent. */
const DELAYS_MS = [0, 30, 100]
const CONNECTIONS = [1, 16, 64]
/** Of the rate with a node on this machine, what must be left with the most connections. */
const SMALLEST_SHARE_PERCENT = 50
/** The plainest kind there is: each value is a question of its own. */
const PLAIN: readonly Limitation[] = ['overrides', 'batch', 'debug_traceCall', 'eth_getStorageValues']
const PLAIN_DELAY_MS = 30
const TOKENS = 8
const KEYS = 16
const BLOCK_SECONDS = 12

/**
 * Analyses of known tokens when the node is far away: an analysis that waits for a node should keep
 * no other waiting. Then with a node that can do next to nothing: however many ask, no request may
 * run out of time for want of a connection.
 */
export async function run(): Promise<void> {
  let nearest = Number.NaN
  for (const delayMs of DELAYS_MS) {
    const rate = await measure(`${delayMs} ms`, { delayMs })
    nearest = delayMs === 0 ? rate : nearest
    const share = (100 * rate) / nearest
    report(`${delayMs} ms, share of the rate`, share, '%', share < SMALLEST_SHARE_PERCENT ? 'MISSED' : '')
  }
  await measure(`${PLAIN_DELAY_MS} ms, plain`, { delayMs: PLAIN_DELAY_MS, limitations: PLAIN })
}

async function askOnce({ service, keys: [key] }: LoadStage, token: string): Promise<void> {
  const client = new Client(service.url)
  const { status } = await ask(client, { key: key ?? '', body: questionOf(token) })
  await client.close()
  if (status !== 200) throw new Error(`a new token was answered ${status}`)
}

/** The rate with the most connections. */
async function measure(name: string, node: { delayMs: number; limitations?: readonly Limitation[] }): Promise<number> {
  const stage = await startStage({ tokens: TOKENS, keys: KEYS, blockEverySeconds: BLOCK_SECONDS, node })
  const base = { url: stage.service.url, next: askAnew(stage), onOutcome() {} }
  let last = Number.NaN
  try {
    // Known, as the name says: with the plainest node a new token takes some hundred requests.
    for (const token of stage.tokens) await askOnce(stage, token)
    await measureLanes({ ...base, lanes: 2 }, SECONDS / 2)
    for (const lanes of CONNECTIONS) {
      const summary = await measureLanes({ ...base, lanes }, SECONDS)
      const refused = summary.busy > 0 ? `, ${summary.busy} refused` : ''
      report(`node at ${name}, ${lanes} connections`, summary.rate, '1/s', `${timesOf(summary)}${refused}`)
      last = summary.rate
    }
    return last
  } finally {
    await stage.stop()
  }
}
