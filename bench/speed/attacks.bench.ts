import { DEFAULT_LIMITS } from '../../src/evm/limits.js'
import { createSimulator } from '../../src/simulation/simulator.js'
import { ATTACKS, sufferAttack } from '../../test/conformance/attacks.js'
import { median } from './measure.js'

/** What the endurance run repeats each attack. `BENCH_ATTACK_REPEATS` overrides it. */
const REPEATS = Number(process.env.BENCH_ATTACK_REPEATS ?? 1_000)
/** Wakes the threads up. */
const FIRST = { code: '0x' } as const
/** Runs at the full bounds, which are timed. */
const FULL_RUNS = 3
/** Repeats that fill caches and pools before memory is looked at. */
const WARM_UP_SHARE = 0.1
/** Repeats show what is left behind, and that does not depend on how long each takes: bounds on work are cut, bounds on size are not. */
const WORK_SHARE = 0.02
const { steps, frames, precompileMicros } = DEFAULT_LIMITS
const SHORT = {
  steps: steps * WORK_SHARE,
  frames: frames * WORK_SHARE,
  precompileMicros: precompileMicros * WORK_SHARE,
}

const residentMb = () => process.memoryUsage.rss() / 2 ** 20

/** Every attack on the analyst through the pool of workers: what ends it, how soon, and what memory it leaves behind. */
export async function run(): Promise<void> {
  const pid = process.pid
  const full = createSimulator({ threads: 1 })
  const short = createSimulator({ threads: 1, limits: SHORT })
  process.stdout.write(`${REPEATS} repeats of each attack in one process\n\n`)
  process.stdout.write(
    '| attack | ended by | worst ms | CPU ms | MB after a tenth | MB at the end |\n| --- | --- | --- | --- | --- | --- |\n',
  )
  const growth: number[] = []
  await sufferAttack(full, FIRST)
  for (const attack of ATTACKS) {
    const times: number[] = []
    const cpu: number[] = []
    let reason = ''
    for (let round = 0; round < FULL_RUNS; round += 1) {
      const start = performance.now()
      const used = process.cpuUsage()
      reason = await sufferAttack(full, attack)
      times.push(performance.now() - start)
      cpu.push(process.cpuUsage(used).user / 1000)
      if (reason !== 'time' && !attack.ends.includes(reason)) throw new Error(`${attack.name} ended by ${reason}`)
    }
    const warmUp = Math.ceil(REPEATS * WARM_UP_SHARE)
    for (let round = 0; round < warmUp; round += 1) await sufferAttack(short, attack)
    const before = residentMb()
    for (let round = warmUp; round < REPEATS; round += 1) await sufferAttack(short, attack)
    const after = residentMb()
    growth.push(after - before)
    const cells = [
      attack.name,
      reason,
      Math.max(...times).toFixed(0),
      median(cpu).toFixed(0),
      before.toFixed(0),
      after.toFixed(0),
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
  if (process.pid !== pid) throw new Error('the process did not survive')
  process.stdout.write(`\nMedian growth ${median(growth).toFixed(1)} MB, at the end ${residentMb().toFixed(0)} MB\n`)
  await Promise.all([full.close(), short.close()])
}
