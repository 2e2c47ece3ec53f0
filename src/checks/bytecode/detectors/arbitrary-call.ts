import type { CallEffect } from '../../../bytecode/effects.js'
import { fromArgument } from '../../../bytecode/source.js'
import { isArgumentOf } from '../../../bytecode/token-facts.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector } from '../detector.js'
import { findingAt } from '../power-severity.js'
import type { Power } from '../subject.js'

/**
 * Flags contracts that make any call their operator names: whatever was approved to them can be
 * taken.
 */
export const arbitraryCall = defineDetector({
  id: 'arbitrary-call',
  title: 'Calls Anything for Its Operator',
  description:
    'An operator can make this contract call any other contract with any data. Tokens that were approved to it can be taken.',
  openDescription:
    'Any address can make this contract call any other contract with any data. Tokens that were approved to it can be taken.',
  confidence: 'medium',
  detect: (subject) =>
    subject.facts.functions.flatMap((fn) =>
      fn.effects.flatMap((effect) => {
        if (effect.kind !== 'call' || effect.op !== 'CALL' || !isAnything(effect)) return []
        return findingAt(subject, fn, effect, judge, 'target and data come from the call')
      }),
    ),
})

const isAnything = ({ target, selector, inputTaint }: CallEffect) =>
  isArgumentOf(target) && selector.op !== 'const' && inputTaint.sources.some(fromArgument)

/**
 * Wallets act on a signature, governors on themselves, and who owns a numbered thing sends it to a
 * contract that hears of it: theirs is no power over others. What any address may use (Multicall)
 * is no owner's tool, and no place to approve tokens to.
 */
function judge({ kind, guards }: Power): Severity {
  if (kind !== 'holder' || guards.some((guard) => guard.kind === 'record')) return 'low'
  return guards.every((guard) => guard.kind === 'signature' || guard.kind === 'self') ? 'low' : 'medium'
}
