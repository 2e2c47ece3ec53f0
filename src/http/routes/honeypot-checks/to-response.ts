import type { HoneypotReport } from '../../../checks/honeypot/check-honeypot.js'
import { toPaddedHex } from '../../../hex.js'
import { plainText } from '../../../untrusted-text.js'
import { toBlock } from '../../block.js'
import { checksumAddress } from '../../checksum-address.js'
import type { HoneypotReportBody } from './schema.js'

/** Renames the internal report to the words and units of the specification (section 2.4). */
export function toResponse(report: HoneypotReport, { engineVersion }: { engineVersion: string }): HoneypotReportBody {
  const { block, windows, inconclusive, powers } = report
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
        isBlackListDetected: powers?.canBlacklist ?? null,
        isMintable: powers?.canMint ?? null,
        mintScore: powers?.mintScore ?? 0,
        mintReason: powers?.mintReason ?? '',
        isTradingControl: powers?.controlsTrading ?? null,
        errorReason,
      })),
      isHoneypot: report.isHoneypot,
      transferTax: report.transferTaxBps === undefined ? null : toPercent(report.transferTaxBps),
      findings: report.findings.map(({ id, detail }) => ({ id, detail })),
      causes: report.causes.map(toCause),
      nextChange: report.nextChange ? toNextChange(report.nextChange) : null,
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

const toWord = (word: bigint | undefined) => (word === undefined ? null : toPaddedHex(word, 32))

function toCause({ window, address, selector, pc, slot, value, reason }: HoneypotReport['causes'][number]) {
  const contract = checksumAddress(address)
  return { window, contract, selector, pc, slot: toWord(slot), value: toWord(value), reason: plainText(reason) }
}

function toNextChange({ timestamp, number, ...trade }: NonNullable<HoneypotReport['nextChange']>) {
  return {
    timestamp: Number(timestamp),
    block: number === undefined ? null : String(number),
    buyTax: toPercent(trade.buyTaxBps),
    sellTax: toPercent(trade.sellTaxBps),
    riskScore: trade.riskScore,
    errorReason: trade.errorReason,
  }
}

/** Two decimals. */
const toPercent = (bps: number) => Math.round(bps) / 100
