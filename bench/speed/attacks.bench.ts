import { cpus, totalmem } from 'node:os'
import { DEFAULT_LIMITS } from '../../src/evm/limits.js'
import { createSimulator, type Simulator } from '../../src/simulation/simulator.js'
import { ATTACKS, type Attack, sufferAttack } from '../../test/conformance/attacks.js'
import { headOfTable, readAttackRows, writeAttackRows } from './attack-table.js'
import { median } from './measure.js'

/** What the endurance run repeats each attack. `BENCH_ATTACK_REPEATS` overrides it. */
const REPEATS = Number(process.env.BENCH_ATTACK_REPEATS ?? 1_000)
/** After this, no further attack is begun. */
const TIME_MS = Number(process.env.BENCH_ATTACK_SECONDS ?? Number.POSITIVE_INFINITY) * 1_000
/** Runs that are to be in the table; fewer are for trying out. */
const TABLE_REPEATS = 1_000
/** Wakes the threads up. */
const FIRST = { code: '0x' } as const
/** Runs at the full bounds, which are timed. */
const FULL_RUNS = 3
/** Attacks waiting for the thread at a time, so that it is never idle. */
const IN_FLIGHT = 4
/** Repeats that fill caches and pools before memory is looked at. */
const WARM_UP_SHARE = 0.1
/**
 * Repeats show what is left behind, and that does not depend on how long each takes: bounds on work
 * are cut for attacks that work ends. Those that a bound on size ends keep all of their bounds.
 */
const WORK_SHARE = 0.01
const SIZE_BOUNDS = ['call depth', 'memory', 'logs', 'log data', 'return data']
const { steps, frames, precompileMicros } = DEFAULT_LIMITS
const SHORT = {
  steps: steps * WORK_SHARE,
  frames: frames * WORK_SHARE,
  precompileMicros: precompileMicros * WORK_SHARE,
}

const residentMb = () => process.memoryUsage.rss() / 2 ** 20

/**
 * Every attack on the analyst through the pool of workers: what ends it, how soon, and what memory
 * it leaves behind. Attacks that are in the table of `docs/attacks.md` already are left out, so
 * that a run can be made in pieces; without the page, it begins from the start.
 */
export async function run(): Promise<void> {
  const pid = process.pid
  const end = performance.now() + TIME_MS
  const full = createSimulator({ threads: 1 })
  const short = createSimulator({ threads: 1, limits: SHORT })
  const rows = readAttackRows()
  await sufferAttack(full, FIRST)
  process.stdout.write(headOfTable())
  for (const attack of ATTACKS) {
    if (rows.has(attack.name) || performance.now() > end) continue
    const cells = [...(await endOf(full, attack)), ...(await enduranceOf(full, short, attack))]
    process.stdout.write(`| ${[attack.name, ...cells].join(' | ')} |\n`)
    rows.set(attack.name, cells)
    if (REPEATS >= TABLE_REPEATS) writeAttackRows(rows, machine())
  }
  if (process.pid !== pid) throw new Error('the process did not survive')
  process.stdout.write(`\n${rows.size} of ${ATTACKS.length} attacks, at the end ${residentMb().toFixed(0)} MB\n`)
  await Promise.all([full.close(), short.close()])
}

/** What ends the attack at the full bounds, and after how long. */
async function endOf(full: Simulator, attack: Attack): Promise<string[]> {
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
  return [reason, Math.max(...times).toFixed(0), median(cpu).toFixed(0)]
}

/** How much memory the process has after a tenth of the repeats, and after all of them. */
async function enduranceOf(full: Simulator, short: Simulator, attack: Attack): Promise<string[]> {
  const simulator = attack.ends.some((bound) => SIZE_BOUNDS.includes(bound)) ? full : short
  const warmUp = Math.ceil(REPEATS * WARM_UP_SHARE)
  await repeat(simulator, attack, warmUp)
  const before = residentMb()
  await repeat(simulator, attack, REPEATS - warmUp)
  return [`${REPEATS}`, before.toFixed(0), residentMb().toFixed(0)]
}

async function repeat(simulator: Simulator, attack: Attack, times: number): Promise<void> {
  let begun = 0
  const suffer = async () => {
    while (begun < times) {
      begun += 1
      await sufferAttack(simulator, attack)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, suffer))
}

function machine(): string {
  const date = new Date().toISOString().slice(0, 10)
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GB`
  return `${date}, Node ${process.versions.node}, ${cpus().length} shared cores, ${memory}`
}
