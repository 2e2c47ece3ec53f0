import { report } from '../speed/measure.js'
import { measureLanes, type Question, timesOf } from './lanes.js'
import { inTurn, type LoadStage, questionOf, startStage } from './stage.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4)
/** On this machine, in the same city, on another continent. */
const DELAYS_MS = [0, 30, 100]
const CONNECTIONS = [1, 16, 64]
/** Of the rate with a node on this machine, what must be left at 64 connections. */
const SMALLEST_SHARE_PERCENT = 70
const TOKENS = 8
const KEYS = 16
const BLOCK_SECONDS = 12
const FIRST_AMOUNT = 10n ** 15n

/** Analyses of known tokens when the node is far away: whoever waits for a node should keep nobody else waiting. */
export async function run(): Promise<void> {
  let nearest = Number.NaN
  for (const nodeDelayMs of DELAYS_MS) {
    const stage = await startStage({ tokens: TOKENS, keys: KEYS, blockEverySeconds: BLOCK_SECONDS, nodeDelayMs })
    try {
      const rate = await measure(stage, nodeDelayMs)
      nearest = nodeDelayMs === 0 ? rate : nearest
      const share = (100 * rate) / nearest
      const isMissed = share < SMALLEST_SHARE_PERCENT
      report(`node ${nodeDelayMs} ms away, share of the rate`, share, '%', isMissed ? 'MISSED' : '')
    } finally {
      await stage.stop()
    }
  }
}

/** The rate with the most connections. */
async function measure(stage: LoadStage, nodeDelayMs: number): Promise<number> {
  const base = { url: stage.service.url, next: askAnother(stage), onOutcome() {} }
  await measureLanes({ ...base, lanes: 2 }, SECONDS / 2)
  let last = Number.NaN
  for (const lanes of CONNECTIONS) {
    const summary = await measureLanes({ ...base, lanes }, SECONDS)
    report(`node ${nodeDelayMs} ms away, ${lanes} connections`, summary.rate, '1/s', timesOf(summary))
    last = summary.rate
  }
  return last
}

function askAnother({ tokens, keys }: LoadStage): () => Question {
  const token = inTurn(tokens)
  const key = inTurn(keys)
  let amount = FIRST_AMOUNT
  return () => {
    amount += 1n
    return { key: key(), body: questionOf(token(), amount) }
  }
}
