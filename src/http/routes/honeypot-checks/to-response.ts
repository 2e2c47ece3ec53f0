import type { HoneypotReport } from '../../../checks/honeypot/check-honeypot.js'
import { toBlock } from '../../block.js'
import { checksumAddress } from '../../checksum-address.js'
import type { HoneypotReportBody } from './schema.js'

/** Renames the internal report to the words and units of the specification (section 2.4). */
export function toResponse(report: HoneypotReport, { engineVersion }: { engineVersion: string }): HoneypotReportBody {
  const { block, windows, inconclusive } = report
  return {
    success: true,
    honeypotResponse: {
      riskScore: report.riskScore,
      buyTax: toPercent(report.buyTaxBps),
      sellTax: toPercent(report.sellTaxBps),
      isTimeHoneypot: report.isTimeHoneypot,
      timeTravelResults: windows.map(({ label, buyTaxBps, sellTaxBps, riskScore, errorReason }) => ({
        label,
        buyTax: toPercent(buyTaxBps),
        sellTax: toPercent(sellTaxBps),
        riskScore,
        errorReason,
      })),
      isHoneypot: report.isHoneypot,
      transferTax: report.transferTaxBps === undefined ? null : toPercent(report.transferTaxBps),
      findings: report.findings.map(({ id, detail }) => ({ id, detail })),
      maxBuy: report.maxBuy === undefined ? null : String(report.maxBuy),
      maxSell: report.maxSell === undefined ? null : String(report.maxSell),
      pair: report.pair ? checksumAddress(report.pair) : null,
      venue: report.venue ?? null,
      inconclusive: inconclusive ?? null,
      errorReason: inconclusive ?? windows.find(({ errorReason }) => errorReason !== '')?.errorReason ?? '',
    },
    block: toBlock(block),
    engineVersion,
  }
}

/** Two decimals. */
const toPercent = (bps: number) => Math.round(bps) / 100
