import type { BytecodeReport } from '../../checks/bytecode/bytecode-report.js'
import {
  type CodeCondition,
  type CodeConditions,
  type Mover,
  unexplainedOf,
} from '../../checks/bytecode/code-conditions.js'
import { type ConditionFacts, findUnexplained, type SaleConditions } from '../../checks/honeypot/condition-facts.js'
import { checksumAddress } from '../../checksum-address.js'
import { plainText } from '../../untrusted-text.js'
import type { Condition, Coverage } from './condition-body.js'

/** Conditions that are listed; those that matter least are left out. */
const MAX_LISTED = 40

/** What does harm otherwise first, and of that what is not explained. */
export function toConditions(conditions: SaleConditions | undefined): Condition[] {
  const weight = ({ unexplained, isHarmful }: ConditionFacts) => (unexplained !== undefined ? 0 : isHarmful ? 1 : 2)
  return (conditions?.others ?? [])
    .toSorted((a, b) => weight(a) - weight(b))
    .slice(0, MAX_LISTED)
    .map(toCondition)
}

function toCondition({ address, selector, pc, text, leaves, lossBps, isHarmful, ...found }: ConditionFacts): Condition {
  return {
    ...{ contract: checksumAddress(address), selector, pc, text: plainText(text), leaves: [...leaves] },
    effect: lossBps === undefined ? null : isHarmful ? 'loss' : 'none',
    loss: lossBps === undefined ? null : Math.min(100, Math.max(0, Math.round(lossBps) / 100)),
    reach: found.reach ?? null,
    proven: found.played.length > 0 ? 'played' : lossBps === undefined ? 'read' : 'forced',
    ...{ outcome: null, movers: [], explainedBy: [] },
    unexplained: found.unexplained ?? null,
  }
}

/** What is not explained first. */
export function toCodeConditions(conditions: CodeConditions | undefined): Condition[] {
  const weight = ({ unexplained, movers }: CodeCondition) => (unexplained !== undefined ? 0 : movers.length > 0 ? 1 : 2)
  return (conditions?.others ?? [])
    .toSorted((a, b) => weight(a) - weight(b))
    .slice(0, MAX_LISTED)
    .map((found) => ({
      ...{ contract: checksumAddress(found.address), selector: found.selector, pc: found.pc },
      ...{ text: plainText(found.text), leaves: [...found.leaves], effect: null, loss: null },
      reach: reachOf(found.movers),
      proven: 'read' as const,
      outcome: found.outcome,
      movers: found.movers.map(({ by, selectors }) => ({ by, selectors: [...selectors] })),
      explainedBy: [...found.explainedBy],
      unexplained: found.unexplained ?? null,
    }))
}

/** The nearest to a stranger's hand first. */
const REACHES = { anyone: 'anyone', trading: 'trading', chance: 'now', time: 'time', holder: 'holder' } as const

function reachOf(movers: readonly Mover[]): string | null {
  if (movers.length === 0) return null
  const [, reach] = Object.entries(REACHES).find(([by]) => movers.some((mover) => mover.by === by)) ?? []
  return reach ?? 'unknown'
}

export function toCoverage(conditions: SaleConditions | undefined): Coverage {
  return conditions ? coverageOf(conditions, findUnexplained(conditions)) : null
}

export function toCodeCoverage({ conditions }: Pick<BytecodeReport, 'conditions'>): Coverage {
  return conditions ? coverageOf(conditions, unexplainedOf(conditions)) : null
}

function coverageOf(
  { ordinary, others, isTruncated }: { ordinary: number; others: readonly unknown[]; isTruncated: boolean },
  unexplained: readonly Pick<ConditionFacts, 'selector' | 'text' | 'unexplained'>[],
): Coverage {
  const all = ordinary + others.length
  return {
    conditions: all,
    explained: all - unexplained.length,
    isComplete: unexplained.length === 0 && !isTruncated,
    unexplained: unexplained
      .slice(0, MAX_LISTED)
      .map(({ selector, text, unexplained: why }) => plainText(`${selector}: ${text}; ${why}`)),
  }
}
