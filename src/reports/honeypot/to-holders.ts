import type { HolderAnalysis } from '../../checks/holders/holders-report.js'
import type { LiquidityReport } from '../../checks/liquidity/liquidity-report.js'
import { checksumAddress } from '../../checksum-address.js'
import { plainText } from '../../untrusted-text.js'
import { toSince } from '../fields/block.js'
import type { HolderAnalysisBody, LiquidityBody } from './holders-schema.js'

/** Holders that are listed; the smallest are left out. */
const MAX_LISTED = 20

export function toHolderAnalysis(analysis: HolderAnalysis): HolderAnalysisBody {
  const { averageTaxBps, highestTaxBps, reasons, distinction, known, unfinished, ...counts } = analysis
  return {
    ...counts,
    averageTax: averageTaxBps === undefined ? null : toPercent(averageTaxBps),
    highestTax: highestTaxBps === undefined ? null : toPercent(highestTaxBps),
    reasons: reasons.map(({ reason, count }) => ({ reason: plainText(reason), count })),
    distinction: distinction ?? null,
    known: known.slice(0, MAX_LISTED).map(({ address, kind, balance, shareBps, sale }) => ({
      ...{ address: checksumAddress(address), kind, balance: String(balance) },
      share: shareBps === undefined ? null : toPercent(shareBps),
      sale: sale ?? null,
    })),
    unfinished: unfinished ?? null,
  }
}

export function toPoolLiquidity({ withdrawableBps, ...report }: LiquidityReport): LiquidityBody {
  return {
    venue: report.venue,
    native: String(report.depth),
    burntShare: toPercent(report.burntBps),
    lockedShare: toPercent(report.lockedBps),
    unknownShare: toPercent(report.unknownBps),
    unlocks: report.unlocks.map(({ timestamp, shareBps }) => ({ timestamp, share: toPercent(shareBps) })),
    withdrawableShare: {
      now: toPercent(withdrawableBps.now),
      in24h: toPercent(withdrawableBps.in24h),
      in7d: toPercent(withdrawableBps.in7d),
    },
    holders: report.holders.slice(0, MAX_LISTED).map(({ address, kind, shareBps, service, withdrawableAt }) => ({
      address: checksumAddress(address),
      kind,
      share: toPercent(shareBps),
      service: service ?? null,
      withdrawableAt: withdrawableAt ?? null,
    })),
    since: toSince(report.since),
    unfinished: report.unfinished ?? null,
  }
}

/** Two decimals. */
const toPercent = (bps: number) => Math.round(bps) / 100
