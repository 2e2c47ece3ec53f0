import type { Address, Hex } from '../../hex.js'
import type { CodeConditions } from './code-conditions.js'

/**
 * How bad, in the order of `severity.ts`. `critical`: any address can do it to the holders, or it
 * is proven. `high`: an active holder certainly can. `medium`: the code path exists. `low`:
 * unusual, or a power without a holder.
 */
export type Severity = 'critical' | 'high' | 'medium' | 'low'

export type ThreatLevel = 'HIGH' | 'MEDIUM' | 'LOW'
export type Confidence = 'high' | 'medium' | 'low'

/** Where a finding was seen, so that a third party can look there too. */
export interface Evidence {
  /** Contract whose code it is: the target, or what it delegates to. */
  address: Address
  pc?: number
  /** Function that leads there; absent for the fallback and receive. */
  selector?: Hex
  /** Storage slot concerned, 32 bytes. */
  slot?: Hex
  /** What the slot holds now. */
  value?: Hex
  /** Who holds the power now: an address, `anyone`, `no address`, or how it is granted. */
  holder?: string
  /** What was seen, in a few words. */
  note?: string
}

export interface RiskFlag {
  /** Stable name of the detector. */
  id: string
  /** How bad the worst of `evidence` is. */
  severity: Severity
  threatLevel: ThreatLevel
  title: string
  description: string
  confidence: Confidence
  evidence: Evidence[]
}

/** A contract whose code runs in place of the target's own. */
export interface DelegateReport {
  address: Address | undefined
  kind: string
  /** Slot that holds the address. */
  slot: Hex | undefined
  /** Who can exchange it, as far as known. */
  admin: string | undefined
  codeHash: Hex | undefined
}

export interface BytecodeReport {
  /** Whether the address has code of its own. An account that delegates by EIP-7702 has not. */
  isContract: boolean
  /** The worst first. */
  riskFlags: RiskFlag[]
  codeHash: Hex
  /** Hash without metadata, immutables and addresses: equal for two deployments of one source. */
  normalisedHash: Hex | undefined
  /**
   * Hash of the shape of the code and of all that it delegates to; `undefined` where there is none,
   * or not all of it could be read.
   */
  familyCode: Hex | undefined
  selectors: Hex[]
  proxy: DelegateReport[]
  /** False when a budget or an unreadable jump left something unseen. */
  complete: boolean
  /** What was left unseen. */
  gaps: string[]
  /** What decides its standard functions; `undefined` where it is no token, or time ran out. */
  conditions: CodeConditions | undefined
}
