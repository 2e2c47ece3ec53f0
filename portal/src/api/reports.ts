import type { HoneypotReportBody } from '../../../src/reports/honeypot/schema.js'
import type { PhishingReportBody } from '../../../src/reports/phishing/schema.js'
import type { SimulationReport } from '../../../src/reports/simulation/schema.js'
import type { SolanaTokenReportBody } from '../../../src/reports/solana/schema.js'

export type SolanaReport = SolanaTokenReportBody
export type Simulation = SimulationReport
export type Simulate = SimulationReport['checks']['simulateResult']
export type Call = Simulate['simulation']['calls'][number]
export type ByteCode = SimulationReport['checks']['byteCodeResult']
export type RiskFlag = ByteCode['riskFlags'][number]
export type Evidence = RiskFlag['evidence'][number]
export type History = SimulationReport['checks']['transactionHistoryResult']
export type Honeypot = HoneypotReportBody['honeypotResponse']
export type Phishing = PhishingReportBody
export type Overall = SimulationReport['overall']
export type Token = SimulationReport['token']
export type Window = Honeypot['timeTravelResults'][number]

/** What the service says when it could not do what was asked. */
export interface Failure {
  errorReason: string
  code: string
}

/** What is known of one analysis, which may be still under way. */
export interface Reports {
  simulation?: SimulationReport
  honeypot?: HoneypotReportBody
  phishing?: PhishingReportBody
  /** Answers that this kind of target has. Those that are missing are not taken for good. */
  expected: readonly ('simulation' | 'honeypot' | 'phishing')[]
  /** Answers by name that this page has no picture for: shown as they are. */
  others: Readonly<Record<string, unknown>>
  /** By the name of the answer that is missing. */
  failures: Readonly<Record<string, Failure>>
}

export const NO_REPORTS: Reports = { expected: ['simulation', 'honeypot', 'phishing'], others: {}, failures: {} }

export interface Target {
  address: string
  /** A number of an EVM chain, or `SOL`. */
  chain: string
  /** Replays an earlier report. */
  blockNumber?: number
}
