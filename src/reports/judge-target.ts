import { isReviewed } from '../checks/bytecode/reviewed.js'
import type { HoneypotReport } from '../checks/honeypot/check-honeypot.js'
import { isFailed } from '../checks/settle.js'
import type { AnalysisTarget } from '../checks/target.js'
import { isMachineBusy } from '../scheduling/machine-load.js'
import type { Parts } from './assess.js'
import { doubtsOfCode, findInCode, suspectedSelectors } from './findings/bytecode.js'
import { findInIdentity } from './findings/identity.js'
import { doubtsOfPhishing, findInPhishing } from './findings/phishing.js'
import { findInConditions } from './findings/sale-conditions.js'
import { doubtsOfSurroundings, findInHolders, findInLiquidity, findInPowers } from './findings/surroundings.js'
import { doubtsOfTrade, findInTrade } from './findings/trade.js'
import { findInCodeConditions } from './findings/unexplained-code.js'
import { type Doubt, judge, type Verdict } from './verdict.js'

/**
 * The one verdict of everything that the parts found. What is absent was not asked for; what failed
 * is a doubt.
 */
export function judgeTarget({ chain, address }: Pick<AnalysisTarget, 'chain' | 'address'>, parts: Parts): Verdict {
  const simulation = succeeded(parts.simulation)
  const [trade, code] = [succeeded(parts.honeypot), succeeded(simulation?.bytecode)]
  const round = succeeded(simulation?.trade)
  const phishing = succeeded(parts.phishing)
  const suspected = code ? suspectedSelectors(code) : new Set<string>()
  return judge({
    findings: [
      ...findInTrade(trade, round),
      ...(trade?.conditions ? findInConditions(trade.conditions) : []),
      ...(trade?.sweep ? findInPowers(trade.sweep, suspected) : []),
      ...(trade?.holderAnalysis ? findInHolders(trade.holderAnalysis) : []),
      ...(trade?.liquidity ? findInLiquidity(trade.liquidity) : []),
      ...(phishing ? findInPhishing(phishing) : []),
      ...(simulation?.identity ? findInIdentity(simulation.identity) : []),
      ...(code?.conditions
        ? findInCodeConditions(code.conditions, { powers: trade?.sweep?.powers ?? [], conditions: trade?.conditions })
        : []),
      ...(code ? findInCode(code, trade?.sweep?.powers ?? [], trade?.conditions) : []),
    ],
    doubts: [
      ...(trade ? doubtsOfTrade(trade) : []),
      ...(trade ? doubtsOfSurroundings(trade) : []),
      ...(code ? doubtsOfCode(code) : []),
      ...(phishing ? doubtsOfPhishing(phishing) : []),
      ...doubtsOfMissing(
        [parts.simulation, simulation?.trade, simulation?.bytecode, parts.honeypot, parts.phishing].filter(isMissing),
      ),
    ],
    reviewed: isReviewed(chain, address),
    calm: calmOf(trade, parts),
  })
}

/** A check of ours that is missing, whatever kept it. */
const MISSING: Doubt = {
  headline: 'Our analysis did not finish.',
  reason: 'Part of our analysis could not be made, which says nothing about it.',
  isOurs: true,
}

/** The same of one that the machine had no time for: another time, or elsewhere, it can be made. */
const MACHINE_BUSY: Doubt = {
  headline: 'Our analysis did not finish.',
  reason: 'Our machine was too busy to finish it, which says nothing about it.',
  isOurs: true,
  code: 'machine_busy',
}

function doubtsOfMissing(missing: readonly (object | undefined)[]): Doubt[] {
  const isBusy = (part: object | undefined) =>
    part !== undefined && ('error' in part ? isMachineBusy(part.error) : 'code' in part)
  const byMachine = missing.filter(isBusy)
  return [...(byMachine.length > 0 ? [MACHINE_BUSY] : []), ...(missing.length > byMachine.length ? [MISSING] : [])]
}

const isMissing = (part: object | undefined) => part !== undefined && isFailed(part)

function succeeded<T extends object>(part: T | undefined): Exclude<T, { failed: true }> | undefined {
  return part === undefined || isFailed(part) ? undefined : (part as Exclude<T, { failed: true }>)
}

function calmOf(
  trade: HoneypotReport | undefined,
  { simulation, phishing }: Parts,
): { headline: string; reason: string } {
  const conditions = trade?.conditions
  const looked = [
    ...(conditions && !conditions.isTruncated ? ['every condition of a sale is explained'] : []),
    ...(simulation ? ['nothing harmful was found in its code'] : []),
    ...(trade?.sweep && trade.sweep.unfinished === undefined
      ? ['no privileged role that could harm its holders was found']
      : []),
    ...(phishing ? ['nothing was taken from test victims'] : []),
  ]
  const end = looked.length === 0 ? '' : `; ${looked.join(', ')}`
  if (trade?.doubt === 'no-token' || trade === undefined) {
    const reason = `It was not traded${end}.`
    return { headline: 'No harm was found.', reason }
  }
  const tax = Math.max(0, ...trade.windows.flatMap(({ buyTaxBps, sellTaxBps }) => [buyTaxBps, sellTaxBps]))
  const cost = tax === 0 ? 'without a tax' : `at a tax of at most ${Math.round(tax / 10) / 10} %`
  const isMade = trade.simulatedLiquidity !== undefined
  const where = isMade ? ' in a pool that was made on a copy of the chain, as it has none' : ''
  return {
    headline: isMade
      ? 'It has no market yet; it can be sold in one that was made.'
      : 'It can be bought, held and sold.',
    reason: `It was bought and sold${where} ${cost}, now, in 24 hours and in 7 days${end}.`,
  }
}
