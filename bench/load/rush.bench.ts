import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'undici'
import { report } from '../speed/measure.js'
import { ask, measureLanes, type Outcome, percentile, runLanes } from './lanes.js'
import { askAnew, inTurn, type LoadStage, questionOf, startStage } from './stage.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 30)
const KNOWN_TOKENS = 8
/** More than can be asked about in the time. */
const NEW_TOKENS = 160
const BLOCK_SECONDS = 12
/** Requests about new tokens that are under way all the time: more than can be worked on. */
const NEW_LANES = 12
/** Questions about known tokens, at random moments. */
const KNOWN_PER_SECOND = 10
const KNOWN_CLIENTS = 32
/** Known tokens beside that, for half of their questions. */
const LONGEST_MS = 1_000

/**
 * A rush: everyone asks about tokens that are new, each with a key of its own, while others go on
 * asking about tokens that are known. How long those wait, and how many of the new ones are judged
 * whole: a verdict that our work did not finish is as good as none, and costs as much.
 */
export async function run(): Promise<void> {
  const keys = 2 * KNOWN_CLIENTS
  const stage = await startStage({ tokens: KNOWN_TOKENS + NEW_TOKENS, keys, blockEverySeconds: BLOCK_SECONDS })
  try {
    const known = { tokens: stage.tokens.slice(0, KNOWN_TOKENS), keys: stage.keys.slice(0, KNOWN_CLIENTS) }
    await measureLanes({ url: stage.service.url, lanes: 4, next: askAnew(known), onOutcome() {} }, SECONDS / 2)
    const signal = AbortSignal.timeout(SECONDS * 1_000)
    const [quick, fresh] = await Promise.all([askAtRandom(stage, known, signal), askNew(stage, signal)])
    tell('known tokens', quick)
    tell('new tokens', fresh)
    const half = percentile(timesOf(quick), 0.5)
    report('known tokens, half of them within', half, 'ms', half > LONGEST_MS ? 'MISSED' : '')
  } finally {
    await stage.stop()
  }
}

async function askNew({ service, tokens, keys }: LoadStage, signal: AbortSignal): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const [token, key] = [inTurn(tokens.slice(KNOWN_TOKENS)), inTurn(keys.slice(KNOWN_CLIENTS))]
  const next = () => ({ key: key(), body: questionOf(token()) })
  await runLanes({ url: service.url, lanes: NEW_LANES, signal, next, onOutcome: (one) => void outcomes.push(one) })
  return outcomes
}

async function askAtRandom({ service }: LoadStage, known: Pick<LoadStage, 'tokens' | 'keys'>, signal: AbortSignal) {
  const clients = Array.from({ length: KNOWN_CLIENTS }, () => new Client(service.url))
  const [client, next] = [inTurn(clients), askAnew(known)]
  const asked: Promise<Outcome>[] = []
  while (!signal.aborted) {
    await sleep((-Math.log(1 - Math.random()) * 1_000) / KNOWN_PER_SECOND)
    asked.push(ask(client(), next()))
  }
  const outcomes = await Promise.all(asked)
  await Promise.all(clients.map((each) => each.close()))
  return outcomes
}

const isAnswer = ({ status }: Outcome) => status === 200
const timesOf = (outcomes: readonly Outcome[]) =>
  outcomes
    .filter(isAnswer)
    .map(({ ms }) => ms)
    .toSorted((a, b) => a - b)

function tell(what: string, outcomes: readonly Outcome[]): void {
  const unfinished = outcomes.filter(({ isUnfinished }) => isUnfinished).length
  const whole = outcomes.filter(isAnswer).length - unfinished
  const times = timesOf(outcomes)
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)].map((ms) => ms.toFixed(0))
  const rest = `${unfinished} unfinished, ${outcomes.length - whole - unfinished} refused; p50 ${p50} ms, p95 ${p95} ms`
  report(`${what}, judged whole`, whole / SECONDS, '1/s', rest)
}
