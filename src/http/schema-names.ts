import type { TSchema } from 'typebox'
import { type ApiErrorCode, apiErrors } from '../api-error.js'
import { Block } from '../reports/fields/block.js'
import { Condition, Coverage } from '../reports/fields/condition-body.js'
import { FamilyBody } from '../reports/fields/family-body.js'
import { Overall } from '../reports/fields/overall.js'
import { sealFields } from '../reports/fields/seal-fields.js'
import { TokenBody } from '../reports/fields/token.js'
import { StepBody } from '../reports/honeypot/power-schema.js'
import { HoneypotReportBody } from '../reports/honeypot/schema.js'
import { PhishingReportBody, PhishingRequestBody } from '../reports/phishing/schema.js'
import { AnalysisRequestBody, SimulationReport } from '../reports/simulation/schema.js'
import { SolanaHoneypotReport, SolanaRequestBody, SolanaTokenReportBody } from '../reports/solana/schema.js'
import { failureOf } from './failure-schema.js'
import { WalletBody } from './routes/auth/schema.js'
import { BatchProgressBody } from './routes/batch/schema.js'
import { ContactBody } from './routes/contacts/schema.js'
import { ListingBody, OmissionBody } from './routes/feed/schema.js'
import { KeyBody } from './routes/keys/schema.js'
import { SavedReportBody } from './routes/saved-reports/schema.js'
import { KeyUsageBody } from './routes/usage/schema.js'
import { AlertBody, JudgementBody, WatchBody } from './routes/watches/schema.js'

/**
 * What the parts of requests and answers are called in the OpenAPI document, and so in the clients
 * that are generated from it. Bodies of operations are named after them (`name-schemas.ts`).
 */
export function schemaNames(): Readonly<Record<string, TSchema>> {
  const { byteCodeResult, transactionHistoryResult } = SimulationReport.properties.checks.properties
  const { summary } = transactionHistoryResult.properties
  const { honeypotResponse } = HoneypotReportBody.properties
  const { checks, findings, raw, wallet, data } = PhishingReportBody.properties
  const { leaves, approvals } = wallet.anyOf[0].properties
  const { typedData, calls, authorizationList } = PhishingRequestBody.properties
  const failures = Object.keys(apiErrors) as ApiErrorCode[]
  return {
    Overall: Overall.anyOf[0],
    Token: TokenBody.anyOf[0],
    Family: FamilyBody.anyOf[0],
    Block,
    Condition,
    Coverage: Coverage.anyOf[0],
    Inputs: sealFields.inputs,
    Signature: sealFields.signature,
    AnalysisRequest: AnalysisRequestBody,
    SolanaRequest: SolanaRequestBody,
    TypedData: typedData,
    WalletCall: calls.items,
    CodeAuthorization: authorizationList.items,
    ByteCodeResult: byteCodeResult,
    TransactionHistoryResult: transactionHistoryResult,
    Activity: summary.anyOf[0].properties.last24Hours,
    HoneypotAnswer: HoneypotReportBody,
    HoneypotResponse: honeypotResponse,
    SolanaHoneypotAnswer: SolanaHoneypotReport,
    SolanaHoneypotResponse: SolanaHoneypotReport.properties.honeypotResponse,
    SolanaAnswer: SolanaTokenReportBody,
    SolanaSlot: SolanaHoneypotReport.properties.slot,
    ProofStep: StepBody,
    PhishingAnswer: PhishingReportBody,
    PhishingFields: data,
    PhishingCheck: checks.items,
    PhishingFinding: findings.items,
    PhishingSigns: raw,
    WalletEffects: wallet.anyOf[0],
    Movement: leaves.items,
    Approval: approvals.items,
    BatchProgress: BatchProgressBody,
    Key: KeyBody,
    KeyUsage: KeyUsageBody,
    Wallet: WalletBody,
    SavedReport: SavedReportBody,
    Watch: WatchBody,
    Alert: AlertBody,
    Contact: ContactBody,
    Judgement: JudgementBody,
    Listing: ListingBody,
    Omission: OmissionBody,
    ...Object.fromEntries(failures.map((code) => [`${toPascalCase(code)}Failure`, failureOf(code)])),
  }
}

const toPascalCase = (code: string) => code.replace(/(^|_)([a-z])/g, (_, _line, letter: string) => letter.toUpperCase())
