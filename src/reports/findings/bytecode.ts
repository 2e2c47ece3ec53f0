import type { BytecodeReport, RiskFlag } from '../../checks/bytecode/bytecode-report.js'
import { SEVERITY_SCORES } from '../../checks/bytecode/severity.js'
import type { Finding } from '../../checks/finding.js'
import type { SaleConditions } from '../../checks/honeypot/condition-facts.js'
import type { Power } from '../../checks/powers/power.js'
import { scoreOfPower } from '../../checks/powers/powers-score.js'
import type { Doubt } from '../verdict.js'

/**
 * What the code can do, as far as acting has not answered it: a function that was seen to do harm
 * is told with what it did, and one that let itself be called and did none weighs no more than that
 * it is there.
 */
export function findInCode(
  { riskFlags }: BytecodeReport,
  powers: readonly Power[],
  conditions: SaleConditions | undefined,
): Finding[] {
  return riskFlags.flatMap((flag) => {
    const isAnswered = answeredBy(flag, powers) || answeredByExchange(flag, powers) || answeredBySale(flag, conditions)
    const score = isAnswered ? SEVERITY_SCORES.low.score : SEVERITY_SCORES[flag.severity].score
    const basis = flag.severity === 'critical' ? 'observed' : 'possible'
    return [{ id: `code/${flag.id}`, basis, score, headline: `${flag.title}.`, reason: flag.description }]
  })
}

/**
 * Whether each place of the finding was a condition of a sale, and is explained: what a transfer
 * asks of the time or the block is told by what the sales showed then.
 */
function answeredBySale({ id, evidence }: RiskFlag, conditions: SaleConditions | undefined): boolean {
  if (id !== 'environment-transfer' || conditions === undefined || conditions.isTruncated) return false
  return (
    evidence.length > 0 &&
    evidence.every(({ address, pc }) => {
      const met = conditions.others.filter((each) => each.address === address && each.pc === pc)
      return met.length > 0 && met.every(({ unexplained }) => unexplained === undefined)
    })
  )
}

/**
 * Whether every place of the finding lies in a function that was called as its holder, with a
 * result.
 */
function answeredBy({ id, evidence }: RiskFlag, powers: readonly Power[]): boolean {
  // What is written where the call says does no harm in most places.
  const answers = (power: Power) => isAnswer(power) && (id !== 'arbitrary-write' || power.effect !== 'none')
  return (
    evidence.length > 0 &&
    evidence.every(({ selector }) => {
      const tried = powers.filter((power) => power.selector === selector)
      return tried.length > 0 && tried.every(answers)
    })
  )
}

/**
 * Whether each holder that can exchange the code behind a proxy was seen to exchange it: that power
 * has a score of its own. Proxies take these calls in their fallback, so that no function names
 * them.
 */
function answeredByExchange({ id, evidence }: RiskFlag, powers: readonly Power[]): boolean {
  const shown = powers.flatMap(({ effect, proof, holder }) =>
    effect === 'replaces-code' && proof !== undefined ? [holder.address] : [],
  )
  return (
    id === 'hidden-proxy' &&
    evidence.length > 0 &&
    evidence.every(({ holder }) => holder !== undefined && shown.some((address) => address === holder))
  )
}

/** What a power is worth once it was tried is its own score; a renounced one has no holder. */
const isAnswer = (power: Power) => power.effect !== 'untried' || scoreOfPower(power) === 0

/** Places that could not be read. */
export function doubtsOfCode({ complete }: BytecodeReport): Doubt[] {
  if (complete) return []
  const reason = 'Its code could not be read completely, so that something may be hidden in it.'
  return [{ headline: 'Its code could not be read completely.', reason, isOurs: false }]
}

/** Selectors of what the code is suspected of at `medium` or above. */
export function suspectedSelectors({ riskFlags }: BytecodeReport): ReadonlySet<string> {
  const grave = riskFlags.filter(({ severity }) => severity !== 'low')
  return new Set(grave.flatMap(({ evidence }) => evidence.flatMap(({ selector }) => selector ?? [])))
}
