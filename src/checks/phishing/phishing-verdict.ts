import type { BytecodeReport, RiskFlag } from '../bytecode/bytecode-report.js'
import { describeFinding } from './describe.js'
import type { PhishingCheck, PhishingFacts, PhishingFinding, PhishingFindingId } from './phishing-facts.js'
import type {
  CheckResult,
  JudgedFinding,
  PhishingSeverity,
  PhishingVerdict,
  PhishingVerdictReport,
} from './phishing-report.js'

interface CheckRule {
  check: PhishingCheck
  name: CheckResult['name']
  severity: PhishingSeverity
  /** What the check adds to the risk score when it is triggered, once. */
  score: number
  quiet: string
}

/** Names, severities and scores as existing clients know them. */
const CHECKS: readonly CheckRule[] = [
  {
    check: 'allowance',
    name: 'Allowance Drain Trap',
    severity: 'CRITICAL',
    score: 45,
    quiet: 'No function took what a victim had approved.',
  },
  {
    check: 'permit',
    name: 'Permit Signature Abuse',
    severity: 'CRITICAL',
    score: 40,
    quiet: "No function used a victim's signature for another account.",
  },
  {
    check: 'native',
    name: 'Native ETH Forwarder',
    severity: 'MEDIUM',
    score: 15,
    quiet: 'No function passed on what a victim had paid for nothing.',
  },
]

/** What else a finding adds, by its id. Those of a check add nothing of their own. */
const OTHER_SCORES: Partial<Record<PhishingFindingId, { score: number; severity: PhishingSeverity }>> = {
  'delegation-sweeper': { score: 30, severity: 'HIGH' },
  'withdraw-bait': { score: 40, severity: 'HIGH' },
  'late-lock': { score: 40, severity: 'HIGH' },
  'deposit-taker': { score: 40, severity: 'HIGH' },
  'skimmed-exchange': { score: 40, severity: 'HIGH' },
  'exit-switch': { score: 15, severity: 'MEDIUM' },
  'announced-taker': { score: 5, severity: 'LOW' },
  'counterfeit-events': { score: 40, severity: 'HIGH' },
  'zero-price-order': { score: 40, severity: 'CRITICAL' },
  'open-delegation': { score: 75, severity: 'CRITICAL' },
  'wallet-takeover': { score: 75, severity: 'CRITICAL' },
  'wallet-drain': { score: 45, severity: 'CRITICAL' },
  'unclaimed-account': { score: 15, severity: 'MEDIUM' },
  'operator-is-contract': { score: 20, severity: 'MEDIUM' },
  'lure-text': { score: 15, severity: 'MEDIUM' },
  'open-executor': { score: 10, severity: 'LOW' },
  'module-taker': { score: 75, severity: 'CRITICAL' },
  'module-master': { score: 40, severity: 'HIGH' },
  'wallet-module': { score: 5, severity: 'LOW' },
  donation: { score: 5, severity: 'LOW' },
}

/** Bands of the score, as existing clients know them. */
const BANDS: readonly (readonly [least: number, verdict: PhishingVerdict])[] = [
  [75, 'CRITICAL'],
  [40, 'HIGH_RISK'],
  [15, 'LOW_RISK'],
  [0, 'SAFE'],
]
const MAX_SCORE = 100

/** What the facts mean. `code` is what the analysis of the code found, where there was one. */
export function judgePhishing(facts: PhishingFacts, code: BytecodeReport | undefined): PhishingVerdictReport {
  const findings = [...facts.findings, ...hiddenOperators(facts, code)].map(judge)
  const triggered = new Set(findings.flatMap(({ check }) => check ?? []))
  const riskScore = Math.min(MAX_SCORE, scoreOf(findings, triggered))
  const isEmpty = facts.kind === 'empty'
  const inconclusive = !isEmpty && facts.gaps.length > 0 && riskScore < LEAST_HARM
  // An address without code can still be the one that a wallet is asked to trust.
  const isJudged = (!isEmpty || triggered.size > 0) && !inconclusive
  return {
    verdict: isJudged ? verdictOf(riskScore) : isEmpty ? 'EMPTY_CONTRACT' : 'INCONCLUSIVE',
    riskScore: isJudged ? riskScore : 0,
    flagCount: isJudged ? triggered.size : 0,
    isEmpty,
    inconclusive,
    reason: reasonOf(facts),
    checks: isJudged ? CHECKS.map((rule) => resultOf(rule, findings)) : [],
    findings,
    raw: rawOf(findings),
  }
}

