import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ATTACKS } from '../../test/neighbours/hostile-callers.js'
import { type Neighbourhood, startNeighbourhood } from '../../test/neighbours/neighbourhood.js'
import { writeSection } from '../page.js'
import { compileService, residentMbOf, type ServiceProcess, startService } from '../service-process.js'
import { showComplaints } from './complaints.js'
import { createLedger, type Ledger } from './day-ledger.js'
import { fromOutside } from './outside-attack.js'

/**
 * `npm run bench:day -- --minutes 60`: ordinary use, ten requests a second whatever becomes of
 * them, while one hostile neighbour after the other takes all that it can. Without `--minutes` a
 * whole day. Fails when a request has no answer or one that it must not have, when a verdict is
 * kinder than it was without attacks, when a batch or a webhook is lost, or when memory rises from
 * round to round. `--write` writes the page.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '1440' }, write: { type: 'boolean' } } })
const MINUTES = Number(values.minutes)
const REQUESTS_PER_SECOND = 10
/**
 * Each attack comes once a round. The first round fills caches; memory is compared from the second
 * on.
 */
const ROUND_MINUTES = 15
const ROUNDS = Math.max(4, Math.round(MINUTES / ROUND_MINUTES))
const ATTACK_MS = (MINUTES * 60_000) / ROUNDS / ATTACKS.length
/** The rest of its time is quiet. */
const ATTACK_SHARE = 2 / 3
const SAMPLE_MS = 2_000
const BLOCK_SECONDS = 12
/** Over the rounds that are compared, of their mean. */
const LARGEST_RISE_PERCENT = 2
const BATCH_EVERY_MS = 5_000

const TOKENS = ['clean', 'taxed', 'sell-blocked', 'hidden-proxy', 'kill-switch', 'v3-only', 'usdc', 'drainer']
const PAGE = resolve(import.meta.dirname, '../../docs/reliability.md')
const RESULTS = resolve(import.meta.dirname, '../results/day.md')

interface Sample {
  round: number
  residentMb: number
}

async function run(): Promise<void> {
  const startedAt = new Date()
  let service: ServiceProcess | undefined
  const neighbourhood = await startNeighbourhood({
    async start(env) {
      const dataDir = env.ASSAY_DATA_DIR ?? ''
      service = await startService({ nodes: {}, dataDir, env: { ...env, ASSAY_LOG_LEVEL: 'info' } })
      return service
    },
    processes: 1,
    examples: TOKENS,
    blockEverySeconds: BLOCK_SECONDS,
  })
  if (service === undefined) throw new Error('no process')
  const { pid, logPath } = service
  const ledger = createLedger()
  for (const token of TOKENS) ledger.learn(token, (await neighbourhood.ask(token)).verdict)
  const over = AbortSignal.timeout(MINUTES * 60_000)
  const samples: Sample[] = []
  await Promise.all([
    keepAsking(neighbourhood, ledger, over),
    keepOrdering(neighbourhood, ledger, over),
    attackInTurn(neighbourhood, over),
    watch(pid, samples, over, ledger),
  ])
  // Throws when the process that was started is gone.
  residentMbOf(pid)
  await showComplaints(logPath)
  await neighbourhood.stop()
  report(startedAt, samples, ledger)
}

/** Ten a second, never waiting for an answer before the next. */
async function keepAsking(neighbourhood: Neighbourhood, ledger: Ledger, over: AbortSignal): Promise<void> {
  const start = performance.now()
  const open = new Set<Promise<void>>()
  for (let sent = 0; !over.aborted; sent += 1) {
    const due = start + (sent * 1_000) / REQUESTS_PER_SECOND
    await sleep(Math.max(0, due - performance.now()))
    const answer = ask(neighbourhood, ledger, sent).finally(() => open.delete(answer))
    open.add(answer)
  }
  await Promise.all(open)
}

/** Of ten requests, what each is; `token` is the next in turn. */
const MIX: readonly ((of: Neighbourhood, token: string) => Promise<{ kind: string; status: number; body: unknown }>)[] =
  [
    ...Array.from({ length: 4 }, () => asked('/api/simulate/execute-simulation')),
    ...Array.from({ length: 2 }, () => asked('/api/honeypot/honeypot-checks')),
    asked('/api/simulate/execute-simulation', { amount: '1000000000000000' }),
    async ({ request }) => ({
      kind: 'a question that is wrong',
      ...(await request('/api/honeypot/honeypot-checks', { chainId: 1 })),
    }),
    async ({ request }) => ({ kind: 'webhooks that were not told', ...(await request('/api/batch/webhooks')) }),
    async ({ request }) => ({ kind: 'ready', ...(await request('/ready')) }),
  ]

