import type { CodeCondition, CodeConditions } from '../../checks/bytecode/code-conditions.js'
import { unexplainedOf } from '../../checks/bytecode/code-conditions.js'
import type { Finding } from '../../checks/finding.js'
import { findUnexplained, type SaleConditions } from '../../checks/honeypot/condition-facts.js'
import type { Power } from '../../checks/powers/power.js'
import { UNEXPLAINED_SCORE } from './sale-conditions.js'

/** How acting answers what reading left open. */
export interface Acted {
  powers: readonly Power[]
  conditions: SaleConditions | undefined
}

/**
 * What stands in the code between a holder and his money that neither a rule nor a sale nor the
 * test of privileges explains.
 */
export function findInCodeConditions(conditions: CodeConditions, acted: Acted): Finding[] {
  const open = unexplainedOf(conditions).filter((condition) => !isAnswered(condition, acted))
  if (open.length === 0 && !conditions.isTruncated) return []
  const [first] = open
  const why = first ? `one condition of it is not explained: ${first.unexplained}` : 'it has too many conditions'
  return [
    {
      ...{ id: 'code/unexplained', basis: 'possible', score: UNEXPLAINED_SCORE },
      headline: 'Not every condition in its code is explained.',
      reason: `Whether it can always be moved is not known, for ${why}.`,
    },
  ]
}

/**
 * Whether a sale met the condition and explained it, or all functions that move it were called as
 * their holders. Where several conditions join in one branch, a sale may meet it by the first alone
 * and never be asked who sells, or for what is kept of him.
 */
function isAnswered(
  { address, pc, movers, leaves, asks, isLookup }: CodeCondition,
  { powers, conditions }: Acted,
): boolean {
  const met =
    conditions?.isTruncated === false
      ? conditions.others.filter((each) => each.address === address && each.pc === pc)
      : []
  const asked = new Set(met.flatMap((each) => [...each.asked, ...each.leaves]))
  const isAsked = !leaves.includes('seller') || asks.every((each) => asked.has(each))
  if (
    conditions &&
    met.length > 0 &&
    isAsked &&
    !isLookup &&
    findUnexplained({ ...conditions, others: met }).length === 0
  )
    return true
  const tried = new Set(powers.flatMap(({ selector, effect }) => (effect === 'untried' ? [] : [selector])))
  return (
    movers.length > 0 &&
    movers.every(({ selectors }) => selectors.length > 0 && selectors.every((selector) => tried.has(selector)))
  )
}
