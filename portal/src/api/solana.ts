import type { Reports, SolanaReport } from './reports.js'

/**
 * Puts the answer on a Solana token into the form of the others, as far as it has the same parts.
 * What only Solana has (authorities, fees, hooks, pools) stays as it is, and is shown by its own
 * names.
 */
export function readSolana({
  checks,
  honeypotResponse,
  overall,
  token,
  family,
  tokenInfo,
  slot,
  engineVersion,
}: SolanaReport): Partial<Reports> {
  const { simulateResult, byteCodeResult, transactionHistoryResult } = checks
  const { pair, venue } = honeypotResponse
  const block = { number: slot.first, hash: '', timestamp: slot.timestamp }
  const simulation = {
    success: true,
    checks: {
      simulateResult: {
        ...simulateResult,
        buyTax: String(honeypotResponse.buyTax),
        sellTax: String(honeypotResponse.sellTax),
        transferTax: honeypotResponse.transferTax === null ? null : String(honeypotResponse.transferTax),
        venue: pair !== null && venue !== null ? { name: venue, pool: pair } : null,
        steps: [],
      },
      byteCodeResult: {
        ...byteCodeResult,
        riskFlags: byteCodeResult.riskFlags.map((flag) => ({
          ...flag,
          confidence: flag.proven === true ? 'HIGH' : 'MEDIUM',
          evidence: [
            { address: flag.holder ?? '', note: flag.detail, ...(flag.holder !== null && { holder: flag.holder }) },
          ],
        })),
        proxy: [],
        gaps: [],
      },
      transactionHistoryResult: { ...transactionHistoryResult, recentTransfers: [], summary: null },
    },
    overall,
    token,
    family,
    block,
    engineVersion,
  }
  const honeypot = {
    success: true,
    honeypotResponse: {
      ...honeypotResponse,
      causes: [],
      nextChange: null,
      ...NOT_OF_SOLANA,
      origin: tokenInfo?.origin ?? null,
    },
    overall,
    token,
    family,
    block,
    engineVersion,
  }
  // Fields that these two have besides are not looked at for Solana.
  return { expected: ['simulation', 'honeypot'], simulation, honeypot } as unknown as Partial<Reports>
}

/** What the token's rules say of powers, holders and pools stands in `tokenInfo`. */
const NOT_OF_SOLANA = {
  ...{ powers: [], powersTried: null, holderAnalysis: null, liquidity: null },
  ...{ market: null, saleSizes: [], maxBuy: null, maxSell: null },
}
