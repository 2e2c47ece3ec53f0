import { report } from '../speed/measure.js'
import { measureLanes, runLanes, timesOf } from './lanes.js'
import { inTurn, type LoadStage, questionOf, startStage } from './stage.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const FLOOD_CONNECTIONS = 48
const TOKENS = 8
const BLOCK_SECONDS = 12
/** Runs of a job that is there already, for each slot: whoever waits in turn waits for these and no more. */
const LARGEST_FACTOR = 6
const FIRST_AMOUNT = 10n ** 15n

/** One key asks for one analysis after the other, alone and while another key has 48 under way all the time. */
export async function run(): Promise<void> {
  const stage = await startStage({ tokens: TOKENS, keys: 2, blockEverySeconds: BLOCK_SECONDS })
  const { url } = stage.service
  const [quiet = '', loud = ''] = stage.keys
  const next = askAs(stage)
  try {
    await measureLanes({ url, lanes: 2, next: next(quiet), onOutcome() {} }, SECONDS / 2)
    const alone = await measureLanes({ url, lanes: 1, next: next(quiet), onOutcome() {} }, SECONDS)
    const over = new AbortController()
    const flood: number[] = []
    const flooding = runLanes({
      ...{ url, lanes: FLOOD_CONNECTIONS, next: next(loud), signal: over.signal },
      onOutcome: ({ status, ms }) => void (status === 200 && flood.push(ms)),
    })
    const beside = await measureLanes({ url, lanes: 1, next: next(quiet), onOutcome() {} }, SECONDS)
    over.abort()
    await flooding
    flood.sort((a, b) => a - b)
    report('quiet key, alone', alone.p50, 'ms', timesOf(alone))
    report('quiet key, beside the flood', beside.p50, 'ms', timesOf(beside))
    report('flooding key, each of its analyses', flood[flood.length >> 1] ?? Number.NaN, 'ms', 'p50')
    const factor = beside.p50 / alone.p50
    report('slower for the quiet key', factor, 'times', factor > LARGEST_FACTOR ? 'MISSED' : '')
  } finally {
    await stage.stop()
  }
}

function askAs({ tokens }: LoadStage) {
  const token = inTurn(tokens)
  let amount = FIRST_AMOUNT
  return (key: string) => () => {
    amount += 1n
    return { key, body: questionOf(token(), amount) }
  }
}
