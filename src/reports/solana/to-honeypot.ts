import { LEAST_SCORES } from '../../checks/levels.js'
import type { SolanaReport, SolanaTokenReport } from '../../checks/solana/solana-report.js'
import { SOLANA_WINDOWS } from '../../checks/solana/solana-windows.js'
import { plainText } from '../../untrusted-text.js'
import type { SolanaAssessment } from '../assess-solana.js'
import { toIsoTime } from '../fields/block.js'
import { toFamily } from '../fields/family-body.js'
import { toOverall } from '../fields/overall.js'
import { toSolanaToken } from '../fields/to-token.js'
import { judgeSolana } from '../judge-solana.js'
import type { Verdict } from '../verdict.js'
import type { SolanaHoneypotReport } from './schema.js'

export const NOT_A_MINT = 'Account is not a token mint'
/** Details name several addresses. */
export const MAX_DETAIL = 600

/**
 * The answer of the honeypot endpoint: the same fields as on the other chains (specification,
 * section 2.4).
 */
export function toSolanaHoneypot(
  report: SolanaAssessment,
  { engineVersion }: { engineVersion: string },
): SolanaHoneypotReport {
  const verdict = judgeSolana(report)
  return {
    success: true,
    honeypotResponse: toHoneypotResponse(report, verdict),
    overall: toOverall({ verdict, isWhole: true }, toSolanaToken(report)),
    token: toSolanaToken(report),
    family: toFamily(report, 'these rules'),
    slot: toSlot(report),
    engineVersion,
  }
}

export const toSlot = ({ slots, time }: SolanaReport) => ({
  first: Number(slots.first),
  last: Number(slots.last),
  timestamp: toIsoTime(Number(time) * 1_000),
})

/** Two decimals. */
export const toPercent = (bps: number) => Math.round(bps) / 100

type HoneypotResponse = SolanaHoneypotReport['honeypotResponse']

export function toHoneypotResponse(report: SolanaReport, verdict: Verdict): HoneypotResponse {
  if (report.kind === 'token') return ofToken(report, verdict)
  // Nothing was judged: that is no score of zero.
  const riskScore = Math.max(verdict.score, LEAST_SCORES[verdict.level])
  return { ...NOTHING, riskScore, timeTravelResults: NOTHING.timeTravelResults.map((each) => ({ ...each, riskScore })) }
}

function ofToken(report: SolanaTokenReport, { score }: Verdict): HoneypotResponse {
  const [now] = report.windows
  const [main] = report.pools
  const inconclusive = report.gaps.length > 0 ? plainText(report.gaps.join('; '), MAX_DETAIL) : null
  const failure = report.windows.find(({ errorReason }) => errorReason !== '')?.errorReason ?? ''
  return {
    riskScore: score,
    buyTax: toPercent(now?.buyTaxBps ?? 0),
    sellTax: toPercent(now?.sellTaxBps ?? 0),
    isTimeHoneypot: report.isTimeHoneypot,
    timeTravelResults: toWindows(report, score),
    isHoneypot: report.isHoneypot,
    transferTax: report.transfer.ok ? toPercent(report.transfer.taxBps) : null,
    findings: report.findings.map(({ id, detail }) => ({ id, detail: plainText(detail, MAX_DETAIL) })),
    pair: main?.pool.address ?? null,
    venue: main?.name ?? null,
    inconclusive,
    errorReason: inconclusive ?? plainText(failure),
  }
}

type Window = HoneypotResponse['timeTravelResults'][number]

/** Always three: of a token that could not be tried at all, each says so. */
function toWindows(report: SolanaTokenReport, score: number): Window[] {
  const powers = powersOf(report)
  return SOLANA_WINDOWS.map(({ label }) => {
    const window = report.windows.find((each) => each.label === label)
    return {
      label,
      buyTax: toPercent(window?.buyTaxBps ?? 0),
      sellTax: toPercent(window?.sellTaxBps ?? 0),
      riskScore: window?.riskScore ?? score,
      ...powers,
      errorReason: window ? plainText(window.errorReason) : 'not tried',
    }
  })
}

function powersOf({
  authorities,
  findings,
}: SolanaTokenReport): Omit<Window, 'label' | 'buyTax' | 'sellTax' | 'riskScore' | 'errorReason'> {
  const has = (...ids: string[]) => findings.some(({ id }) => ids.includes(id))
  const mint = authorities.find(({ power }) => power === 'mint')
  return {
    isBlackListDetected: has('freeze', 'accounts-frozen', 'frozen-holders', 'replaceable-hook', 'hook'),
    isMintable: mint !== undefined,
    mintScore: findings.find(({ id }) => id === 'mint')?.weight ?? 0,
    mintReason: mint ? plainText(`${mint.authority.address ?? ''} (${mint.authority.kind}): ${mint.detail}`) : '',
    isTradingControl: has('pause', 'paused', 'freeze', 'replaceable-hook', 'hook', 'accounts-frozen'),
  }
}

const NOTHING: HoneypotResponse = {
  riskScore: 0,
  buyTax: 0,
  sellTax: 0,
  isTimeHoneypot: false,
  timeTravelResults: SOLANA_WINDOWS.map(({ label }) => ({
    label,
    buyTax: 0,
    sellTax: 0,
    riskScore: 0,
    isBlackListDetected: false,
    isMintable: false,
    mintScore: 0,
    mintReason: '',
    isTradingControl: false,
    errorReason: NOT_A_MINT,
  })),
  isHoneypot: false,
  transferTax: null,
  findings: [],
  pair: null,
  venue: null,
  inconclusive: NOT_A_MINT,
  errorReason: NOT_A_MINT,
}
