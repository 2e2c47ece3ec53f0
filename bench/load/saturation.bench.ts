import { Client } from 'undici'
import { residentMbOf } from '../service-process.js'
import { report } from '../speed/measure.js'
import { ask, measureLanes, type Question, timesOf } from './lanes.js'
import { askAnew, startStage } from './stage.js'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8)
const ENOUGH_CONNECTIONS = 8
/** As many as one address may hold, and several times what is worked on at once. */
const TOO_MANY_CONNECTIONS = 240
/** Clients that come back five times as fast as they are told to, and more. */
const REST_MS = 400
const TOKENS = 8
const KEYS = 32
const BLOCK_SECONDS = 12
const RECOVERY_SECONDS = 5
/** Of the rate at saturation, what must be left when far more is asked. */
const SMALLEST_SHARE_PERCENT = 70
/** Of the time alone: recovered is who needs no more. */
const RECOVERED_FACTOR = 2

/** As much as the service can do, then several times as much, then one client alone again. */
export async function run(): Promise<void> {
  const stage = await startStage({ tokens: TOKENS, keys: KEYS, blockEverySeconds: BLOCK_SECONDS })
  const { url, pid } = stage.service
  const next = askAnew(stage)
  const onOutcome = () => {}
  try {
    await measureLanes({ url, lanes: 4, next, onOutcome }, SECONDS / 2)
    const alone = await measureLanes({ url, lanes: 1, next, onOutcome }, SECONDS / 2)
    report('one connection', alone.rate, '1/s', timesOf(alone))
    const full = await measureLanes({ url, lanes: ENOUGH_CONNECTIONS, next, onOutcome }, SECONDS)
    report(`${ENOUGH_CONNECTIONS} connections`, full.rate, '1/s', timesOf(full))
    const over = await measureLanes({ url, lanes: TOO_MANY_CONNECTIONS, next, onOutcome, restMs: REST_MS }, SECONDS)
    const share = (100 * over.rate) / full.rate
    const refused = `${timesOf(over)}, ${over.busy} refused, each with Retry-After`
    report(`${TOO_MANY_CONNECTIONS} connections`, over.rate, '1/s', refused)
    report(
      'rate past saturation',
      share,
      '%',
      share < SMALLEST_SHARE_PERCENT ? 'of that at it, MISSED' : 'of that at it',
    )
    const seconds = await recover(url, next, RECOVERED_FACTOR * alone.p95)
    report('until one connection is served as before', seconds, 's', seconds > RECOVERY_SECONDS ? 'MISSED' : '')
    report('resident memory afterwards', residentMbOf(pid), 'MB')
  } finally {
    await stage.stop()
  }
}

async function recover(url: string, next: () => Question, ms: number): Promise<number> {
  const client = new Client(url)
  const start = performance.now()
  for (;;) {
    const outcome = await ask(client, next())
    const elapsed = (performance.now() - start) / 1_000
    if ((outcome.status === 200 && outcome.ms <= ms) || elapsed > 2 * RECOVERY_SECONDS) {
      await client.close()
      return elapsed
    }
  }
}
