import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { HoneypotReport } from '../../src/checks/honeypot/check-honeypot.js'
import type { Address, Hex } from '../../src/hex.js'
import { SHARED_DATA } from '../../test/conformance/shared-data.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from '../../test/traps/checks-on-devnet.js'
import { createTokenStage } from './token-stage.js'

/** A contract of the main net, as it was deployed there. */
export interface RealContract {
  address: Address
  name: string
  kind: string
  compiler: string
  creation: Hex
  constructorArgs: string
  abi: AbiEntry[] | string
}

export interface AbiEntry {
  type: string
  name?: string
  stateMutability?: string
  constant?: boolean
  payable?: boolean
  inputs?: { type: string }[]
}

interface Row {
  contract: RealContract
  outcome: { traded: HoneypotReport } | { untraded: string }
}

const CORPUS = resolve(SHARED_DATA, 'deployable/ordinary.jsonl.gz')
const TARGET = resolve(import.meta.dirname, '../../docs/accuracy-trades.md')

/**
 * Deploys real, ordinary tokens on the devnet, opens pools for them, and writes down how the
 * honeypot check judges them.
 */
async function main(): Promise<void> {
  if (!existsSync(CORPUS)) {
    process.stderr.write(
      'the real tokens (npm run fetch:tests) are not there: docs/accuracy-trades.md stays as it is\n',
    )
    return
  }
  const contracts = gunzipSync(readFileSync(CORPUS))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RealContract)
  const checks = await startChecksOnDevnet()
  const rows: Row[] = []
  try {
    // All of them first: the service looks at the newest block only so often.
    const staged = []
    for (const contract of contracts) staged.push({ contract, listed: await listOn(checks, contract) })
    for (const { contract, listed } of staged) {
      const outcome = 'why' in listed ? { untraded: listed.why } : { traded: await checks.honeypot(listed.token) }
      rows.push({ contract, outcome })
      process.stderr.write(`${contract.name}: ${'traded' in outcome ? verdictOf(outcome.traded) : outcome.untraded}\n`)
    }
  } finally {
    await checks.stop()
  }
  writeFileSync(TARGET, toPage(rows))
}

function listOn({ devnet }: ChecksOnDevnet, contract: RealContract): Promise<{ token: Address } | { why: string }> {
  if (contract.kind !== 'erc20') return Promise.resolve({ why: `not a token (${contract.kind})` })
  return createTokenStage(devnet).list(contract)
}

function verdictOf({ isHoneypot, isTimeHoneypot, inconclusive, riskScore, windows, findings }: HoneypotReport): string {
  const notes = findings.map(({ id }) => id)
  if (inconclusive) return `inconclusive: ${inconclusive}`
  const reason = windows.find(({ errorReason }) => errorReason !== '')?.errorReason
  const verdict = isHoneypot ? 'HONEYPOT' : isTimeHoneypot ? 'TIME HONEYPOT' : 'tradeable'
  return [`${verdict} (${riskScore})`, ...notes, ...(reason ? [reason] : [])].join(', ')
}

function toPage(rows: readonly Row[]): string {
  const traded = rows.flatMap(({ contract, outcome }) =>
    'traded' in outcome ? [{ contract, report: outcome.traded }] : [],
  )
  const accused = traded.filter(({ report }) => report.isHoneypot || report.isTimeHoneypot)
  const unclear = traded.filter(({ report }) => report.inconclusive !== undefined)
  const untraded = rows.flatMap(({ contract, outcome }) =>
    'untraded' in outcome ? [{ contract, why: outcome.untraded }] : [],
  )
  return `# Trades of real tokens

Written by \`npm run bench:accuracy\` (\`bench/accuracy/trades.ts\`) on ${new Date().toISOString().slice(0, 10)}. Do not edit by hand.

Ordinary contracts of the main net (SolMigrator's collection, ${rows.length} of them), deployed on the devnet from the code that was sent to the chain, each with a Uniswap V2 pool that a
holder of its supply opened. None was ever called a trap, so that an accusation is a mistake until it is shown to be otherwise.

${traded.length} could be given a pool. Called a honeypot or a time honeypot: **${accused.length}**. Inconclusive: ${unclear.length}. Without a pool, each with its reason: ${untraded.length}.

| token | compiler | buy tax % | sell tax % | verdict |
| --- | --- | --- | --- | --- |
${traded.map(({ contract, report }) => `| ${nameOf(contract)} | ${compilerOf(contract)} | ${report.buyTaxBps / 100} | ${report.sellTaxBps / 100} | ${cell(verdictOf(report))} |`).join('\n')}

| not traded | compiler | why |
| --- | --- | --- |
${untraded.map(({ contract, why }) => `| ${nameOf(contract)} | ${compilerOf(contract)} | ${cell(why)} |`).join('\n')}
`
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const nameOf = ({ name, address }: RealContract) => `${cell(name)} \`${address.slice(0, 10)}…\``
const compilerOf = ({ compiler }: RealContract) => compiler.replace(/^v/, '').replace(/\+.*$/, '')

await main()
