import { ApiError } from '../../api-error.js'
import type { Chain } from '../../chains/chain.js'
import { testedOn } from '../../chains/tested-on.js'
import type { BytecodeReport, Confidence, DelegateReport } from '../../checks/bytecode/bytecode-report.js'
import type { HistoryReport, TransferRecord } from '../../checks/history/history-report.js'
import { isFailed } from '../../checks/settle.js'
import type { FailedCheck, SimulationChecks } from '../../checks/simulation-checks.js'
import type { AnalysisTarget } from '../../checks/target.js'
import type { AllowanceChange, TradeReport } from '../../checks/trade/trade-report.js'
import { checksumAddress } from '../../checksum-address.js'
import type { CallFrame, Log } from '../../evm/inspector.js'
import type { Address } from '../../hex.js'
import { MachineBusyError } from '../../scheduling/machine-load.js'
import { plainText } from '../../untrusted-text.js'
import { type Assessment, isTrap, partOf } from '../assess.js'
import { toBlock, toIsoTime } from '../fields/block.js'
import { toOverall } from '../fields/overall.js'
import { toCodeConditions, toCodeCoverage, toConditions, toCoverage } from '../fields/to-conditions.js'
import { toToken } from '../fields/to-token.js'
import { toApiError } from '../to-api-error.js'
import type { SimulationReport } from './schema.js'

type Checks = SimulationReport['checks']

export interface ResponseContext {
  chain: AnalysisTarget['chain']
  engineVersion: string
  /** Milliseconds since 1970; stands where a check did not even begin. */
  now: number
}

/**
 * Renames the internal reports to the words and formats of the specification (section 2.3). Every
 * field is present, whatever failed. Throws what kept all three from being made.
 */
export function toSimulationReport(assessment: Assessment, context: ResponseContext): SimulationReport {
  const { block, trade, bytecode, history } = partOf(assessment, 'simulation')
  // Nothing useful could be done: no node answers, or none in time.
  if (isFailed(trade) && isFailed(bytecode) && isFailed(history)) throw refusalOf([trade, bytecode, history])
  const { honeypot } = assessment
  const sale = honeypot && !isFailed(honeypot) ? honeypot.conditions : undefined
  return {
    success: true,
    checks: {
      simulateResult: {
        ...(isFailed(trade) ? toFailedSimulation(trade, context) : toSimulateResult(trade, context)),
        isHoneypot: isTrap(assessment),
        conditions: toConditions(sale),
        coverage: toCoverage(sale),
      },
      byteCodeResult: {
        trustStatus: assessment.verdict.level,
        humanWarning: plainText(assessment.verdict.reason, MAX_SENTENCES),
        ...(isFailed(bytecode) ? toFailedBytecode(bytecode, trade) : toByteCodeResult(bytecode)),
      },
      transactionHistoryResult: isFailed(history) ? toFailedHistory(history) : toHistoryResult(history),
    },
    overall: toOverall(assessment, toToken(assessment)),
    token: toToken(assessment),
    block: toBlock(block),
    engineVersion: context.engineVersion,
  }
}

/** A machine that made one of them late may have made all of them late: asking again will help. */
function refusalOf(checks: readonly FailedCheck[]): ApiError {
  const cause = new Error(checks.map(({ errorReason }) => errorReason).join('; '))
  const isBusy = checks.some(({ code }) => code === 'machine_busy')
  return isBusy
    ? toApiError(new MachineBusyError(cause), 'simulation_failed')
    : new ApiError('simulation_failed', { cause })
}

/** What one round trip tells; the conditions of a sale are the honeypot check's. */
type TradeFields = Omit<Checks['simulateResult'], 'conditions' | 'coverage'>

