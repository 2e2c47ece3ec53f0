import { ApiError } from '../../api-error.js'
import type { BytecodeReport, Confidence, DelegateReport } from '../../checks/bytecode/bytecode-report.js'
import type { FailedCheck } from '../../checks/settle.js'
import { isFailed } from '../../checks/settle.js'
import type { SimulationChecks } from '../../checks/simulation/simulation-checks.js'
import type { AnalysisTarget } from '../../checks/target.js'
import { checksumAddress } from '../../checksum-address.js'
import { MachineBusyError } from '../../scheduling/machine-load.js'
import { plainText } from '../../untrusted-text.js'
import { type Assessment, isTrap, partOf } from '../assess.js'
import { toBlock } from '../fields/block.js'
import { toFamily } from '../fields/family-body.js'
import { toOverall } from '../fields/overall.js'
import { toCodeConditions, toCodeCoverage, toConditions, toCoverage } from '../fields/to-conditions.js'
import { toToken } from '../fields/to-token.js'
import { toApiError } from '../to-api-error.js'
import type { SimulationReport } from './schema.js'
import { toFailedHistory, toHistoryResult } from './to-history-result.js'
import { toFailedSimulation, toSimulateResult } from './to-simulate-result.js'

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
    family: toFamily(assessment),
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

/** Three reasons and what is missing, with room. */
const MAX_SENTENCES = 1_200

function toUpper(confidence: Confidence) {
  return ({ high: 'HIGH', medium: 'MEDIUM', low: 'LOW' } as const)[confidence]
}