/** From here on harm was seen, and what stayed unseen cannot make it better. */
const LEAST_HARM = 40

export function verdictOf(score: number): PhishingVerdict {
  return BANDS.find(([least]) => score >= least)?.[1] ?? 'SAFE'
}

function scoreOf(findings: readonly JudgedFinding[], triggered: ReadonlySet<PhishingCheck>): number {
  const checks = CHECKS.filter(({ check }) => triggered.has(check)).reduce((sum, { score }) => sum + score, 0)
  const others = new Map(findings.map(({ id, score }) => [id, score]))
  return checks + [...others.values()].reduce((sum, score) => sum + score, 0)
}

function judge(finding: PhishingFinding): JudgedFinding {
  const rule = CHECKS.find(({ check }) => check === finding.check)
  const other = OTHER_SCORES[finding.id]
  return {
    ...finding,
    severity: rule?.severity ?? other?.severity ?? 'LOW',
    score: other?.score ?? 0,
    detail: describeFinding(finding),
  }
}

function resultOf({ check, name, severity, quiet }: CheckRule, findings: readonly JudgedFinding[]): CheckResult {
  const [found] = findings.filter((finding) => finding.check === check)
  return { name, triggered: found !== undefined, severity, detail: found?.detail ?? quiet }
}

function reasonOf({ kind, isUnused, gaps, omitted }: PhishingFacts): string | undefined {
  if (kind === 'empty') {
    return isUnused
      ? 'No code, and never used: a contract can still appear at this address.'
      : 'No code: an ordinary account.'
  }
  const said = omitted === undefined ? gaps : [...gaps, omitted]
  return said.length > 0 ? said.join('; ') : undefined
}

function rawOf(findings: readonly JudgedFinding[]): PhishingVerdictReport['raw'] {
  const first = (check: PhishingCheck) => findings.find((finding) => finding.check === check)
  const [drain, permit, native] = [first('allowance'), first('permit'), first('native')]
  return {
    allowanceDrained: drain !== undefined,
    drainedTo: drain?.to ?? permit?.to,
    drainedAmount: drain?.amount ?? permit?.amount,
    permitAbused: permit !== undefined,
    permitGrantedTo: permit?.grantedTo,
    etherForwarded: native !== undefined,
    etherForwardedTo: native?.to,
  }
}

/**
 * Detectors of powers that no account could be seen to use, because the code hides whose they are.
 */
const HIDDEN: readonly string[] = ['allowance-puller', 'arbitrary-call']

/**
 * A power over approvals whose holder is obfuscated: the check cannot act as an unknown account,
 * and honest code has nothing to obfuscate.
 */
function hiddenOperators({ kind, findings }: PhishingFacts, code: BytecodeReport | undefined): PhishingFinding[] {
  if (kind === 'empty' || code === undefined || findings.some(({ check }) => check === 'allowance')) return []
  const flag = code.riskFlags.find(({ id, evidence }) => HIDDEN.includes(id) && evidence.some(isObfuscated))
  const seen = flag?.evidence.find(isObfuscated)
  if (seen === undefined) return []
  return [
    {
      id: 'hidden-operator',
      check: 'allowance',
      selector: seen.selector,
      by: 'holder',
      caller: seen.address,
      asset: undefined,
      amount: undefined,
      to: undefined,
      grantedTo: undefined,
      trace: undefined,
      text: undefined,
    },
  ]
}

const isObfuscated = ({ holder }: RiskFlag['evidence'][number]) => holder?.includes('obfuscated') === true
