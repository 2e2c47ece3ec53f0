import type { SolanaHistory, SolanaReport, SolanaTokenReport } from '../../checks/solana/solana-report.js'
import { bytesToHex, toQuantity } from '../../hex.js'
import { QUOTE_MINTS, WRAPPED_SOL } from '../../solana/programs.js'
import { plainText } from '../../untrusted-text.js'
import type { SolanaAssessment } from '../assess-solana.js'
import { toIsoTime } from '../fields/block.js'
import { toFamily } from '../fields/family-body.js'
import { toOverall } from '../fields/overall.js'
import { toSolanaToken } from '../fields/to-token.js'
import { judgeSolana } from '../judge-solana.js'
import type { Verdict } from '../verdict.js'
import type { SolanaTokenReportBody } from './schema.js'
import { MAX_DETAIL, NOT_A_MINT, toHoneypotResponse, toPercent, toSlot } from './to-honeypot.js'
import { toTokenInfo } from './to-token-info.js'

/**
 * Renames the internal report to the words and units of the specification (section 2.3), as far as
 * they mean something on Solana.
 */
export function toSolanaReport(
  report: SolanaAssessment,
  { engineVersion, now }: { engineVersion: string; now: number },
): SolanaTokenReportBody {
  const verdict = judgeSolana(report)
  return {
    success: true,
    checks: {
      simulateResult: {
        ...(report.kind === 'token' ? toSimulation(report) : NO_SIMULATION),
        simulatedAt: toIsoTime(now),
      },
      byteCodeResult: toByteCode(report, verdict),
      transactionHistoryResult: toHistory(report.history),
    },
    honeypotResponse: toHoneypotResponse(report, verdict),
    tokenInfo: report.kind === 'token' ? toTokenInfo(report) : null,
    overall: toOverall({ verdict, isWhole: true }, toSolanaToken(report)),
    token: toSolanaToken(report),
    family: toFamily(report, 'these rules'),
    slot: toSlot(report),
    engineVersion,
  }
}

type Checks = SolanaTokenReportBody['checks']
type Simulation = Omit<Checks['simulateResult'], 'simulatedAt'>

const WATCHED = QUOTE_MINTS.join(',')
const UNLIMITED = 2n ** 64n - 1n

function toSimulation(report: SolanaTokenReport): Simulation {
  const { play, windows, gaps } = report
  const [now] = windows
  const swap = play?.windows[0]?.swap
  const quoteDelta = swap ? swap.returned - swap.paid : 0n
  const traded = swap?.buy.ok ? swap : now
  const tokenDelta = traded ? traded.buy.received - traded.sell.sent : 0n
  const isPricedIn = (mint: string) => (swap?.quoteMint === mint ? quoteDelta : 0n)
  const delegate = play?.trace.delegate
  const success = now?.buy.ok === true && now.sell.ok
  return {
    success,
    ethDelta: String(isPricedIn(WRAPPED_SOL)),
    tokenDelta: String(tokenDelta),
    isProfit: isPricedIn(WRAPPED_SOL) > 0n,
    allowanceChanged: delegate !== undefined,
    allowanceDelta:
      delegate === undefined ? '0' : delegate.amount === UNLIMITED ? 'Unlimited' : String(delegate.amount),
    errorReason: success ? '' : plainText(now?.errorReason || gaps.join('; ') || 'not tried', MAX_DETAIL),
    returnData: '0x',
    estimatedTax: String(toPercent(Math.max(now?.buyTaxBps ?? 0, now?.sellTaxBps ?? 0))),
    gasUsed: String(play?.trace.units ?? 0n),
    watchedTokens: WATCHED,
    watchedTokensDeltas: QUOTE_MINTS.map((mint) => String(isPricedIn(mint))).join(','),
    isReentrancy: false,
    isHoneypot: report.isHoneypot,
    inconclusive: gaps.length > 0 ? plainText(gaps.join('; '), MAX_DETAIL) : null,
    simulation: {
      calls: (play?.trace.calls ?? []).map(({ depth, from, program, data, dataBytes, allowed, used }) => ({
        type: depth === 1 ? 'INVOKE' : 'CPI',
        depth,
        from: from === play?.trader ? 'trader' : from,
        to: program,
        value: '0x0',
        gas: toQuantity(allowed),
        gasUsed: toQuantity(used),
        input: bytesToHex(data),
        output: '0x',
        ...(dataBytes !== undefined && { truncated: true as const, inputBytes: dataBytes }),
      })),
      logs: (play?.trace.logs ?? []).map(({ program, data, dataBytes }) => ({
        address: program,
        data: bytesToHex(data),
        topics: [],
        ...(dataBytes !== undefined && { truncated: true as const, dataBytes }),
      })),
      ...(play?.trace.isTruncated && { truncated: true as const }),
    },
  }
}

const NO_SIMULATION: Simulation = {
  success: false,
  ethDelta: '0',
  tokenDelta: '0',
  isProfit: false,
  allowanceChanged: false,
  allowanceDelta: '0',
  errorReason: NOT_A_MINT,
  returnData: '0x',
  estimatedTax: '0',
  gasUsed: '0',
  watchedTokens: WATCHED,
  watchedTokensDeltas: QUOTE_MINTS.map(() => '0').join(','),
  isReentrancy: false,
  isHoneypot: false,
  inconclusive: NOT_A_MINT,
  simulation: { calls: [], logs: [] },
}

function toByteCode(report: SolanaReport, { level, reason }: Verdict): Checks['byteCodeResult'] {
  const findings = report.kind === 'token' ? report.findings : []
  return {
    isContract: report.kind === 'token' || report.isProgram,
    trustStatus: level,
    humanWarning: reason,
    riskFlags: findings.map(({ id, title, description, threatLevel, weight, detail, holder, proven }) => ({
      threatLevel,
      title,
      description,
      id,
      weight,
      detail: plainText(detail, MAX_DETAIL),
      holder: holder ?? null,
      proven: proven ?? null,
    })),
  }
}

function toHistory({ success, activityPulse, message, recent }: SolanaHistory): Checks['transactionHistoryResult'] {
  return {
    success,
    activityPulse: activityPulse ?? null,
    message,
    recentTransfers: recent.map(({ signature, slot, time }) => ({
      hash: signature,
      slot: Number(slot),
      date: time === undefined ? '' : toIsoTime(Number(time) * 1_000),
    })),
  }
}
