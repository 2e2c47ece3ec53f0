/** The words of the specification, from best to worst. */
export const TRUST_STATUSES = ['Safe', 'Low Risk', 'Medium Risk', 'High Risk', 'Critical Risk'] as const
export type TrustStatus = (typeof TRUST_STATUSES)[number]

export type ThreatLevel = 'HIGH' | 'MEDIUM' | 'LOW'
export type Confidence = 'high' | 'medium' | 'low'

/** One finding in the code. `evidence` says where it was seen, so that a third party can check it. */
export interface RiskFlag {
  /** The detector's kebab-case name. */
  id: string
  threatLevel: ThreatLevel
  confidence: Confidence
  title: string
  description: string
  evidence: readonly Record<string, string | number | boolean>[]
}

/** What the code of an address says, at one block. */
export interface BytecodeReport {
  isContract: boolean
  trustStatus: TrustStatus
  /** One sentence on the most severe finding. */
  humanWarning: string
  confidence: Confidence
  riskFlags: readonly RiskFlag[]
  /** False when a budget ran out or code could not be resolved; the verdict is then at least `Medium Risk`. */
  isComplete: boolean
}
