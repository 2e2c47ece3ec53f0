import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { startSweepStage } from '../../test/powers/sweep-stage.js'
import { median, report } from './measure.js'

/** Tokens with one power and with several, bounded and not, and a proxy. */
const NAMES = ['SettableFee', 'SharedFeeBound', 'LimitBehindSwitch', 'SellWhitelist', 'MoveAny', 'ProxySwap']
/** All tokens in turn; after the first rounds V8 compiles little any more. */
const ROUNDS = 50
const WARM_UP = 30
const PERCENTILE = 0.95

/** Processor time of warm sweeps, all threads together, nothing remembered. */
export async function run(): Promise<void> {
  const [, recent] = generations
  const codes = recent && readCompiledTraps(recent, 'powers')
  const stage = await startSweepStage()
  try {
    const names = NAMES.filter((name) => codes?.has(name))
    const tokens = await stage.list(names.map((name) => ({ name, creationCode: codes?.get(name) ?? '0x', after: [] })))
    const times = tokens.map((): number[] => [])
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [i, token] of tokens.entries()) {
        const before = process.cpuUsage()
        await stage.sweep(token)
        const { user, system } = process.cpuUsage(before)
        if (round >= WARM_UP) times[i]?.push((user + system) / 1_000)
      }
    for (const [i, own] of times.entries()) report(`sweep of ${names[i]}`, median(own), 'ms CPU')
    const sorted = times.flat().toSorted((a, b) => a - b)
    report('sweeps, p50', median(sorted), 'ms CPU')
    report('sweeps, p95', sorted[Math.floor(sorted.length * PERCENTILE)] ?? Number.NaN, 'ms CPU')
  } finally {
    await stage.stop()
  }
}
