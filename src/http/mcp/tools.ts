import { type TSchema, Type } from 'typebox'
import type { JobResults } from '../analyse-in-turn.js'
import { ANALYSIS_PARTS, type AnalysisPart } from '../analysis-parts.js'
import type { Failure } from '../api-error.js'
import type { SimulationReport } from '../routes/execute-simulation/schema.js'
import { AnalysisRequestBody } from '../routes/execute-simulation/schema.js'
import type { HoneypotReportBody } from '../routes/honeypot-checks/schema.js'
import type { PhishingReportBody } from '../routes/phishing-checks/schema.js'
import {
  type SolanaHoneypotReport,
  SolanaRequestBody,
  type SolanaTokenReportBody,
} from '../routes/solana-token-checks/schema.js'

/** One thing that a model can ask for. */
export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: TSchema
  parts: readonly AnalysisPart['name'][]
}

const INPUT = Type.Object({
  targetContractAddress: AnalysisRequestBody.properties.targetContractAddress,
  chainId: AnalysisRequestBody.properties.chainId,
  blockNumber: AnalysisRequestBody.properties.blockNumber,
})

/** One flat object, which every client can show: on Solana the address is a mint in base58, and there is no block number. */
const INPUT_WITH_SOLANA = Type.Object({
  ...INPUT.properties,
  targetContractAddress: Type.Union([
    INPUT.properties.targetContractAddress,
    SolanaRequestBody.properties.targetContractAddress,
  ]),
  chainId: Type.Union([INPUT.properties.chainId, SolanaRequestBody.properties.chainId]),
})

/** The checks as tools. Each takes one target; what differs is what is looked at. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'check_target',
    title: 'All checks on a token or contract',
    description:
      'Judges whether a token or contract on Ethereum (1), BNB Smart Chain (56), Base (8453), Arbitrum (42161) or Solana ("SOL") is safe to touch: trades it on a private copy of the chain now, in 24 hours and in 7 days, reads its code and history, and looks for phishing. Takes up to 15 seconds.',
    inputSchema: INPUT_WITH_SOLANA,
    parts: ANALYSIS_PARTS.map(({ name }) => name),
  },
  {
    name: 'simulate_trade',
    title: 'Trade, code and history',
    description:
      'Buys and sells a token on a private copy of the chain as it is now, reads its bytecode and looks at its transfers.',
    inputSchema: INPUT,
    parts: ['simulation'],
  },
  {
    name: 'check_honeypot',
    title: 'Honeypot check in three time windows',
    description:
      'Buys and sells a token now, in 24 hours and in 7 days, and tells taxes, blocked sells and what its owner can do to holders.',
    inputSchema: INPUT_WITH_SOLANA,
    parts: ['honeypot'],
  },
  {
    name: 'check_phishing',
    title: 'Phishing check of a contract',
    description: 'Finds out whether a contract takes what others approve, sign or pay to it.',
    inputSchema: INPUT,
    parts: ['phishing'],
  },
]

/**
 * The verdicts in a few lines of our own words. Nothing of it is text that a contract wrote: a model reads this as instructions, and a revert reason or
 * the name of a token could be some.
 */
export function describeResults(results: JobResults): string {
  const lines: string[] = []
  for (const [name, part] of Object.entries(results)) {
    if (isFailure(part)) lines.push(`${name}: no verdict. ${part.errorReason}.`)
    else if (name === 'simulation') lines.push(describeSimulation(part as SimulationReport))
    else if (name === 'solana') lines.push(...describeSolana(part as SolanaTokenReportBody))
    else if (name === 'honeypot') lines.push(describeHoneypot(part as HoneypotReportBody | SolanaHoneypotReport))
    else lines.push(describePhishing(part as PhishingReportBody))
  }
  return lines.join('\n')
}

/** The reports for programs, without call trees and logs: those fill a model's memory and say nothing to it. */
export function toStructured(results: JobResults): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(results).map(([name, part]) => [name, JSON.parse(JSON.stringify(part, dropTraces))]),
  )
}

export const isFailure = (part: object): part is Failure =>
  'code' in part && 'success' in part && part.success === false

function dropTraces(name: string, value: unknown): unknown {
  return TRACE_FIELDS.has(name) ? undefined : value
}

const TRACE_FIELDS = new Set(['calls', 'logs', 'recentTransfers', 'trace'])

function describeSimulation({ checks }: SimulationReport): string {
  const { simulateResult: trade, byteCodeResult: code, transactionHistoryResult: history } = checks
  const traded = trade.success
    ? `bought and sold, buy tax ${trade.buyTax ?? 'not known'} %, sell tax ${trade.sellTax ?? 'not known'} %`
    : trade.isHoneypot
      ? 'HONEYPOT, it can be bought and not sold'
      : 'could not be traded, which proves nothing'
  const found = code.isContract ? `code: ${code.trustStatus}, ${code.riskFlags.length} findings` : 'no contract there'
  return `simulation: ${traded}; ${found}; history: ${history.activityPulse ?? 'not known'}.`
}

function describeHoneypot({
  honeypotResponse: report,
}: Pick<HoneypotReportBody | SolanaHoneypotReport, 'honeypotResponse'>): string {
  const windows = report.timeTravelResults.map(
    ({ label, buyTax, sellTax }) => `${label} buy ${buyTax} % sell ${sellTax} %`,
  )
  const verdict = report.isHoneypot ? 'HONEYPOT' : report.isTimeHoneypot ? 'TIME HONEYPOT' : 'no honeypot found'
  const doubt = report.inconclusive === null ? '' : ' The analysis is inconclusive: do not read this as safe.'
  return `honeypot: ${verdict}, risk ${report.riskScore} of 100; ${windows.join('; ')}.${doubt}`
}

function describeSolana(report: SolanaTokenReportBody): string[] {
  const { byteCodeResult: verdict, transactionHistoryResult: history } = report.checks
  if (report.tokenInfo === null) return ['solana: no token at this address.']
  const said = `solana: ${verdict.trustStatus}, ${verdict.riskFlags.length} findings`
  return [`${said}; history: ${history.activityPulse ?? 'not known'}.`, describeHoneypot(report)]
}

function describePhishing({ verdict, riskScore, flagCount }: PhishingReportBody): string {
  return `phishing: ${verdict}, risk ${riskScore} of 100, ${flagCount} findings.`
}
