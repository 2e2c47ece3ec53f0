import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Failure } from '../api-error.js'
import { CHAIN_NAMES } from '../chains/index.js'
import { type ANALYSES, type AnalysisName, EVM_ANALYSES } from '../reports/analyses.js'
import type { Answers } from '../reports/answer-question.js'
import { Overall } from '../reports/fields/overall.js'
import { HoneypotReportBody } from '../reports/honeypot/schema.js'
import { PhishingReportBody, PhishingRequestBody } from '../reports/phishing/schema.js'
import { AnalysisRequestBody, SimulationReport } from '../reports/simulation/schema.js'
import { type SolanaHoneypotReport, SolanaRequestBody, type SolanaTokenReportBody } from '../reports/solana/schema.js'

/** One thing that a model can ask for. */
export interface Tool {
  name: string
  title: string
  description: string
  inputSchema: TSchema
  analyses: readonly AnalysisName[]
}

/** Models write numbers as texts as often as not. */
const CHAIN_ID = Type.Union([
  AnalysisRequestBody.properties.chainId,
  Type.String({ pattern: '^[0-9]{1,10}$', description: 'The same number as text.' }),
])

const INPUT = Type.Object({
  targetContractAddress: AnalysisRequestBody.properties.targetContractAddress,
  chainId: CHAIN_ID,
  blockNumber: AnalysisRequestBody.properties.blockNumber,
})

/** What a wallet is asked for, besides. */
const INPUT_WITH_REQUEST = Type.Object({
  ...INPUT.properties,
  ...Type.Pick(PhishingRequestBody, ['from', 'to', 'value', 'calldata', 'calls', 'typedData', 'authorizationList'])
    .properties,
})

/**
 * One flat object, which every client can show: on Solana the address is a mint in base58, and
 * there is no block number.
 */
const INPUT_WITH_SOLANA = Type.Object({
  ...INPUT.properties,
  targetContractAddress: Type.Union([
    INPUT.properties.targetContractAddress,
    SolanaRequestBody.properties.targetContractAddress,
  ]),
  chainId: Type.Union([INPUT.properties.chainId, SolanaRequestBody.properties.chainId]),
})

const { simulateResult, byteCodeResult } = SimulationReport.properties.checks.properties
const TRADE = Type.Pick(simulateResult, ['success', 'buyTax', 'sellTax', 'isHoneypot', 'errorReason'])
const CODE = Type.Pick(byteCodeResult, ['trustStatus', 'humanWarning', 'isContract'])
const SALE = Type.Pick(HoneypotReportBody.properties.honeypotResponse, [
  ...(['isHoneypot', 'isTimeHoneypot', 'buyTax', 'sellTax', 'riskScore', 'inconclusive'] as const),
])

/** The fields that a model looks for. A failure has none of them, and is an answer too. */
const mainOf = <Fields extends TObject>(fields: Fields) => Type.Partial(fields)

/**
 * What every tool answers for programs: the verdict, and the answers that it was asked for, as the
 * endpoints give them.
 */
export const OUTPUT = Type.Object({
  overall: Overall,
  simulation: Type.Optional(
    Type.Object(
      { checks: Type.Optional(Type.Object({ simulateResult: mainOf(TRADE), byteCodeResult: mainOf(CODE) })) },
      { description: 'Trade, code and history.' },
    ),
  ),
  honeypot: Type.Optional(
    Type.Object(
      { honeypotResponse: Type.Optional(mainOf(SALE)) },
      { description: 'Taxes and traps in three windows, and what its owner can do.' },
    ),
  ),
  phishing: Type.Optional(
    Type.Object(mainOf(Type.Pick(PhishingReportBody, ['verdict', 'riskScore', 'reason', 'inconclusive'])).properties, {
      description: 'What becomes of approvals, signatures and payments.',
    }),
  ),
  solana: Type.Optional(Type.Object({}, { description: 'Everything about a Solana token.' })),
})

/** The arguments of a call as an endpoint takes them: a chain in digits is a number. */
export function toRequestBody(given: unknown): unknown {
  const chainId = typeof given === 'object' && given !== null && 'chainId' in given ? given.chainId : undefined
  return typeof chainId === 'string' && /^\d{1,10}$/.test(chainId)
    ? { ...(given as object), chainId: Number(chainId) }
    : given
}

