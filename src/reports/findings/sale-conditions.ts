import type { Finding } from '../../checks/finding.js'
import { findUnexplained, type SaleConditions } from '../../checks/honeypot/condition-facts.js'
import { LEAST_SCORES } from '../../checks/levels.js'

/** A sale that depends on something unknown is never better than this. */
export const UNEXPLAINED_SCORE = LEAST_SCORES['Medium Risk'] + 5

/** What a sale depends on that could neither be tried nor be ruled out. */
export function findInConditions(conditions: SaleConditions): Finding[] {
  const unexplained = findUnexplained(conditions)
  if (unexplained.length === 0 && !conditions.isTruncated) return []
  const [first] = unexplained
  const why = first ? `one condition of it could not be explained: ${first.unexplained}` : 'it has too many conditions'
  return [
    {
      ...{ id: 'trade/unexplained', basis: 'possible', score: UNEXPLAINED_SCORE },
      headline: 'Not every condition of a sale is explained.',
      reason: `Whether it can always be sold is not known, for ${why}.`,
    },
  ]
}