function toSimulateResult(report: TradeReport, { chain }: Pick<ResponseContext, 'chain'>): TradeFields {
  return {
    success: report.success,
    ethDelta: String(report.nativeDelta),
    tokenDelta: String(report.tokenDelta),
    isProfit: report.nativeDelta > 0n,
    allowanceChanged: report.allowanceChanges.length > 0,
    allowanceDelta: toAllowanceDelta(report.allowanceChanges),
    errorReason: report.errorReason,
    ...(!report.success && { humanReason: report.errorReason }),
    returnData: report.returnData,
    ...(report.returnDataBytes !== undefined && { returnDataBytes: report.returnDataBytes }),
    simulatedAt: toIsoTime(report.simulatedAt),
    estimatedTax: toPercent(Math.max(report.buyTaxBps ?? 0, report.sellTaxBps ?? 0)) ?? '0',
    buyTax: toPercent(report.buyTaxBps),
    sellTax: toPercent(report.sellTaxBps),
    transferTax: toPercent(report.transferTaxBps),
    gasUsed: String(report.gasUsed),
    ...(report.l1Fee !== undefined && { l1Fee: String(report.l1Fee) }),
    watchedTokens: report.watchedDeltas.map(({ token }) => checksumAddress(token)).join(','),
    watchedTokensDeltas: report.watchedDeltas.map(({ delta }) => delta).join(','),
    isReentrancy: report.isReentrancy,
    isHoneypot: report.isHoneypot,
    inconclusive: report.inconclusive ?? null,
    venue: report.venue ? toVenue(chain, report.venue) : null,
    steps: report.steps.map((step) => ({ ...step, gasUsed: String(step.gasUsed) })),
    engine: report.engine ?? 'interpreter',
    simulation: {
      isTruncated: report.isTruncated,
      calls: report.calls.map(toCall),
      logs: report.logs.map(toLog),
    },
  }
}

const toVenue = (chain: Chain, { name, pool }: { name: string; pool: Address }) => ({
  ...{ name, pool: checksumAddress(pool), testedOn: testedOn(chain, name) },
})

/** Nothing was seen, so nothing is claimed but the failure itself. */
function toFailedSimulation({ errorReason }: FailedCheck, { chain, now }: ResponseContext): TradeFields {
  const nothing: TradeReport = {
    success: false,
    errorReason,
    kind: 'token',
    nativeDelta: 0n,
    tokenDelta: 0n,
    allowanceChanges: [],
    returnData: '0x',
    simulatedAt: now,
    buyTaxBps: undefined,
    sellTaxBps: undefined,
    transferTaxBps: undefined,
    gasUsed: 0n,
    watchedDeltas: chain.watchedTokens.map(({ address }) => ({ token: address, delta: 0n })),
    isReentrancy: false,
    isHoneypot: false,
    inconclusive: errorReason,
    venue: undefined,
    steps: [],
    calls: [],
    logs: [],
    isTruncated: false,
  }
  return toSimulateResult(nothing, { chain })
}

type CodeFields = Omit<Checks['byteCodeResult'], 'trustStatus' | 'humanWarning'>

function toByteCodeResult(report: BytecodeReport): CodeFields {
  const [worst] = report.riskFlags
  return {
    isContract: report.isContract,
    riskFlags: report.riskFlags.map(({ severity: _, ...flag }) => ({ ...flag, confidence: toUpper(flag.confidence) })),
    confidence: toUpper(report.complete && report.isContract ? (worst?.confidence ?? 'high') : 'low'),
    codeHash: report.codeHash,
    normalisedHash: report.normalisedHash ?? null,
    selectors: report.selectors,
    proxy: report.proxy.map(toDelegate),
    complete: report.complete,
    gaps: report.gaps,
    conditions: toCodeConditions(report.conditions),
    coverage: toCodeCoverage(report),
  }
}

function toDelegate({ kind, address, slot, admin, codeHash }: DelegateReport) {
  return {
    kind,
    address: address === undefined ? null : checksumAddress(address),
    slot: slot ?? null,
    admin: admin ?? null,
    codeHash: codeHash ?? null,
  }
}

/**
 * Code that was not looked at is not safe. What the simulation saw tells whether there is any; when
 * it saw nothing, we assume there is.
 */
function toFailedBytecode({ errorReason }: FailedCheck, trade: SimulationChecks['trade']): CodeFields {
  return {
    isContract: isFailed(trade) || trade.kind !== 'account',
    riskFlags: [],
    confidence: 'LOW',
    codeHash: null,
    normalisedHash: null,
    selectors: [],
    proxy: [],
    complete: false,
    gaps: [errorReason],
    conditions: [],
    coverage: null,
  }
}

function toHistoryResult(report: HistoryReport): Checks['transactionHistoryResult'] {
  return {
    success: report.success,
    activityPulse: report.success ? (report.activityPulse ?? null) : null,
    message: report.message,
    recentTransfers: report.recentTransfers.slice(0, MAX_TRANSFERS).map((transfer) => toTransfer(transfer, report)),
    summary: toSummary(report),
  }
}

