import { prepareJob } from '../speed/evm-job.js'
import { report } from '../speed/measure.js'
import { startForkChecker } from './fork-checker.js'
import { measureLanes, timesOf } from './lanes.js'
import { askAnew, inTurn, questionOf, startStage } from './stage.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
/** New tokens are used up; the machines that were seen get through half of them in this time. */
const COLD_SECONDS = Math.min(SECONDS, 2)
const CONNECTIONS = [1, 4]
/** Enough that none is asked about twice. */
const TOKENS = 400
const KNOWN_TOKENS = 8

/**
 * Analyses by the service beside a checker of the usual make, on chains of the same make in one
 * run. The checker buys, approves and sells in one pool that it is told; the service looks for
 * pools, and gives its verdict after the trades of three times, in some hundred circumstances,
 * after the powers of owners, the code and the history; or, where it is asked for that only, the
 * simulation, code and history.
 */
export async function run(): Promise<void> {
  const stage = await startStage({ tokens: TOKENS, keys: 4, blockEverySeconds: 12 })
  const job = await prepareJob()
  const checker = await startForkChecker(job)
  const key = inTurn(stage.keys)
  const fresh = stage.tokens.slice(KNOWN_TOKENS).values()
  const warm = askAnew({ tokens: stage.tokens.slice(0, KNOWN_TOKENS), keys: stage.keys })
  const askCold = (only: boolean) => () => {
    const { value, done } = fresh.next()
    if (done) throw new Error('every token is known by now')
    return { key: key(), body: questionOf(value, { only }) }
  }
  const { url } = stage.service
  const onOutcome = () => {}
  try {
    await measureLanes({ url, lanes: 2, next: warm, onOutcome }, SECONDS)
    for (const lanes of CONNECTIONS) {
      const next = () => ({ path: '/', key: '', body: '{}' })
      const peer = await measureLanes({ url: checker.url, lanes, next, onOutcome }, SECONDS)
      const simulated = await measureLanes({ url, lanes, next: askCold(true), onOutcome }, COLD_SECONDS)
      const judged = await measureLanes({ url, lanes, next: askCold(false), onOutcome }, COLD_SECONDS)
      const again = await measureLanes({ url, lanes, next: warm, onOutcome }, SECONDS)
      report(`anvil --fork-url, ${lanes} connections`, peer.rate, '1/s', timesOf(peer))
      const rows = { 'new token, simulation only': simulated, 'new token': judged, 'known token': again }
      for (const [name, own] of Object.entries(rows))
        report(
          `${name}, ${lanes} connections`,
          own.rate,
          '1/s',
          `${timesOf(own)}; ${(own.rate / peer.rate).toFixed(1)} times`,
        )
    }
  } finally {
    await Promise.all([checker.stop(), job.devnet.stop(), stage.stop()])
  }
}
