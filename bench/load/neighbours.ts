import { ATTACKS, type Attack } from '../../test/neighbours/hostile-callers.js'
import { EXAMPLES, type Neighbourhood, startNeighbourhood } from '../../test/neighbours/neighbourhood.js'
import { compileService, startService } from '../service-process.js'
import { percentile } from './lanes.js'
import { fromOutside } from './outside-attack.js'

/**
 * `npm run bench:neighbours`: how long a victim waits for its analyses while an attacker takes all
 * that it can of one resource, beside how long it waits when it is quiet. The attacker has a
 * process of its own that gives way to every other. What the machine itself costs is measured
 * beside it: the same attack on another service with a node of its own, which shares nothing with
 * the victim but the processors. `BENCH_SECONDS` for each measurement; `BENCH_ONLY`, a part of a
 * name, for one attack.
 */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 60)
const ONLY = process.env.BENCH_ONLY ?? ''
const LARGEST_FACTOR = 2

interface Measured {
  /** In ascending order. */
  ms: number[]
  refused: string[]
  /** Tokens whose verdict was another than when it was quiet. */
  otherVerdicts: string[]
}

const verdicts = new Map<string, string>()

async function measure({ ask }: Pick<Neighbourhood, 'ask'>, seconds = SECONDS): Promise<Measured> {
  const end = performance.now() + seconds * 1_000
  const measured: Measured = { ms: [], refused: [], otherVerdicts: [] }
  for (let asked = 0; performance.now() < end || asked < EXAMPLES.length; asked += 1) {
    const example = EXAMPLES[asked % EXAMPLES.length] ?? 'clean'
    const start = performance.now()
    const { status, code, verdict } = await ask(example)
    if (status === 200) measured.ms.push(performance.now() - start)
    else measured.refused.push(`${status} ${code}`)
    const said = JSON.stringify(verdict)
    if (status === 200 && !verdicts.has(example)) verdicts.set(example, said)
    if (status === 200 && said !== verdicts.get(example)) measured.otherVerdicts.push(`${example} ${said}`)
  }
  measured.ms.sort((a, b) => a - b)
  return measured
}

const p95 = ({ ms }: Measured) => percentile(ms, 0.95)

function describe(measured: Measured, quiet: Measured): string {
  const { ms, refused, otherVerdicts } = measured
  const factor = (p95(measured) / p95(quiet)).toFixed(1)
  const wrong = [
    refused.length > 0 && `, refused ${refused.length}: ${refused[0]}`,
    otherVerdicts.length > 0 && `, other verdicts ${otherVerdicts.length}: ${otherVerdicts[0]}`,
  ]
  const times = `p50 ${Math.round(percentile(ms, 0.5))} ms, p95 ${Math.round(p95(measured))} ms, ${factor} times`
  return `${ms.length} served, ${times}${wrong.filter(Boolean).join('')}`
}

/**
 * Whether the promise is kept: what sharing a service costs, beyond what sharing the machine does.
 */
const isKept = (measured: Measured, limitMs: number) =>
  measured.refused.length === 0 && measured.otherVerdicts.length === 0 && p95(measured) <= limitMs

async function judge(attack: Attack, quiet: Measured): Promise<void> {
  const elsewhere = await decoy.under(attack, () => measure(victim))
  const here = await victim.under(attack, () => measure(victim))
  const verdict = isKept(here, LARGEST_FACTOR * p95(quiet))
    ? 'kept'
    : isKept(here, LARGEST_FACTOR * p95(elsewhere))
      ? 'kept but for the machine'
      : 'MISSED'
  if (verdict === 'MISSED') process.exitCode = 1
  print(`${attack.name}: ${verdict}`)
  print(`  on the same service   ${describe(here, quiet)}`)
  print(`  on another service    ${describe(elsewhere, quiet)}`)
}

const print = (line: string) => process.stdout.write(`${line}\n`)

const start = () =>
  startNeighbourhood({
    start: (env) =>
      startService({ nodes: {}, dataDir: env.ASSAY_DATA_DIR ?? '', env: { ...env, ASSAY_LOG_LEVEL: 'info' } }),
    processes: 1,
  })

compileService()
const victim = await start()
const decoy = await start()
try {
  await measure(victim, 10)
  await measure(decoy, 5)
  verdicts.clear()
  const quiet = await measure(victim)
  print(`quiet: ${describe(quiet, quiet)}`)
  for (const attack of ATTACKS.filter(({ name }) => name.includes(ONLY))) await judge(fromOutside(attack), quiet)
  print(`quiet again: ${describe(await measure(victim), quiet)}`)
} finally {
  await victim.stop()
  await decoy.stop()
}
process.exit()