/** The first four are the names that existing clients read. */
function toSummary({ summary, decimals }: HistoryReport): Checks['transactionHistoryResult']['summary'] {
  const { day, week } = summary
  return {
    totalTransfers: week.transfers,
    uniqueWallets: summary.accounts,
    lastTransferDate: toOptionalTime(summary.lastTransfer),
    totalERC20Volume: toDecimal(summary.volume, decimals),
    firstMintDate: toOptionalTime(summary.firstMint),
    last24Hours: { ...day, buys: day.buys ?? null, sells: day.sells ?? null },
    last7Days: { ...week, buys: week.buys ?? null, sells: week.sells ?? null },
    makeBelieve: [...summary.makeBelieve],
  }
}

const toOptionalTime = (seconds: number | undefined) => (seconds === undefined ? null : toIsoTime(seconds * 1_000))

function toFailedHistory({ errorReason }: FailedCheck): Checks['transactionHistoryResult'] {
  return {
    success: false,
    activityPulse: null,
    message: `The history could not be read: ${errorReason}`,
    recentTransfers: [],
    summary: null,
  }
}

const MAX_TRANSFERS = 10
/** Three reasons and what is missing, with room. */
const MAX_SENTENCES = 1_200

function toTransfer(transfer: TransferRecord, { symbol, decimals }: HistoryReport) {
  return {
    hash: transfer.hash,
    from: checksumAddress(transfer.from),
    to: checksumAddress(transfer.to),
    amount: toDecimal(transfer.value, decimals),
    symbol,
    date: toIsoTime(transfer.timestamp * 1_000),
    value: String(transfer.value),
    blockNumber: Number(transfer.blockNumber),
    logIndex: transfer.logIndex,
  }
}

/**
 * A token may claim any number of decimals; 2^256 has 78 digits, so that more than 77 cannot be
 * meant.
 */
const MAX_DECIMALS = 77

/** Exact, without trailing zeros. */
function toDecimal(value: bigint, decimals: number | undefined): string {
  if (decimals === undefined || decimals > MAX_DECIMALS || decimals < 1) return String(value)
  const digits = String(value).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return digits.slice(0, -decimals) + (fraction && `.${fraction}`)
}

/** Types in which tokens and Permit2 keep allowances; their largest value means "without limit". */
const UNLIMITED: ReadonlySet<bigint> = new Set([96n, 128n, 160n, 256n].map((bits) => 2n ** bits - 1n))

/** The largest change, because it is the most dangerous one. */
function toAllowanceDelta(changes: readonly AllowanceChange[]): string {
  const deltas = changes.map(({ delta }) => delta).sort((a, b) => (a < b ? 1 : -1))
  return deltas.some((delta) => UNLIMITED.has(delta)) ? 'Unlimited' : String(deltas[0] ?? 0n)
}

/** Percent with at most two decimals; `null` for what could not be measured. */
function toPercent(bps: number | undefined): string | null {
  return bps === undefined ? null : String(Math.round(bps) / 100)
}

function toUpper(confidence: Confidence) {
  return ({ high: 'HIGH', medium: 'MEDIUM', low: 'LOW' } as const)[confidence]
}

function toLog({ address, data, topics, dataBytes }: Log) {
  return { address, data, topics, ...(dataBytes !== undefined && { truncated: true as const, dataBytes }) }
}

type Call = Checks['simulateResult']['simulation']['calls'][number]

/** Geth leaves out what is empty; the specification lists every field. */
function toCall(frame: CallFrame): Call {
  return {
    type: frame.type,
    from: frame.from,
    to: frame.to ?? '0x',
    value: frame.value ?? '0x0',
    gas: frame.gas,
    gasUsed: frame.gasUsed,
    input: frame.input,
    output: frame.output ?? '0x',
    ...(frame.isTruncated && { truncated: true as const }),
    ...(frame.inputBytes !== undefined && { inputBytes: frame.inputBytes }),
    ...(frame.outputBytes !== undefined && { outputBytes: frame.outputBytes }),
    ...(frame.error !== undefined && { error: frame.error }),
    ...(frame.revertReason !== undefined && { revertReason: frame.revertReason }),
    ...(frame.calls !== undefined && { calls: frame.calls.map(toCall) }),
  }
}
