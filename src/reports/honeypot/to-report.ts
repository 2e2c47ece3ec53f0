import type { Chain } from '../../chains/chain.js'
import { testedOn } from '../../chains/tested-on.js'
import type { HoneypotReport } from '../../checks/honeypot/check-honeypot.js'
import { checksumAddress, spellAddresses } from '../../checksum-address.js'
import { type Address, toPaddedHex } from '../../hex.js'
import { plainText } from '../../untrusted-text.js'
import { type Assessment, isTrap, partOf } from '../assess.js'
import { toBlock } from '../fields/block.js'
import { toFamily } from '../fields/family-body.js'
import { toOverall } from '../fields/overall.js'
import { toConditions, toCoverage } from '../fields/to-conditions.js'
import { toToken } from '../fields/to-token.js'
import type { HoneypotReportBody } from './schema.js'
import { toHolderAnalysis, toPoolLiquidity } from './to-holders.js'
import { toMarket, toOrigin, toSaleSize } from './to-market.js'
import { MAX_SENTENCES, toEffort, toPowers } from './to-power-body.js'

/** Renames the internal report to the words and units of the specification (section 2.4). */
export function toHoneypotReport(
  assessment: Assessment,
  { engineVersion, chain }: { engineVersion: string; chain: Chain },
): HoneypotReportBody {
  const report = partOf(assessment, 'honeypot')
  const isHoneypot = isTrap(assessment)
  const { block, windows, inconclusive, powers, sweep } = report
  const { verdict } = assessment
  return {
    success: true,
    honeypotResponse: {
      riskScore: verdict.score,
      buyTax: toPercent(report.buyTaxBps),
      sellTax: toPercent(report.sellTaxBps),
      isTimeHoneypot: report.isTimeHoneypot && !isHoneypot,
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
      isHoneypot,
      transferTax: report.transferTaxBps === undefined ? null : toPercent(report.transferTaxBps),
      findings: report.findings.map(toFinding),
      causes: report.causes.map(toCause),
      conditions: toConditions(report.conditions),
      coverage: toCoverage(report.conditions),
      nextChange: report.nextChange ? toNextChange(report.nextChange) : null,
      trustStatus: verdict.level,
      humanWarning: plainText(verdict.reason, MAX_SENTENCES),
      powers: toPowers(sweep?.powers ?? []),
      holderAnalysis: report.holderAnalysis ? toHolderAnalysis(report.holderAnalysis) : null,
      liquidity: report.liquidity ? toPoolLiquidity(report.liquidity) : null,
      powersTried: sweep ? toEffort(sweep) : null,
      maxBuy: report.maxBuy === undefined ? null : String(report.maxBuy),
      maxSell: report.maxSell === undefined ? null : String(report.maxSell),
      pair: toAddress(report.pair),
      venue: report.venue ?? null,
      venueTestedOn: report.venue === undefined ? null : testedOn(chain, report.venue),
      poolId: report.poolId ?? null,
      market: report.markets
        ? toMarket(report.markets, { chain, decimals: toToken(assessment)?.decimals ?? undefined })
        : null,
      origin: report.origin ? toOrigin(report.origin) : null,
      saleSizes: report.sizes.map(toSaleSize),
      simulatedLiquidity: report.simulatedLiquidity ? toLiquidity(report.simulatedLiquidity) : null,
      unknownVenues: report.unknownVenues.map(({ address, kind, factory }) => {
        return { address: checksumAddress(address), kind, factory: toAddress(factory) }
      }),
      inconclusive: inconclusive ?? null,
      engine: report.engine ?? 'interpreter',
      errorReason: inconclusive ?? windows.find(({ errorReason }) => errorReason !== '')?.errorReason ?? '',
    },
    overall: toOverall(assessment, toToken(assessment)),
    token: toToken(assessment),
    family: toFamily(assessment),
    block: toBlock(block),
    engineVersion,
  }
}

const toWord = (word: bigint | undefined) => (word === undefined ? null : toPaddedHex(word, 32))

const toAddress = (address: Address | undefined) => (address === undefined ? null : checksumAddress(address))

function toCause({
  window,
  trade,
  address,
  selector,
  pc,
  setBy,
  reason,
  ...deciding
}: HoneypotReport['causes'][number]) {
  const contract = checksumAddress(address)
  const [slot, value] = [toWord(deciding.slot), toWord(deciding.value)]
  return {
    window,
    trade,
    contract,
    selector,
    pc,
    slot,
    value,
    setBy: toAddress(setBy),
    reason: spellAddresses(plainText(reason)),
  }
}

function toLiquidity(made: NonNullable<HoneypotReport['simulatedLiquidity']>) {
  const { provider, tokenAmount, nativeAmount } = made
  return {
    provider: checksumAddress(provider),
    tokenAmount: String(tokenAmount),
    nativeAmount: String(nativeAmount),
  }
}

function toFinding({ id, detail, cause }: HoneypotReport['findings'][number]) {
  return { id, detail: spellAddresses(plainText(detail)), contract: toAddress(cause?.address), pc: cause?.pc ?? null }
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
