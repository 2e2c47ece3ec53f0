import type { PowersReport } from '../../src/checks/powers/check-powers.js'
import { doubtsOfSurroundings, findInPowers } from '../../src/reports/findings/surroundings.js'
import { judge, type Verdict } from '../../src/reports/verdict.js'

/**
 * The verdict on a token that trades well, by what was shown of its privileges alone: the code is
 * suspected of nothing.
 */
export function judgeSweep(sweep: PowersReport, { reviewed = false } = {}): Verdict {
  return judge({
    findings: findInPowers(sweep, new Set()),
    doubts: doubtsOfSurroundings({ sweep, holderAnalysis: undefined, liquidity: undefined, isBusy: false }),
    reviewed,
    calm: { headline: 'calm', reason: 'Nothing was found.' },
  })
}
