import type { Address } from '../../hex.js'
import type { PhishingFinding } from './phishing-facts.js'

export type PhishingVerdict = 'SAFE' | 'LOW_RISK' | 'HIGH_RISK' | 'CRITICAL' | 'EMPTY_CONTRACT' | 'INCONCLUSIVE'

export type PhishingSeverity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW'

/** One of the three checks that are always made. */
export interface CheckResult {
  name: 'Allowance Drain Trap' | 'Permit Signature Abuse' | 'Native ETH Forwarder'
  triggered: boolean
  severity: PhishingSeverity
  detail: string
}

/** A finding in words, with what it adds to the score. */
export interface JudgedFinding extends PhishingFinding {
  severity: PhishingSeverity
  /** 0 to 100. */
  score: number
  detail: string
}

export interface PhishingVerdictReport {
  verdict: PhishingVerdict
  /** 0 to 100, higher is worse. */
  riskScore: number
  flagCount: number
  isEmpty: boolean
  inconclusive: boolean
  /** Why nothing could be said, or what is to be known besides. */
  reason: string | undefined
  /** Empty when nothing could be said. */
  checks: readonly CheckResult[]
  findings: readonly JudgedFinding[]
  raw: {
    allowanceDrained: boolean
    drainedTo: Address | undefined
    drainedAmount: bigint | undefined
    permitAbused: boolean
    permitGrantedTo: Address | undefined
    etherForwarded: boolean
    etherForwardedTo: Address | undefined
  }
}
