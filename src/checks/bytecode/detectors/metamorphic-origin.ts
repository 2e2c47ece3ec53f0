import { fetchesRuntime, readCreationCode } from '../../../bytecode/creation-code.js'
import type { CreateEffect } from '../../../bytecode/effects.js'
import { hardforkAt, isSince } from '../../../chains/chain.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector } from '../detector.js'
import { readPower, type Subject } from '../subject.js'

/**
 * Flags the two ends of a metamorphic contract: the factory whose creation code fetches the runtime
 * from elsewhere, and, under the rules before EIP-6780, code that can destroy itself so that other
 * code can come back to its address.
 */
export const metamorphicOrigin = defineDetector({
  id: 'metamorphic-origin',
  title: 'Metamorphic Origin',
  description:
    'Code can be exchanged at an unchanged address: by destroying a contract and deploying it again with creation code that fetches other runtime code. What was checked need not be what runs later.',
  confidence: 'medium',
  detect: (subject) =>
    subject.facts.functions.flatMap((fn) =>
      fn.effects.flatMap((effect) => {
        const note =
          effect.kind === 'create'
            ? describeFactory(effect)
            : effect.kind === 'destruct'
              ? describeProduct(subject)
              : undefined
        if (note === undefined) return []
        const power = readPower(subject, fn, effect.node)
        return {
          pc: effect.pc,
          ...(fn.selector && { selector: fn.selector }),
          holder: power.holder,
          severity: severityOf(power.kind),
          note,
        }
      }),
    ),
})

/**
 * Only creation code that the factory fixes: an ordinary factory takes its product's code along, or
 * gets it from the caller.
 */
function describeFactory(effect: CreateEffect): string | undefined {
  const creationCode = readCreationCode(effect)
  if (creationCode === undefined || !fetchesRuntime(creationCode)) return undefined
  return effect.op === 'CREATE2'
    ? 'deploys to a fixed address (CREATE2) whatever code another account holds at that moment'
    : 'deploys whatever code another account holds at that moment'
}

/**
 * Since EIP-6780 a contract's code outlives SELFDESTRUCT, except in the transaction that made it.
 */
function describeProduct({ chain, timestamp }: Subject): string | undefined {
  if (isSince(hardforkAt(chain, timestamp), 'cancun')) return undefined
  return 'can be destroyed for good under the rules of this block, so that other code can be deployed to its address'
}

const severityOf = (power: ReturnType<typeof readPower>['kind']): Severity =>
  power === 'anyone' || power === 'holder' ? 'medium' : 'low'
