import { type ConditionFacts, findUnexplained, type SaleConditions } from '../../checks/honeypot/condition-facts.js'
import { checksumAddress } from '../../checksum-address.js'
import { plainText } from '../../untrusted-text.js'
import type { HoneypotReportBody } from './schema.js'

type Response = HoneypotReportBody['honeypotResponse']

/** Conditions that are listed; those that matter least are left out. */
const MAX_LISTED = 40

/** What does harm otherwise first, and of that what is not explained. */
export function toConditions(conditions: SaleConditions | undefined): Response['conditions'] {
  const weight = ({ unexplained, isHarmful }: ConditionFacts) => (unexplained !== undefined ? 0 : isHarmful ? 1 : 2)
  return (conditions?.others ?? [])
    .toSorted((a, b) => weight(a) - weight(b))
    .slice(0, MAX_LISTED)
    .map(toCondition)
}

function toCondition({ address, selector, pc, text, leaves, lossBps, isHarmful, ...found }: ConditionFacts) {
  return {
    ...{ contract: checksumAddress(address), selector, pc, text: plainText(text), leaves: [...leaves] },
    effect: lossBps === undefined ? null : isHarmful ? ('loss' as const) : ('none' as const),
    loss: lossBps === undefined ? null : Math.min(100, Math.max(0, Math.round(lossBps) / 100)),
    reach: found.reach ?? null,
    proven:
      found.played.length > 0 ? ('played' as const) : lossBps === undefined ? ('read' as const) : ('forced' as const),
    unexplained: found.unexplained ?? null,
  }
}

export function toCoverage(conditions: SaleConditions | undefined): Response['coverage'] {
  if (!conditions) return null
  const all = conditions.ordinary + conditions.others.length
  const unexplained = findUnexplained(conditions).length
  return {
    conditions: all,
    explained: all - unexplained,
    isComplete: unexplained === 0 && !conditions.isTruncated,
  }
}
