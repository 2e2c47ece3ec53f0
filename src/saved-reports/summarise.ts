import type { HoneypotReportBody } from '../reports/honeypot/schema.js'
import type { PhishingReportBody } from '../reports/phishing/schema.js'
import type { SimulationReport } from '../reports/simulation/schema.js'
import type { SolanaTokenReportBody } from '../reports/solana/schema.js'
import { plainText } from '../untrusted-text.js'
import type { ReportSummary, SavedAnswers } from './saved-report.js'

/** The answers that were made, by name; failures are left out. */
export interface Made {
  simulation?: SimulationReport
  honeypot?: HoneypotReportBody
  phishing?: PhishingReportBody
  solana?: SolanaTokenReportBody
}

export function madeOf(answers: SavedAnswers): Made {
  const isMade = (answer: object | undefined) => answer !== undefined && 'success' in answer && answer.success === true
  return Object.fromEntries(Object.entries(answers).filter(([, answer]) => isMade(answer))) as Made
}

/** The request that leads to these answers at any block, as each was sealed with it. */
export function requestOf(answers: SavedAnswers): object | undefined {
  const [first] = Object.values(madeOf(answers)) as { inputs?: { request: object } }[]
  return first?.inputs?.request
}

/** What stands above a report; `undefined` where no answer was made. */
export function summarise(answers: SavedAnswers, chainNameOf: (id: string) => string): ReportSummary | undefined {
  const made = madeOf(answers)
  const first = made.simulation ?? made.honeypot ?? made.phishing ?? made.solana
  const request = requestOf(answers) as { targetContractAddress: string; chainId: number | 'SOL' } | undefined
  if (first === undefined || request === undefined || first.overall === null) return undefined
  const chain = String(request.chainId)
  return {
    chain,
    chainName: chainNameOf(chain),
    address: request.targetContractAddress,
    name: plainText(first.token?.name ?? '', MAX_NAME),
    symbol: plainText(first.token?.symbol ?? '', MAX_SYMBOL),
    overall: first.overall,
    block: 'slot' in first ? { number: first.slot.first, timestamp: first.slot.timestamp } : first.block,
  }
}

/** What has room in a preview; the report itself holds what it holds. */
const MAX_NAME = 60
const MAX_SYMBOL = 20
