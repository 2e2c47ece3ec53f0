import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { startSweepStage } from '../../test/powers/sweep-stage.js'
import { measure, median, report } from './measure.js'

/** Tokens with one power and with several, bounded and not, and a proxy. */
const NAMES = ['SettableFee', 'SharedFeeBound', 'LimitBehindSwitch', 'SellWhitelist', 'MoveAny', 'ProxySwap']
const ROUNDS = 5
const PERCENTILE = 0.95

/** Processor time of warm sweeps, all threads together, nothing remembered. */
export async function run(): Promise<void> {
  const [, recent] = generations
  const codes = recent && readCompiledTraps(recent, 'powers')
  const stage = await startSweepStage()
  try {
    const names = NAMES.filter((name) => codes?.has(name))
    const tokens = await stage.list(names.map((name) => ({ name, creationCode: codes?.get(name) ?? '0x', after: [] })))
    const all: number[] = []
    for (const [i, token] of tokens.entries()) {
      const times: number[] = []
      await measure(ROUNDS, 2, async () => {
        const before = process.cpuUsage()
        await stage.sweep(token)
        const { user, system } = process.cpuUsage(before)
        times.push((user + system) / 1_000)
      })
      all.push(...times.slice(2))
      report(`sweep of ${names[i]}`, median(times.slice(2)), 'ms CPU')
    }
    const sorted = all.toSorted((a, b) => a - b)
    report('sweeps, p50', median(all), 'ms CPU')
    report('sweeps, p95', sorted[Math.floor(sorted.length * PERCENTILE)] ?? Number.NaN, 'ms CPU')
  } finally {
    await stage.stop()
  }
}
