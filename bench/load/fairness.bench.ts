import type { Address } from '../../src/hex.js'
import { report } from '../speed/measure.js'
import { measureLanes, runLanes, type Summary, timesOf } from './lanes.js'
import { askAnew, type LoadStage, startStage } from './stage.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const FLOOD_CONNECTIONS = 48
const TOKENS = 8
const BLOCK_SECONDS = 12
/**
 * Runs of a job that is there already, for each slot: a caller in turn waits for these and no more.
 */
const LARGEST_FACTOR = 6
/**
 * Hashes 32 KB again and again until a bound ends it, a quarter of a second later; each analysis
 * runs it several times.
 */
const COSTLY_CODE = '0x5b61800060002050600056'
const COSTLY: Address = '0x00000000000000000000000000000000000bad01'
/** Beside that, for half of the analyses of who asks for something else. */
const LONGEST_MS = 1_000

/**
 * One key asks for one analysis after the other: alone, while another key has 48 like it under way
 * all the time, and while those 48 are about code that was written to cost as much as can be.
 */
export async function run(): Promise<void> {
  const stage = await startStage({ tokens: TOKENS, keys: 2, blockEverySeconds: BLOCK_SECONDS })
  await stage.devnet.node.call('anvil_setCode', COSTLY, COSTLY_CODE)
  try {
    await measureQuiet(stage, SECONDS / 2)
    const alone = await measureQuiet(stage)
    report('quiet key, alone', alone.p50, 'ms', timesOf(alone))
    const { quiet, flood } = await measureBeside(stage, stage.tokens)
    report('quiet key, beside the flood', quiet.p50, 'ms', timesOf(quiet))
    report('flooding key, each of its analyses', flood, 'ms', 'p50')
    const factor = quiet.p50 / alone.p50
    report('slower for the quiet key', factor, 'times', factor > LARGEST_FACTOR ? 'MISSED' : '')
    const costly = await measureBeside(stage, [COSTLY])
    const times = timesOf(costly.quiet)
    report(
      'quiet key, beside costly code',
      costly.quiet.p50,
      'ms',
      costly.quiet.p50 > LONGEST_MS ? `${times}, MISSED` : times,
    )
  } finally {
    await stage.stop()
  }
}

function measureQuiet({ service: { url }, tokens, keys }: LoadStage, seconds = SECONDS): Promise<Summary> {
  return measureLanes({ url, lanes: 1, next: askAnew({ tokens, keys: keys.slice(0, 1) }), onOutcome() {} }, seconds)
}

async function measureBeside(stage: LoadStage, tokens: readonly Address[]): Promise<{ quiet: Summary; flood: number }> {
  const over = new AbortController()
  const times: number[] = []
  const flooding = runLanes({
    ...{ url: stage.service.url, lanes: FLOOD_CONNECTIONS, signal: over.signal },
    next: askAnew({ tokens, keys: stage.keys.slice(1) }),
    onOutcome: ({ status, ms }) => void (status === 200 && times.push(ms)),
  })
  const quiet = await measureQuiet(stage)
  over.abort()
  await flooding
  times.sort((a, b) => a - b)
  return { quiet, flood: times[times.length >> 1] ?? Number.NaN }
}
