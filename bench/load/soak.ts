import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeSection } from '../page.js'
import { residentMbOf } from '../service-process.js'
import { showComplaints } from './complaints.js'
import { type Outcome, percentile, type Question, runLanes } from './lanes.js'
import { type LoadStage, startStage } from './stage.js'

/** How long, warm-up included. The promise is about thirty. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 30)
/** Caches fill and code is compiled meanwhile; memory is judged after it. */
const WARM_UP_SHARE = 1 / 3
const SAMPLE_MS = 5_000
/**
 * Of the mean, from the first to the last sample after the warm-up, along the line of least
 * squares.
 */
const LARGEST_RISE_PERCENT = 2
const TOKENS = 60
const KEYS = 40
/**
 * Questions on each token: with these, each has its answers pushed out by the next block before all
 * were asked.
 */
const AMOUNTS = 4
const BLOCK_SECONDS = 12
/** More than may run and wait: the service is past saturation all the time. */
const ANALYSIS_LANES = 80
const REST_MS = 200
const CACHED_LANES = 4
const BAD_LANES = 2

const PAGE = resolve(import.meta.dirname, '../../docs/reliability.md')

/** Every question that is wrong in its own way, with what comes back. */
const BAD: readonly [body: string, status: number][] = [
  ['{"chainId":1}', 400],
  ['{"targetContractAddress":"0x12","chainId":1}', 400],
  ['{"targetContractAddress":', 400],
  [`{"targetContractAddress":"0x${'00'.repeat(20)}","chainId":7}`, 400],
  [`{"pad":"${'x'.repeat(9_000)}"}`, 413],
]

interface Sample {
  minutes: number
  residentMb: number
  heapMb: number
  loopDelayMs: number
}

interface Tally {
  answers: number
  byStatus: Map<number, number>
  problems: Map<string, number>
  /** Analyses that ended in a 500, by their code. */
  failures: Map<string | undefined, number>
  /** Of refusals for want of room, how many did not say when to come back. */
  withoutRetryAfter: number
}

const createTally = (): Tally => ({
  answers: 0,
  byStatus: new Map(),
  problems: new Map(),
  failures: new Map(),
  withoutRetryAfter: 0,
})

function count(tally: Tally, { status, problem, retryAfter, code }: Outcome): void {
  tally.answers += 1
  tally.byStatus.set(status, (tally.byStatus.get(status) ?? 0) + 1)
  if (status === 500) tally.failures.set(code, (tally.failures.get(code) ?? 0) + 1)
  if (problem !== undefined) tally.problems.set(problem, (tally.problems.get(problem) ?? 0) + 1)
  if (status === 503 && retryAfter === undefined) tally.withoutRetryAfter += 1
}

async function soak(): Promise<void> {
  const stage = await startStage({ tokens: TOKENS, keys: KEYS, blockEverySeconds: BLOCK_SECONDS })
  const before = new Date()
  const { pid } = stage.service
  const over = AbortSignal.timeout(MINUTES * 60_000)
  const tally = createTally()
  const samples: Sample[] = []
  const analysisMs: number[] = []
  const base = { url: stage.service.url, signal: over, restMs: REST_MS }
  const onOutcome = (outcome: Outcome) => count(tally, outcome)
  await Promise.all([
    runLanes({ ...base, lanes: CACHED_LANES, next: askTheSame(stage), onOutcome }),
    runLanes({
      ...base,
      lanes: ANALYSIS_LANES,
      next: askInTurn(stage),
      onOutcome(outcome) {
        onOutcome(outcome)
        if (outcome.status === 200) analysisMs.push(outcome.ms)
      },
    }),
    runLanes({ ...base, lanes: BAD_LANES, next: askBadly(stage), onOutcome }),
    takeSamples(stage, over, samples, tally),
  ])
  // Throws when the process that was started is gone.
  residentMbOf(pid)
  const text = describe({ before, tally, samples, analysisMs })
  await showComplaints(stage.service.logPath)
  await stage.stop()
  process.stdout.write(`${text}\n`)
  if (process.argv.includes('--write')) writeFileSync(PAGE, writeSection(readFileSync(PAGE, 'utf8'), 'soak', text))
}

const isBad = (tally: Tally) => tally.problems.size > 0 || tally.withoutRetryAfter > 0 || tally.byStatus.has(500)

function bodyOf(target: string, amount?: string): string {
  return JSON.stringify({ targetContractAddress: target, chainId: 1, ...(amount && { amount }) })
}

function askTheSame({ keys, tokens }: LoadStage): () => Question {
  let turn = 0
  const body = bodyOf(tokens[0] ?? '')
  return () => ({ key: keys[turn++ % keys.length] ?? '', body })
}

function askInTurn({ keys, tokens }: LoadStage): () => Question {
  let turn = 0
  return () => {
    turn += 1
    const amount = String(10n ** 15n + BigInt(Math.floor(turn / tokens.length) % AMOUNTS))
    const path = turn % 5 === 0 ? '/api/honeypot/honeypot-checks' : '/api/simulate/execute-simulation'
    return { path, key: keys[turn % keys.length] ?? '', body: bodyOf(tokens[turn % tokens.length] ?? '', amount) }
  }
}

