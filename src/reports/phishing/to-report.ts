import type { PhishingReport } from '../../checks/phishing/check-phishing.js'
import type { JudgedFinding } from '../../checks/phishing/phishing-report.js'
import type { Approval, Movement, TokenWords, WalletReport } from '../../checks/phishing/wallet-report.js'
import { checksumAddress } from '../../checksum-address.js'
import type { CallFrame } from '../../evm/inspector.js'
import type { Address } from '../../hex.js'
import { plainText } from '../../untrusted-text.js'
import { type Assessment, partOf } from '../assess.js'
import { toBlock, toIsoTime } from '../fields/block.js'
import { toOverall } from '../fields/overall.js'
import { toToken } from '../fields/to-token.js'
import type { PhishingReportBody, PhishingReportFields } from './schema.js'

interface ResponseOptions {
  engineVersion: string
  /** Milliseconds since 1970. */
  now: number
}

/** Renames the internal report to the words of existing clients, and copies it under `data`. */
export function toPhishingReport(assessment: Assessment, options: ResponseOptions): PhishingReportBody {
  const report = partOf(assessment, 'phishing')
  const fields = {
    ...toFields(report, options),
    overall: toOverall(assessment, toToken(assessment)),
    token: toToken(assessment),
  }
  return { success: true, ...fields, data: fields }
}

function toFields(
  report: PhishingReport,
  { engineVersion, now }: ResponseOptions,
): Omit<PhishingReportFields, 'overall' | 'token'> {
  const { raw } = report
  return {
    contractAddress: checksumAddress(report.address),
    chain: report.chainSlug,
    verdict: report.verdict,
    riskScore: report.riskScore,
    flagCount: report.flagCount,
    isEmpty: report.isEmpty,
    inconclusive: report.inconclusive,
    reason: report.reason ?? null,
    checks: report.checks.map(({ name, triggered, severity, detail }) => ({ name, triggered, severity, detail })),
    raw: {
      allowanceDrained: raw.allowanceDrained,
      drainedTo: toAddress(raw.drainedTo),
      drainedAmount: toNumberText(raw.drainedAmount),
      permitAbused: raw.permitAbused,
      permitGrantedTo: toAddress(raw.permitGrantedTo),
      etherForwarded: raw.etherForwarded,
      etherForwardedTo: toAddress(raw.etherForwardedTo),
    },
    detectedAt: toIsoTime(now),
    findings: report.findings.map(toFinding),
    delegate: toAddress(report.delegate),
    wallet: report.wallet === undefined ? null : toWallet(report.wallet),
    block: toBlock(report.block),
    engineVersion,
  }
}

const toAddress = (address: Address | undefined) => (address === undefined ? null : checksumAddress(address))
const toNumberText = (amount: bigint | undefined) => (amount === undefined ? null : String(amount))

function toFinding(finding: JudgedFinding): PhishingReportFields['findings'][number] {
  return {
    id: finding.id,
    check: finding.check ?? null,
    severity: finding.severity,
    detail: finding.detail,
    selector: finding.selector ?? null,
    by: finding.by,
    caller: toAddress(finding.caller),
    token: toAddress(finding.asset?.token),
    amount: toNumberText(finding.amount),
    to: toAddress(finding.to),
    grantedTo: toAddress(finding.grantedTo),
    trace: finding.trace === undefined ? [] : toFrames(finding.trace, 0, []),
  }
}

/** Frames shown of a finding: the order of calls is the proof, and fits on a page. */
const MAX_FRAMES = 24

type Frame = PhishingReportFields['findings'][number]['trace'][number]

/** Adds the frame and those below it to `shown`. */
function toFrames(frame: CallFrame, depth: number, shown: Frame[]): Frame[] {
  if (shown.length >= MAX_FRAMES) return shown
  const { type, from, to, value = '0x0', input, error, revertReason } = frame
  shown.push({
    depth,
    type,
    from: checksumAddress(from),
    to: to === undefined ? '0x' : checksumAddress(to),
    value,
    selector: input.slice(0, 10),
    ...(error !== undefined && { error: plainText(revertReason ?? error) }),
  })
  for (const call of frame.calls ?? []) toFrames(call, depth + 1, shown)
  return shown
}

function toWallet(wallet: WalletReport): NonNullable<PhishingReportFields['wallet']> {
  return {
    kind: wallet.kind,
    account: toAddress(wallet.account),
    success: wallet.success ?? null,
    errorReason: plainText(wallet.errorReason),
    calls: wallet.calls.map(({ from, to, value, selector, success, errorReason }) => {
      const reason = plainText(errorReason)
      return {
        from: checksumAddress(from),
        to: checksumAddress(to),
        value: String(value),
        selector,
        success,
        errorReason: reason,
      }
    }),
    leaves: wallet.leaves.map(toMovement),
    arrives: wallet.arrives.map(toMovement),
    approvals: wallet.approvals.map(toApproval),
    warnings: wallet.warnings.map(({ id, severity, text }) => ({ id, severity, text: plainText(text) })),
    spenders: wallet.spenders.map(({ address, verdict, riskScore, reason = null }) => {
      return { address: checksumAddress(address), verdict, riskScore, reason }
    }),
  }
}

const toWords = ({ symbol, name, decimals }: TokenWords) => {
  return { symbol: plainText(symbol), name: plainText(name), decimals: decimals ?? null }
}

const toMovement = ({ token, amount, id, counterparty, ...words }: Movement) => ({
  token: toAddress(token),
  ...toWords(words),
  amount: String(amount),
  id: toNumberText(id),
  counterparty: toAddress(counterparty),
})

const toApproval = ({ kind, token, spender, amount, id, expires, ...words }: Approval) => ({
  kind,
  token: toAddress(token),
  ...toWords(words),
  id: toNumberText(id),
  spender: checksumAddress(spender),
  amount: amount === undefined ? 'Unlimited' : String(amount),
  expires: expires === undefined ? null : toIsoTime(Number(expires) * 1_000),
})
