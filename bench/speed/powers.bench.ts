import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { startSweepStage } from '../../test/powers/sweep-stage.js'
import { report } from './measure.js'
import { type Measured, medianOf, sayRatio, startYardstick } from './yardstick.js'

/** Tokens with one power and with several, bounded and not, and a proxy. */
const NAMES = ['SettableFee', 'SharedFeeBound', 'LimitBehindSwitch', 'SellWhitelist', 'MoveAny', 'ProxySwap']
/** All tokens in turn; after the first rounds V8 compiles little any more. */
const ROUNDS = 50
const WARM_UP = 30
const PERCENTILE = 0.95
/** Of the yardstick: 45 ms where that takes 53. */
const TARGET = 0.85

/** Processor time of warm sweeps, all threads together: code is known, and no result. */
export async function run(): Promise<void> {
  const [, recent] = generations
  const codes = recent && readCompiledTraps(recent, 'powers')
  const stage = await startSweepStage()
  const yardstick = await startYardstick()
  try {
    const names = NAMES.filter((name) => codes?.has(name))
    const tokens = await stage.list(names.map((name) => ({ name, creationCode: codes?.get(name) ?? '0x', after: [] })))
    const runs = tokens.map((): Measured[] => [])
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [i, token] of tokens.entries()) {
        const sweep = () => stage.sweep(token)
        if (round < WARM_UP) await sweep()
        else runs[i]?.push(await yardstick.measure(sweep))
      }
    for (const [i, own] of runs.entries()) report(`sweep of ${names[i]}`, medianOf(own).ms, 'ms CPU')
    const all = medianOf(runs.flat())
    report('sweeps, p50', all.ms, 'ms CPU', sayRatio(all.ratio, TARGET))
    const sorted = runs.flatMap((own) => own.map(({ ms }) => ms)).toSorted((a, b) => a - b)
    report('sweeps, p95', sorted[Math.floor(sorted.length * PERCENTILE)] ?? Number.NaN, 'ms CPU')
  } finally {
    await yardstick.stop()
    await stage.stop()
  }
}