function askBadly({ keys }: LoadStage): () => Question {
  let turn = 0
  return () => {
    turn += 1
    const [body = ''] = BAD[turn % BAD.length] ?? []
    return { key: keys[turn % keys.length] ?? '', body }
  }
}

async function takeSamples({ service }: LoadStage, over: AbortSignal, samples: Sample[], tally: Tally): Promise<void> {
  const start = performance.now()
  for (let at = 1; !over.aborted; at += 1) {
    await sleep(Math.max(0, start + at * SAMPLE_MS - performance.now()))
    const metrics = await fetch(service.metricsUrl).then((response) => response.text())
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1])
    samples.push({
      minutes: (performance.now() - start) / 60_000,
      residentMb: residentMbOf(service.pid),
      heapMb: read('assay_nodejs_heap_size_used_bytes') / 2 ** 20,
      loopDelayMs: read('assay_nodejs_eventloop_lag_p99_seconds') * 1_000,
    })
    const last = samples.at(-1)
    if (last && at % 12 === 0) {
      process.stderr.write(
        `${last.minutes.toFixed(0)} min: ${tally.answers} answers, ${last.residentMb.toFixed(0)} MB, heap ${last.heapMb.toFixed(0)} MB, problems ${[...tally.problems].join('; ') || 'none'}\n`,
      )
    }
  }
}

/** Megabytes a minute, along the line of least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, each) => sum + of(each), 0) / samples.length
  const x = mean(({ minutes }) => minutes)
  const y = mean(({ residentMb }) => residentMb)
  const above = samples.reduce((sum, { minutes, residentMb }) => sum + (minutes - x) * (residentMb - y), 0)
  return above / samples.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0)
}

interface Result {
  before: Date
  tally: Tally
  samples: readonly Sample[]
  analysisMs: number[]
}

function describe({ before, tally, samples, analysisMs }: Result): string {
  const settled = samples.filter(({ minutes }) => minutes >= MINUTES * WARM_UP_SHARE)
  const meanMb = settled.reduce((sum, { residentMb }) => sum + residentMb, 0) / settled.length
  const measuredMinutes = MINUTES * (1 - WARM_UP_SHARE)
  const risePercent = (100 * slopeOf(settled) * measuredMinutes) / meanMb
  const delays = samples.map(({ loopDelayMs }) => loopDelayMs).sort((a, b) => a - b)
  analysisMs.sort((a, b) => a - b)
  if (isBad(tally) || risePercent > LARGEST_RISE_PERCENT) process.exitCode = 1
  const statuses = [...tally.byStatus].sort(([a], [b]) => a - b).map(([status, n]) => `${status || 'none'}: ${n}`)
  const failures = [...tally.failures].map(([code, n]) => `\`${code}\`: ${n}`)
  const problems = [...tally.problems].map(([problem, n]) => `${problem} (${n})`)
  const every = Math.max(1, Math.round(samples.length / 10))
  const course = samples.filter((_, i) => i % every === every - 1)
  return [
    `Written by \`npm run bench:soak -- --write\` on ${before.toISOString().slice(0, 10)}: ${MINUTES} minutes, Node ${process.version}, ${availableParallelism()} of the machine's cores, shared by the service, the chain and the clients.`,
    `${ANALYSIS_LANES} connections ask for analyses of ${TOKENS} tokens (every fifth the honeypot check), ${CACHED_LANES} for one answer that is known within a block, ${BAD_LANES} for what is wrong; a block every ${BLOCK_SECONDS} s.`,
    '',
    '| | |',
    '| --- | --- |',
    `| answers by status | ${statuses.join(', ')} |`,
    `| answers outside the envelope, and requests without an answer | ${problems.join(', ') || 'none'} |`,
    `| analyses that ended in a 500, by code | ${failures.join(', ') || 'none'} |`,
    `| refusals (503) without \`Retry-After\` | ${tally.withoutRetryAfter} |`,
    `| crashes | none: the process that was started is the one that ended |`,
    `| an analysis, waiting included | p50 ${percentile(analysisMs, 0.5).toFixed(0)} ms, p99 ${percentile(analysisMs, 0.99).toFixed(0)} ms |`,
    `| resident memory after the first ${(MINUTES * WARM_UP_SHARE).toFixed(0)} minutes | ${meanMb.toFixed(0)} MB on average, ${risePercent.toFixed(2)} % over ${measuredMinutes.toFixed(0)} minutes along the line of least squares (at most ${LARGEST_RISE_PERCENT} %) |`,
    `| p99 of the event loop's delay, by ${SAMPLE_MS / 1_000} s | median ${percentile(delays, 0.5).toFixed(0)} ms, highest ${(delays.at(-1) ?? Number.NaN).toFixed(0)} ms |`,
    '',
    '| minute | resident, MB | heap in use, MB | p99 of the loop, ms |',
    '| --- | --- | --- | --- |',
    ...course.map(
      ({ minutes, residentMb, heapMb, loopDelayMs }) =>
        `| ${minutes.toFixed(0)} | ${residentMb.toFixed(0)} | ${heapMb.toFixed(0)} | ${loopDelayMs.toFixed(0)} |`,
    ),
  ].join('\n')
}

await soak()
process.exit()
