import type { Chain } from '../chains/chain.js'
import type { ActivityPulse } from '../checks/history/history-report.js'
import type { TrustStatus } from '../checks/levels.js'
import type { PhishingVerdict } from '../checks/phishing/phishing-report.js'
import type { Address } from '../hex.js'
import type { DevnetTransaction } from './devnet-ledger.js'

/** What a report on an example must say. What is absent is not judged. */
export interface Expectation {
  /** `checks.simulateResult.success` */
  simulateSuccess: boolean
  /** `checks.simulateResult.isHoneypot` */
  isHoneypot: boolean
  /** Text that `errorReason` of the simulation contains, in any case of letters. */
  errorReasonIncludes?: string
  /** Percent, each within 0.1; `Immediate` window. */
  buyTaxPercent?: number
  sellTaxPercent?: number
  /** `honeypotResponse.isTimeHoneypot` */
  isTimeHoneypot?: boolean
  /** Percent in the `7 Days` window. */
  laterSellTaxPercent?: number
  /** `overall.level`, the same in each answer, and `trustStatus` wherever it stands. */
  level: TrustStatus
  /** `overall.score`, the same in each answer, and `honeypotResponse.riskScore`. */
  score: number
  /** Text that `overall.reason` contains. */
  reasonIncludes?: string
  isContract: boolean
  /** Titles that must be among `riskFlags`. */
  riskTitles: readonly string[]
  /** Titles that must not be among them. */
  absentRiskTitles: readonly string[]
  activityPulse: ActivityPulse
  /** `verdict` of the phishing check: any of these. */
  phishingVerdict?: readonly PhishingVerdict[]
}

/** An example on a running devnet. */
export interface DevnetExample {
  name: string
  targetContractAddress: Address
  chainId: number
  /** One sentence for a person. */
  summary: string
  expect: Expectation
}

/** Something that happens on the devnet at a time before its start. */
export interface TimelineEvent {
  secondsAgo: number
  transaction: DevnetTransaction
}

/** Who and what an example can make use of. */
export interface Scene {
  chain: Chain
  /** Seconds since 1970: the present of the devnet. */
  now: number
  /** An account of the example's own, never used before. */
  deployer: Address
  /** Who made the exchanges and the chain's dollars, and holds the dollars. */
  issuer: Address
  /** Ordinary accounts that all examples share. */
  traders: readonly Address[]
}

/**
 * How an example comes about. A pure function of the scene, so its address is the same on every
 * devnet of a chain.
 */
export interface ExamplePlan {
  name: string
  summary: string
  chainIds: readonly number[]
  expect: Expectation
  plan(scene: Scene): { target: Address; events: TimelineEvent[] }
}