function asked(path: string, more: object = {}): (typeof MIX)[number] {
  return async ({ request }, token) => ({ kind: path, ...(await request(path, more, token)) })
}

async function ask(neighbourhood: Neighbourhood, ledger: Ledger, turn: number): Promise<void> {
  const token = TOKENS[Math.floor(turn / MIX.length) % TOKENS.length] ?? 'clean'
  const begun = performance.now()
  try {
    const answer = await MIX[turn % MIX.length]?.(neighbourhood, token)
    if (answer) ledger.answered({ ...answer, token, ms: performance.now() - begun })
  } catch (error) {
    ledger.lost(`no answer: ${String((error as Error).cause ?? error)}`)
  }
}

async function keepOrdering(neighbourhood: Neighbourhood, ledger: Ledger, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const order = await neighbourhood.orderBatch().catch((error) => ({ done: 0, webhook: String(error) }))
    ledger.delivered(order)
    await sleep(BATCH_EVERY_MS)
  }
}

async function attackInTurn(neighbourhood: Neighbourhood, over: AbortSignal): Promise<void> {
  for (let turn = 0; !over.aborted; turn += 1) {
    const attack = ATTACKS[turn % ATTACKS.length]
    if (attack === undefined) return
    const until = (ms: number) => sleep(ms, undefined, { signal: over }).catch(() => {})
    await neighbourhood.under(fromOutside(attack), () => until(ATTACK_MS * ATTACK_SHARE))
    await until(ATTACK_MS * (1 - ATTACK_SHARE))
  }
}

async function watch(pid: number, samples: Sample[], over: AbortSignal, ledger: Ledger): Promise<void> {
  const start = performance.now()
  for (let taken = 1; !over.aborted; taken += 1) {
    await sleep(SAMPLE_MS)
    const minutes = (performance.now() - start) / 60_000
    const round = Math.min(ROUNDS - 1, Math.floor((minutes / MINUTES) * ROUNDS))
    samples.push({ round, residentMb: residentMbOf(pid) })
    if (taken % 30 === 0)
      process.stderr.write(
        `${minutes.toFixed(0)} min, ${samples.at(-1)?.residentMb.toFixed(0)} MB: ${ledger.summary()}\n`,
      )
  }
}

function report(startedAt: Date, samples: readonly Sample[], ledger: Ledger): void {
  const means = Array.from({ length: ROUNDS }, (_, round) => mean(samples.filter((each) => each.round === round)))
  const compared = means.slice(1)
  const risePercent = (100 * ((compared.at(-1) ?? 0) - (compared[0] ?? 0))) / (compared[0] ?? 1)
  if (risePercent > LARGEST_RISE_PERCENT || ledger.problems().length > 0) process.exitCode = 1
  const rows = [
    ...ledger.rows(),
    ['resident memory of the service, mean of each round, MB', means.map((each) => each.toFixed(0)).join(', ')],
    [`from the second round to the last, at most ${LARGEST_RISE_PERCENT} %`, `${risePercent.toFixed(1)} %`],
    ['process', 'the one that was started is the one that ended'],
  ]
  const text = [
    `Written by \`npm run bench:day -- --minutes ${MINUTES} --write\`, begun ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC: Node ${process.version}, ${availableParallelism()} cores, shared by the service, the chain, the clients and the attackers.`,
    `${REQUESTS_PER_SECOND} requests a second, a batch with a webhook every few seconds, a block every ${BLOCK_SECONDS} s; the ${ATTACKS.length} attacks of \`test/neighbours/\` in turn, ${((ATTACK_MS * ATTACK_SHARE) / 1_000).toFixed(0)} s each with ${((ATTACK_MS * (1 - ATTACK_SHARE)) / 1_000).toFixed(0)} s of quiet after it, in ${ROUNDS} rounds.`,
    '',
    '| | |',
    '| --- | --- |',
    ...rows.map(([what, value]) => `| ${what} | ${value} |`),
  ].join('\n')
  process.stdout.write(`${text}\n`)
  if (!values.write) return
  writeFileSync(PAGE, writeSection(readFileSync(PAGE, 'utf8'), 'day', text))
  writeFileSync(RESULTS, `# Mixed load with hostile neighbours\n\n${text}\n`)
}

const mean = (samples: readonly Sample[]) =>
  samples.reduce((sum, { residentMb }) => sum + residentMb, 0) / Math.max(1, samples.length)

compileService()
await run()
process.exit()
