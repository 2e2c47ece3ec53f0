import { type TSchema, Type } from 'typebox'
import type { ApiErrorCode } from '../api-error.js'
import type { SolanaTarget } from '../checks/solana/check-token.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { Clock } from '../clock.js'
import type { KeyLimits } from '../keys/key-record.js'
import type { Assess, Assessment, PartName } from './assess.js'
import type { AssessSolana, SolanaAssessment } from './assess-solana.js'
import { compatFields } from './compat-fields.js'
import { HoneypotReportBody } from './honeypot/schema.js'
import { toHoneypotReport } from './honeypot/to-report.js'
import { parseWalletRequest } from './phishing/parse-wallet-request.js'
import { PhishingReportBody, PhishingRequestBody } from './phishing/schema.js'
import { toPhishingReport } from './phishing/to-report.js'
import type { ReportSeal } from './seal.js'
import { AnalysisRequestBody, SimulationReport } from './simulation/schema.js'
import { toSimulationReport } from './simulation/to-report.js'
import { SolanaHoneypotReport, SolanaRequestBody, SolanaTokenReportBody } from './solana/schema.js'
import { toSolanaHoneypot } from './solana/to-honeypot.js'
import { toSolanaReport } from './solana/to-report.js'

/** What is asked of a target: one endpoint, one name in batches, streams and tools. */
export interface Analysis {
  readonly url: string
  /** Its name in the interface for programs, and in clients made from it. */
  readonly operationId: string
  /** For readers of the documentation. */
  readonly summary: string
  /** What the client reads when it breaks. */
  readonly failure: ApiErrorCode
  /** What else is answered to a request that is wrong. */
  readonly failures: readonly ApiErrorCode[]
  readonly limitClass: keyof KeyLimits
  readonly Body: TSchema
  readonly Report: TSchema
  /** Reads the fields of its own. Throws one of `failures`. */
  parseMore?(body: unknown, config: { compat: boolean }): Partial<AnalysisTarget>
  /** The answer on a chain with an EVM. Throws what kept it from being made. */
  report?(services: ReportServices, target: AnalysisTarget, assessment: Assessment): EvmReport
  /** The answer on a Solana token. */
  reportSolana?(services: ReportServices, target: SolanaTarget, report: SolanaAssessment): object
}

type EvmReport = object & { block: { hash: string } }

/** What an answer is written with. */
export interface ReportServices {
  clock: Clock
  config: { engineVersion: string; compat: boolean }
  seals: ReportSeal
}

/** What an answer is found out with. */
export interface AnalysisServices {
  /** All checks of one target, and the one verdict on it. */
  assess: Assess
  /** Everything about one Solana token. Rejects when no node answers. */
  checkSolanaToken: AssessSolana
  /** Whether so much is known of a target that a plain question about it takes little. */
  isKnown(target: AnalysisTarget): boolean
}

/** With what existing clients read, where the operator has such clients. */
const addCompat = <Body extends object>(
  fieldsOf: (body: Body) => object,
  body: Body,
  { compat }: { compat: boolean },
) => (compat ? { ...body, ...fieldsOf(body) } : body)

/** What is wrong with the target of any analysis. */
const TARGET_FAILURES = ['address_required', 'invalid_address', 'chain_required', 'unsupported_chain'] as const

/** What an analysis of a chain with an EVM can answer besides the failures of every route. */
export const EVM_FAILURES = [
  ...TARGET_FAILURES,
  'invalid_block_number',
  'block_not_found',
  'invalid_pair',
  'invalid_simulate_liquidity',
  'invalid_amount',
  'invalid_only',
  'invalid_trace',
  'analysis_limit',
  'machine_busy',
] as const satisfies readonly ApiErrorCode[]

/** What is wrong with what a wallet is asked to do. */
export const WALLET_FAILURES = [
  'invalid_from',
  'invalid_to',
  'invalid_value',
  'invalid_calldata',
  'invalid_calls',
  'invalid_typed_data',
  'invalid_authorization_list',
] as const satisfies readonly ApiErrorCode[]

/** Every analysis. Routes, batches, streams, tools, commands and replays are loops over this. */
export const ANALYSES = {
  simulation: {
    url: '/api/simulate/execute-simulation',
    operationId: 'simulate',
    summary: 'Simulation, bytecode and history',
    failure: 'simulation_failed',
    failures: EVM_FAILURES,
    limitClass: 'analysis',
    Body: AnalysisRequestBody,
    Report: SimulationReport,
    report: ({ clock, config, seals }: ReportServices, target: AnalysisTarget, assessment: Assessment) =>
      seals.seal(
        'simulation',
        target,
        addCompat(
          compatFields.simulation,
          toSimulationReport(assessment, { ...config, chain: target.chain, now: clock.now() }),
          config,
        ),
      ),
  },
  honeypot: {
    url: '/api/honeypot/honeypot-checks',
    operationId: 'checkHoneypot',
    summary: 'Honeypot check in three time windows',
    failure: 'honeypot_failed',
    failures: EVM_FAILURES,
    limitClass: 'analysis',
    Body: Type.Union([AnalysisRequestBody, SolanaRequestBody]),
    Report: Type.Union([HoneypotReportBody, SolanaHoneypotReport]),
    report: ({ config, seals }: ReportServices, target: AnalysisTarget, assessment: Assessment) =>
      seals.seal(
        'honeypot',
        target,
        addCompat(compatFields.honeypot, toHoneypotReport(assessment, { ...config, chain: target.chain }), config),
      ),
    reportSolana: ({ config, seals }: ReportServices, target: SolanaTarget, report: SolanaAssessment) =>
      seals.sealSolana('solana-honeypot', target, toSolanaHoneypot(report, config)),
  },
  phishing: {
    url: '/api/phishing/phishing-checks',
    operationId: 'checkPhishing',
    summary: 'Phishing check, alone or with what a wallet is asked to send or sign',
    failure: 'phishing_failed',
    failures: [...EVM_FAILURES, ...WALLET_FAILURES],
    limitClass: 'analysis',
    Body: PhishingRequestBody,
    Report: PhishingReportBody,
    parseMore(body: unknown, config: { compat: boolean }) {
      const wallet = parseWalletRequest(body, config)
      return wallet === undefined ? {} : { wallet }
    },
    report: ({ clock, config, seals }: ReportServices, target: AnalysisTarget, assessment: Assessment) =>
      seals.seal(
        'phishing',
        target,
        addCompat(compatFields.phishing, toPhishingReport(assessment, { ...config, now: clock.now() }), config),
      ),
  },
  /** Counts as one of the other endpoints (specification, section 8). */
  solana: {
    url: '/api/solana/token-checks',
    operationId: 'checkSolanaToken',
    summary: 'Trades, powers, holders, pools and history of a Solana token',
    failure: 'simulation_failed',
    failures: [...TARGET_FAILURES, 'machine_busy'],
    limitClass: 'general',
    Body: SolanaRequestBody,
    Report: SolanaTokenReportBody,
    reportSolana: ({ clock, config, seals }: ReportServices, target: SolanaTarget, report: SolanaAssessment) =>
      seals.sealSolana('solana', target, toSolanaReport(report, { ...config, now: clock.now() })),
  },
} as const satisfies Record<string, Analysis>

export type AnalysisName = keyof typeof ANALYSES

/** The answers on a chain with an EVM, in the order in which they are given. */
export const EVM_ANALYSES = ['simulation', 'honeypot', 'phishing'] as const satisfies readonly PartName[]

/** The same with every optional field. */
export const analysisOf = (name: AnalysisName): Analysis => ANALYSES[name]
