import { report } from '../speed/measure.js'
import { measureLanes, type Question, timesOf } from './lanes.js'
import { askAnew, inTurn, type LoadStage, questionOf, startStage } from './stage.js'

/** Half of which a block takes on Ethereum. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const CONNECTIONS = [1, 4, 16, 64, 200]
/** More would use up the tokens; what refusals cost is the same for both. */
const COLD_CONNECTIONS = [1, 4, 16, 64]
const COLD_SECONDS = SECONDS / 2
/**
 * Of which the last are known before anything is measured; each connection holds one, and none is
 * new twice.
 */
const TOKENS = 400
const KNOWN_TOKENS = 8
const KEYS = 16
const BLOCK_SECONDS = 12
/** A client that comes back at once measures refusals. */
const REST_MS = 250

/**
 * Analyses that have to be made, by the service as it is shipped: of tokens whose state is known
 * (another amount each time), and of tokens that were never asked about. More than 64 do not wait:
 * from there on there are refusals, and the rate is that of answers with a report.
 */
export async function run(): Promise<void> {
  const stage = await startStage({ tokens: TOKENS, keys: KEYS, blockEverySeconds: BLOCK_SECONDS })
  const askWarm = askAnew({ tokens: stage.tokens.slice(-KNOWN_TOKENS), keys: stage.keys })
  const fresh = stage.tokens.slice(0, -KNOWN_TOKENS)
  try {
    await measureLanes({ url: stage.service.url, lanes: 2, next: askWarm, onOutcome() {} }, 2 * SECONDS)
    for (const lanes of CONNECTIONS) await level(stage, 'warm', lanes, askWarm)
    for (const lanes of COLD_CONNECTIONS) await level(stage, 'cold', lanes, askCold(stage, fresh), fresh)
  } finally {
    await stage.stop()
  }
}

/** `fresh` gets back what was refused. */
async function level(stage: LoadStage, kind: string, lanes: number, next: () => Question, fresh?: string[]) {
  const summary = await measureLanes(
    {
      ...{ url: stage.service.url, lanes, next, restMs: REST_MS },
      onOutcome({ status }, { body }) {
        if (status !== 200) fresh?.push(JSON.parse(body).targetContractAddress)
      },
    },
    kind === 'cold' ? COLD_SECONDS : SECONDS,
  )
  const refused = summary.busy > 0 ? `, ${summary.busy} refused` : ''
  report(`${kind} analysis, ${lanes} connections`, summary.rate, '1/s', `${timesOf(summary)}${refused}`)
}

function askCold({ keys }: LoadStage, fresh: string[]): () => Question {
  const key = inTurn(keys)
  return () => {
    const token = fresh.shift()
    if (token === undefined) throw new Error('every token is known by now')
    return { key: key(), body: questionOf(token) }
  }
}
