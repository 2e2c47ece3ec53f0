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
 * pools, trades in several ways, and reads the code and the history too.
 */
export async function run(): Promise<void> {
  const stage = await startStage({ tokens: TOKENS, keys: 4, blockEverySeconds: 12 })
  const job = await prepareJob()
  const checker = await startForkChecker(job)
  const key = inTurn(stage.keys)
  const fresh = stage.tokens.slice(KNOWN_TOKENS).values()
  const warm = askAnew({ tokens: stage.tokens.slice(0, KNOWN_TOKENS), keys: stage.keys })
  const cold = () => {
    const { value, done } = fresh.next()
    if (done) throw new Error('every token is known by now')
    return { key: key(), body: questionOf(value) }
  }
  const { url } = stage.service
  const onOutcome = () => {}
  try {
    await measureLanes({ url, lanes: 2, next: warm, onOutcome }, SECONDS)
    for (const lanes of CONNECTIONS) {
      const next = () => ({ path: '/', key: '', body: '{}' })
      const peer = await measureLanes({ url: checker.url, lanes, next, onOutcome }, SECONDS)
      const made = await measureLanes({ url, lanes, next: cold, onOutcome }, COLD_SECONDS)
      const again = await measureLanes({ url, lanes, next: warm, onOutcome }, SECONDS)
      report(`anvil --fork-url, ${lanes} connections`, peer.rate, '1/s', timesOf(peer))
      report(
        `new token, ${lanes} connections`,
        made.rate,
        '1/s',
        `${timesOf(made)}; ${(made.rate / peer.rate).toFixed(1)} times`,
      )
      report(
        `known token, ${lanes} connections`,
        again.rate,
        '1/s',
        `${timesOf(again)}; ${(again.rate / peer.rate).toFixed(1)} times`,
      )
    }
  } finally {
    await Promise.all([checker.stop(), job.devnet.stop(), stage.stop()])
  }
}
