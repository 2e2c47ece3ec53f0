import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { isReviewed } from '../../src/checks/bytecode/reviewed.js'
import type { PowersReport } from '../../src/checks/powers/check-powers.js'
import { reachOf } from '../../src/checks/powers/gravity.js'
import type { Power } from '../../src/checks/powers/power.js'
import { rankPowers } from '../../src/checks/powers/powers-score.js'
import { signatureOf } from '../../src/checks/powers/signatures.js'
import { sweepPowers } from '../../src/checks/powers/sweep-powers.js'
import { tradePlan } from '../../src/checks/trade/open-state.js'
import { createSystemClock } from '../../src/clock.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import type { Address, Hex } from '../../src/hex.js'
import type { Verdict } from '../../src/reports/verdict.js'
import { createRpcClient } from '../../src/rpc/rpc-client.js'
import { createSimulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { SHARED_DATA } from '../../test/conformance/shared-data.js'
import { judgeSweep } from '../../test/powers/judge-sweep.js'
import { disagreements, obstacles, worseThanMedium } from './powers-disagreements.js'
import { createTokenStage } from './token-stage.js'
import type { RealContract } from './trades.js'

interface Row {
  address: Address
  name: string
  labels: readonly string[]
  /** What its owner did before it could be traded. */
  prepared: readonly string[]
  outcome: { report: SweepReport } | { untraded: string }
}

interface SweepReport {
  sweep: PowersReport
  verdict: Verdict
}

const DATA = resolve(SHARED_DATA, 'deployable')
const TARGET = resolve(import.meta.dirname, '../../docs/accuracy-powers.md')

/**
 * Deploys real contracts on the devnet, opens pools for them, and writes down which powers the
 * sweep proves over them.
 */
async function main(): Promise<void> {
  if (!existsSync(DATA)) {
    process.stderr.write(
      'the real contracts (npm run fetch:tests) are not there: docs/accuracy-powers.md stays as it is\n',
    )
    return
  }
  const ordinary = read<RealContract>('ordinary').filter(({ kind }) => kind === 'erc20')
  const reviewed = read<{ address: Address; labels: string[]; creation: Hex }>('reviewed').map((contract) => ({
    ...contract,
    ...{ name: '', kind: 'erc20', compiler: '', constructorArgs: '', abi: [] },
  }))
  writeFileSync(TARGET, toPage(await judgeAll(reviewed), await judgeAll(ordinary)))
}

function read<T>(name: string): T[] {
  const lines = gunzipSync(readFileSync(resolve(DATA, `${name}.jsonl.gz`)))
  return lines
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

async function judgeAll(contracts: readonly (RealContract & { labels?: string[] })[]): Promise<Row[]> {
  const devnet = await startDevnet({ chainId: 1, examples: [] })
  const rpc = createRpcClient({ urls: [devnet.url], chainId: 1, clock: createSystemClock() })
  const simulator = createSimulator({ threads: 1, limits: { wallClockMs: PATIENCE_MS }, runTimeoutMs: 2 * PATIENCE_MS })
  try {
    const rows: Row[] = []
    for (const contract of contracts) {
      const { address, name, labels = [] } = contract
      const listed = await createTokenStage(devnet).list(contract)
      const outcome =
        'why' in listed
          ? { untraded: listed.why }
          : await judge(devnet, rpc, simulator, { ...listed, original: address })
      rows.push({ address, name, labels, prepared: 'prepared' in listed ? listed.prepared : [], outcome })
      const said = 'report' in outcome ? summary(outcome.report) : outcome.untraded
      process.stderr.write(`${address} ${name} ${labels.join()} ${said}\n`)
    }
    return rows
  } finally {
    await simulator.close()
    await rpc.close()
    await devnet.stop()
  }
}

/**
 * Only what a sweep begins with may fail here: a token that cannot be bought or sold has no buyers
 * to harm.
 */
async function judge(
  { chain }: Devnet,
  rpc: ReturnType<typeof createRpcClient>,
  simulator: ReturnType<typeof createSimulator>,
  { token: target, original }: { token: Address; original: Address },
): Promise<Row['outcome']> {
  // What a contract is on the main net it is here.
  const reviewed = isReviewed(chain, original)
  const budget = rpc.createBudget({ deadlineMs: PATIENCE_MS })
  const state = await openState({
    suspect: 'chain',
    rpc,
    chain,
    budget,
    plan: tradePlan('honeypot', { chain, address: target }),
  })
  const input = { address: target, seed: SEED, recipes: [], members: [] }
  try {
    const { powers, guards, effort, unfinished } = await simulator.simulate({
      scenario: sweepPowers,
      input,
      chain,
      state,
    })
    if (effort.calls === 0 && unfinished !== '') return { untraded: unfinished }
    const sweep = { powers, guards, effort, unfinished: unfinished || undefined }
    return { report: { sweep, verdict: judgeSweep(sweep, { reviewed }) } }
  } catch (error) {
    return { untraded: error instanceof Error ? error.message : String(error) }
  }
}

/** What a busy machine takes must not decide: sweeps end by counts. */
const PATIENCE_MS = 60_000
const SEED: Hex = `0x${'5a'.repeat(32)}`

const worstOf = ({ sweep }: SweepReport): Power | undefined => rankPowers(sweep.powers)[0]

function summary(report: SweepReport): string {
  const { verdict, sweep } = report
  const worst = worstOf(report)
  const unfinished = sweep.unfinished ? `, unfinished: ${sweep.unfinished}` : ''
  const power = worst ? `, ${worst.effect} ${worst.lossBps / 100} % by ${worst.holder.kind} (${nameOf(worst)})` : ''
  return `${verdict.level} (${verdict.score})${power}${unfinished}`
}

const nameOf = ({ selector }: Power) => signatureOf(selector) ?? selector

/**
 * What each label of the reviewers means in effects (their README): tokens from nothing; what users
 * have taken away, be it by new tokens; sells that a holder restricts.
 */
const MEANINGS: Record<string, (power: Power) => boolean> = {
  mint: ({ effect }) => effect === 'mints' || effect === 'mints-unseen',
  leak: ({ effect, lossBps }) => reachOf(effect, lossBps) === 'total' || effect === 'mints',
  limit: ({ effect }) =>
    ['blocks-account', 'blocks-sells', 'stops-trading', 'lowers-limit', 'blocks-transfers', 'raises-tax'].includes(
      effect,
    ),
}

function labelTable(rows: readonly Row[]): string {
  const lines = Object.entries(MEANINGS).map(([label, fits]) => {
    const swept = rows.flatMap(({ labels, outcome }) =>
      'report' in outcome ? [{ labels, powers: outcome.report.sweep.powers }] : [],
    )
    const [yes, no] = ['Yes', 'No'].map((answer) => swept.filter(({ labels }) => labels.includes(`${label}:${answer}`)))
    const proven = (list: typeof yes) => (list ?? []).filter(({ powers }) => powers.some(fits)).length
    return `| ${label} | ${yes?.length} | ${proven(yes)} | ${no?.length} | ${proven(no)} |`
  })
  return `| label | confirmed, traded | proven by the sweep | refused, traded | proven all the same |\n| --- | --- | --- | --- | --- |\n${lines.join('\n')}`
}

function agrees({ labels, outcome }: Row): boolean | undefined {
  if (!('report' in outcome)) return undefined
  const { powers } = outcome.report.sweep
  return labels.every((label) => {
    const [name = '', answer] = label.split(':')
    return powers.some((power) => MEANINGS[name]?.(power)) === (answer === 'Yes')
  })
}

/** `no token: 31, no exchange can take it: 8, else: 3` */
function countUntraded(rows: readonly Row[]): string {
  const counts = new Map<string, number>()
  for (const { outcome } of rows) {
    if ('report' in outcome) continue
    const [kind = ''] = outcome.untraded.split(':')
    const name = ['no token', 'no exchange can take it'].includes(kind) ? kind : 'other reasons'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ')
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function toPage(reviewed: readonly Row[], ordinary: readonly Row[]): string {
  const swept = reviewed.filter((row) => agrees(row) !== undefined)
  const apart = swept.filter((row) => agrees(row) === false)
  const judged = ordinary.flatMap((row) => ('report' in row.outcome ? [{ ...row, report: row.outcome.report }] : []))
  const worse = judged.filter(({ report }) => ['High Risk', 'Critical Risk'].includes(report.verdict.level))
  const wrongly = worse.filter(({ address }) => worseThanMedium[address]?.isRight !== true)
  const share = judged.length === 0 ? 0 : Math.round((1_000 * worse.length) / judged.length) / 10
  return `# Accuracy of the powers sweep

Written by \`npx tsx bench/accuracy/powers.ts\` on ${new Date().toISOString().slice(0, 10)} (${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}). Do not edit by hand.

Real contracts, deployed on the devnet from the code that was sent to the chain, each with a Uniswap V2 pool. Their deployer is an ordinary account there, whatever stands
behind it on the main net.

## Reviewed contracts

${reviewed.length} contracts on which another tool reported \`mint\`, \`leak\` or \`limit\`, and a person said yes or no (CRPWarner's review). ${swept.length} could be traded and swept;
the reviewers and the sweep agree on ${swept.length - apart.length} of them. The labels are about code; the sweep is about what the present holder can do to a buyer now.
The others, each with its reason below: ${countUntraded(reviewed)}.

A contract that cannot be traded after its deployment is brought there by trying its own functions as its owner, on snapshots: what issues tokens, and what brings an
approval, a pool, a purchase and a sell nearer. The table names what was called.

${labelTable(reviewed)}

Disagreements, each looked at:

| contract | labels | the sweep's worst | why they differ |
| --- | --- | --- | --- |
${apart.map((row) => `| \`${row.address}\` | ${row.labels.join(', ')} | ${'report' in row.outcome ? cell(summary(row.outcome.report)) : ''} | ${cell(disagreements[row.address] ?? 'not looked at yet')} |`).join('\n')}

| reviewed contract | labels | its owner first called | outcome |
| --- | --- | --- | --- |
${reviewed.map((row) => `| \`${row.address}\` | ${row.labels.join(', ')} | ${cell(row.prepared.join(', then '))} | ${cell('report' in row.outcome ? summary(row.outcome.report) : (obstacles[row.address] ?? row.outcome.untraded))} |`).join('\n')}

## Ordinary contracts

${ordinary.length} ordinary tokens (SolMigrator's collection); ${judged.length} could be given a pool. Worse than \`Medium Risk\`: **${worse.length}** (${share} %).
${wrongly.length} of them without a reason that a reader of the code accepts.

| token | outcome | reason |
| --- | --- | --- |
${judged.map(({ name, address, report }) => `| ${cell(name)} \`${address.slice(0, 10)}…\` | ${cell(summary(report))} | ${cell(worse.some((row) => row.address === address) ? (worseThanMedium[address]?.why ?? `not looked at yet: ${report.verdict.reason}`) : '')} |`).join('\n')}
`
}

await main()
