import { startProcess } from '../../test/fleet/process.js'
import { ATTACKS } from '../../test/neighbours/hostile-callers.js'
import { EXAMPLES, type Neighbourhood, startNeighbourhood } from '../../test/neighbours/neighbourhood.js'

/**
 * `npm run bench:neighbours`: how long a victim waits for its analyses while an attacker takes all that it can of one resource, beside how long it waits
 * when it is quiet. `BENCH_SECONDS` for each attack; `BENCH_ONLY`, a part of a name, for one.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
const ONLY = process.env.BENCH_ONLY ?? ''
const LARGEST_FACTOR = 2

interface Measured {
  ms: number[]
  refused: string[]
}

async function measure({ ask }: Pick<Neighbourhood, 'ask'>, seconds = SECONDS): Promise<Measured> {
  const end = performance.now() + seconds * 1_000
  const measured: Measured = { ms: [], refused: [] }
  for (let asked = 0; performance.now() < end || asked === 0; asked += 1) {
    const start = performance.now()
    const { status, code } = await ask(EXAMPLES[asked % EXAMPLES.length] ?? 'clean')
    if (status === 200) measured.ms.push(performance.now() - start)
    else measured.refused.push(`${status} ${code}`)
  }
  measured.ms.sort((a, b) => a - b)
  return measured
}

const at = ({ ms }: Measured, part: number) => ms[Math.min(ms.length - 1, Math.floor(ms.length * part))] ?? Number.NaN

function show(name: string, measured: Measured, quiet: Measured): void {
  const factor = at(measured, 0.95) / at(quiet, 0.95)
  const refused = measured.refused.length === 0 ? '' : `, refused ${measured.refused.length}: ${measured.refused[0]}`
  const missed = measured !== quiet && !(factor <= LARGEST_FACTOR) ? ', MISSED' : ''
  const times = [0.5, 0.95].map((part) => `${Math.round(at(measured, part))} ms`).join(', p95 ')
  process.stdout.write(
    `${name.padEnd(56)} ${String(measured.ms.length).padStart(5)} served, p50 ${times}, ${factor.toFixed(1)} times${refused}${missed}\n`,
  )
}

const neighbourhood = await startNeighbourhood({
  start: (env) => startProcess({ ...env, ASSAY_LOG_LEVEL: 'info' }),
  processes: 1,
})
try {
  await measure(neighbourhood, 5)
  const quiet = await measure(neighbourhood)
  show('quiet', quiet, quiet)
  for (const attack of ATTACKS.filter(({ name }) => name.includes(ONLY))) {
    show(attack.name, await neighbourhood.under(attack, () => measure(neighbourhood)), quiet)
  }
} finally {
  await neighbourhood.stop()
}
