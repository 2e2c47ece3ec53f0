import type { Chain } from '../../chains/chain.js'
import { testedOn } from '../../chains/tested-on.js'
import type { FailedCheck } from '../../checks/settle.js'
import type { AllowanceChange, TradeReport } from '../../checks/trade/trade-report.js'
import { checksumAddress } from '../../checksum-address.js'
import type { CallFrame, Log } from '../../evm/inspector.js'
import type { Address } from '../../hex.js'
import { toIsoTime } from '../fields/block.js'
import type { SimulationReport } from './schema.js'

type SimulateResult = SimulationReport['checks']['simulateResult']

/** What one round trip tells; the conditions of a sale are the honeypot check's. */
type TradeFields = Omit<SimulateResult, 'conditions' | 'coverage'>

export function toSimulateResult(report: TradeReport, { chain }: { chain: Chain }): TradeFields {
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
export function toFailedSimulation(
  { errorReason }: FailedCheck,
  { chain, now }: { chain: Chain; now: number },
): TradeFields {
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

function toLog({ address, data, topics, dataBytes }: Log) {
  return { address, data, topics, ...(dataBytes !== undefined && { truncated: true as const, dataBytes }) }
}

type Call = SimulateResult['simulation']['calls'][number]

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
