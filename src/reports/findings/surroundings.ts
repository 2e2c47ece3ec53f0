import type { Finding } from '../../checks/finding.js'
import type { HolderAnalysis } from '../../checks/holders/holders-report.js'
import { harmedOf, scoreOfHolders } from '../../checks/holders/holders-score.js'
import { LEAST_SCORES } from '../../checks/levels.js'
import type { LiquidityReport } from '../../checks/liquidity/liquidity-report.js'
import { PULL_SHARE_BPS, pullBps, scoreOfLiquidity } from '../../checks/liquidity/liquidity-score.js'
import type { PowersReport } from '../../checks/powers/check-powers.js'
import { explainPower, headlineOfPower } from '../../checks/powers/explain-power.js'
import type { Power } from '../../checks/powers/power.js'
import { gripOf, rankPowers, scoreOfPower } from '../../checks/powers/powers-score.js'
import type { Doubt } from '../verdict.js'

/**
 * What privileged roles were shown to be able to do, the worst first. `suspected` are functions
 * that the code is suspected of.
 */
export function findInPowers({ powers }: PowersReport, suspected: ReadonlySet<string>): Finding[] {
  return rankPowers(powers).map((power) => ({
    id: `privileges/${power.effect}`,
    // What anyone can do is no public knowledge about an issuer.
    basis: gripOf(power.holder) === 'anyone' ? 'observed' : 'possible',
    score: scoreIn(power, suspected),
    headline: headlineOfPower(power),
    reason: explainPower(power),
  }))
}

/**
 * A function that refused every call counts where the code itself is suspected: a switch that was
 * thrown for good refuses too.
 */
function scoreIn(power: Power, suspected: ReadonlySet<string>): number {
  const score = scoreOfPower(power)
  const isSilent = power.effect === 'untried' && power.tried > 0 && !suspected.has(power.selector)
  return isSilent ? Math.min(score, LEAST_SCORES['Low Risk'] - 1) : score
}

/** Whether holders could sell. */
export function findInHolders(analysis: HolderAnalysis): Finding[] {
  const harmed = harmedOf(analysis)
  if (harmed === 0) return []
  const of = analysis.tested + analysis.siphoned
  return [
    {
      ...{ id: 'holders/cannot-sell', basis: 'possible', score: scoreOfHolders(analysis) },
      headline: 'People who hold it cannot sell.',
      reason: `${harmed} of ${of} holders who were tried could not sell, or lost most of it.`,
    },
  ]
}

/** Whether the pool can be emptied at once. */
export function findInLiquidity(liquidity: LiquidityReport): Finding[] {
  const score = scoreOfLiquidity(liquidity)
  if (score === 0) return []
  const share = pullBps(liquidity)
  const isKnown = share >= PULL_SHARE_BPS
  const reason = isKnown
    ? `One wallet can take out ${Math.round(share / 100)} % of the liquidity at once.`
    : `It is not known who can take out ${Math.round(liquidity.unknownBps / 100)} % of the liquidity.`
  const headline = isKnown ? 'One wallet can take out the liquidity.' : 'It is not known who holds the liquidity.'
  return [{ id: 'liquidity/can-be-pulled', basis: 'possible', score, headline, reason }]
}

/** Parts of our own work that are missing around a trade. */
export function doubtsOfSurroundings(parts: {
  sweep: PowersReport | undefined
  holderAnalysis: HolderAnalysis | undefined
  liquidity: LiquidityReport | undefined
  isBusy: boolean
}): Doubt[] {
  const headline = 'Our analysis did not finish.'
  const busy = parts.isBusy ? { code: 'machine_busy' as const } : {}
  const unfinished = (what: string, why: string | undefined): Doubt[] =>
    why === undefined ? [] : [{ headline, reason: `Not all of ${what} could be tried by us.`, isOurs: true, ...busy }]
  return [
    ...unfinished('its privileged functions', parts.sweep?.unfinished),
    ...unfinished('its holders', parts.holderAnalysis?.unfinished),
  ]
}
