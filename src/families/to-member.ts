import { createHash } from 'node:crypto'
import type { HoneypotReport } from '../checks/honeypot/check-honeypot.js'
import { isHostileScore } from '../checks/levels.js'
import { isFailed } from '../checks/settle.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { Hex } from '../hex.js'
import { type Assessment, isTrap } from '../reports/assess.js'
import { type FamilyMember, MAX_TRAITS } from './family-member.js'

/** What makes a token one of a family; `undefined` where it has no code, or not all was read. */
export function familyCodeOf({ simulation }: Pick<Assessment, 'simulation'>): Hex | undefined {
  const bytecode = simulation && !isFailed(simulation) ? simulation.bytecode : undefined
  return bytecode && !isFailed(bytecode) ? bytecode.familyCode : undefined
}

/**
 * What is remembered of a token that was judged. `undefined` for what did not finish, and for what
 * could not be traded: neither says whether it is hostile.
 */
export function toMember(
  { chain, address }: Pick<AnalysisTarget, 'chain' | 'address'>,
  assessment: Assessment,
  now: number,
): FamilyMember | undefined {
  const { honeypot, verdict } = assessment
  const code = familyCodeOf(assessment)
  const isTraded = honeypot !== undefined && !isFailed(honeypot) && honeypot.pair !== undefined
  if (code === undefined || !isTraded || verdict.isUnfinished) return undefined
  const traits = traitsOf(honeypot)
  return {
    ...{ chainId: chain.id, address, code, traits, behaviour: behaviourOf(traits) },
    creator: honeypot.origin?.known?.creator,
    ...{ firstAt: now, lastAt: now, firstLevel: verdict.level, lastLevel: verdict.level },
    isHostile: isHostileScore(verdict.score) || isTrap(assessment),
    isTurned: false,
  }
}

export const behaviourOf = (traits: readonly string[]): string =>
  createHash('sha256').update(traits.join('\n')).digest('hex').slice(0, BEHAVIOUR_DIGITS)

const BEHAVIOUR_DIGITS = 16

/** Names of ours alone, each once, in one order: copies that behave alike have the same. */
function traitsOf(report: HoneypotReport): string[] {
  const conditions = report.conditions?.others ?? []
  const powers = report.sweep?.powers ?? []
  const traits = [
    ...conditions.flatMap(({ leaves, reach }) => leaves.map((leaf) => `decides ${leaf} ${reach ?? 'fixed'}`)),
    ...powers.filter(({ effect }) => effect !== 'none').map(({ effect, holder }) => `power ${effect} ${holder.kind}`),
    `buy tax ${taxClass(report.buyTaxBps)}`,
    `sell tax ${taxClass(report.sellTaxBps)}`,
    ...(report.transferTaxBps === undefined ? [] : [`transfer tax ${taxClass(report.transferTaxBps)}`]),
  ]
  return [...new Set(traits)].sort().slice(0, MAX_TRAITS)
}

/** Taxes of copies differ a little; what a buyer feels as another token does not. Basis points. */
const TAX_CLASSES = [
  { upTo: 10, name: 'none' },
  { upTo: 500, name: 'to 5%' },
  { upTo: 1_000, name: 'to 10%' },
  { upTo: 2_500, name: 'to 25%' },
  { upTo: 5_000, name: 'to 50%' },
] as const

export const taxClass = (bps: number) => TAX_CLASSES.find(({ upTo }) => bps <= upTo)?.name ?? 'over 50%'