/** The checks as tools. Each takes one target; what differs is what is looked at. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'check_target',
    title: 'All checks on a token or contract',
    description: `Judges whether a token or contract (${CHAIN_NAMES} or Solana "SOL") is safe to touch: trades it on a private copy of the chain now, in 24 hours and in 7 days, reads its code and history, and looks for phishing. Takes up to 15 seconds.`,
    inputSchema: INPUT_WITH_SOLANA,
    analyses: EVM_ANALYSES,
  },
  {
    name: 'simulate_trade',
    title: 'Trade, code and history',
    description:
      'Buys and sells a token on a private copy of the chain as it is now, reads its bytecode and looks at its transfers.',
    inputSchema: INPUT,
    analyses: ['simulation'],
  },
  {
    name: 'check_honeypot',
    title: 'Honeypot check in three time windows',
    description:
      'Buys and sells a token now, in 24 hours and in 7 days, and tells taxes, blocked sells and what its owner can do to holders.',
    inputSchema: INPUT_WITH_SOLANA,
    analyses: ['honeypot'],
  },
  {
    name: 'check_phishing',
    title: 'Phishing check of a contract',
    description:
      'Finds out whether a contract takes what others approve, sign or pay to it; and, with the fields of a request, what a wallet would lose, get and allow by confirming it.',
    inputSchema: INPUT_WITH_REQUEST,
    analyses: ['phishing'],
  },
  {
    name: 'check_wallet_request',
    title: 'What a wallet is asked to confirm',
    description:
      'Plays a transaction, several calls, a signature (typed data) or a delegation as the wallet in `from`, and tells what leaves it, what comes in, who may take what afterwards, and what to warn of. The target is the contract that is called or that the typed data names.',
    inputSchema: INPUT_WITH_REQUEST,
    analyses: ['phishing'],
  },
]

/**
 * The verdict in a few lines of our own words, and the figures of each check. Nothing of it is text
 * that a contract wrote: a model reads this as instructions, and a revert reason or the name of a
 * token could be some.
 */
export function describeResults(results: Answers): string {
  const overall = overallOf(results)
  const lines = overall ? [describeOverall(overall)] : []
  for (const [name, part] of Object.entries(results)) {
    if (isFailure(part)) lines.push(`${name}: no answer. ${part.errorReason}.`)
    else lines.push(...DESCRIBE[name as AnalysisName](part as never))
  }
  return lines.join('\n')
}

/** The one verdict, which every answer has; `undefined` where there is none. */
function overallOf(results: Answers): NonNullable<Overall> | undefined {
  const [answer] = Object.values(results).filter((part) => !isFailure(part))
  return (answer as { overall?: Overall } | undefined)?.overall ?? undefined
}

function describeOverall({ level, score, headline, reason, inconclusive }: NonNullable<Overall>): string {
  const doubt = inconclusive === null ? '' : ' The analysis is inconclusive: do not read this as safe.'
  return `verdict: ${level}, ${score} of 100. ${headline} ${reason}${doubt}`
}

/**
 * The reports for programs, without call trees and logs: those fill a model's memory and say
 * nothing to it.
 */
export function toStructured(results: Answers): Record<string, unknown> {
  const parts = Object.entries(results).map(([name, part]) => [name, JSON.parse(JSON.stringify(part, dropTraces))])
  return { overall: overallOf(results) ?? null, ...Object.fromEntries(parts) }
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
    : 'the trade did not go through'
  const found = code.isContract ? `${code.riskFlags.length} findings in the code` : 'no contract there'
  return `simulation: ${traded}; ${found}; history: ${history.activityPulse ?? 'not known'}.`
}

function describeHoneypot({
  honeypotResponse: report,
}: Pick<HoneypotReportBody | SolanaHoneypotReport, 'honeypotResponse'>): string {
  const windows = report.timeTravelResults.map(
    ({ label, buyTax, sellTax }) => `${label} buy ${buyTax} % sell ${sellTax} %`,
  )
  const trap = report.isHoneypot ? 'a honeypot; ' : report.isTimeHoneypot ? 'a honeypot later; ' : ''
  return `honeypot: ${trap}${windows.join('; ')}.`
}

/** What each answer says, a line each. */
const DESCRIBE: { [Name in AnalysisName]: (report: Static<(typeof ANALYSES)[Name]['Report']>) => string[] } = {
  simulation: (report) => [describeSimulation(report)],
  honeypot: (report) => [describeHoneypot(report)],
  phishing: (report) => [describePhishing(report)],
  solana: describeSolana,
}

function describeSolana(report: SolanaTokenReportBody): string[] {
  const { byteCodeResult: verdict, transactionHistoryResult: history } = report.checks
  if (report.tokenInfo === null) return []
  return [
    `solana: ${verdict.riskFlags.length} findings; history: ${history.activityPulse ?? 'not known'}.`,
    describeHoneypot(report),
  ]
}

function describePhishing({ checks, verdict, wallet }: PhishingReportBody): string {
  const triggered = checks.filter((check) => check.triggered).map(({ name }) => name)
  const asked = wallet === null ? '' : ` ${describeWallet(wallet)} Verdict on the request and its contract: ${verdict}.`
  return `phishing: ${triggered.length > 0 ? triggered.join(', ') : 'nothing was taken from test victims'}.${asked}`
}

/** Counts and names of ours: what tokens call themselves is for programs. */
function describeWallet({ success, leaves, arrives, approvals, warnings }: NonNullable<PhishingReportBody['wallet']>) {
  const ids = warnings.map(({ id, severity }) => `${id} (${severity})`).join(', ') || 'none'
  const played = success === null ? 'It is to be signed' : success ? 'It would go through' : 'It would fail'
  return `${played}: ${leaves.length} assets leave, ${arrives.length} come in, ${approvals.length} permissions stay; warnings: ${ids}.`
}
