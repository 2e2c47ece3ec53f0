import { asksForSignature } from '../../../bytecode/forwarder.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import { ERC20 } from '../../../bytecode/roles.js'
import { variableOf } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import type { Term } from '../../../bytecode/terms.js'
import { dependsOnCaller, isArgumentOf } from '../../../bytecode/token-facts.js'
import { defineDetector } from '../detector.js'
import { findingAt, severityOfNeedless } from '../power-severity.js'
import { type Power, type Subject, writersOf } from '../subject.js'
import { judgeSigners } from './balance-seizure.js'

/** Flags functions that give an allowance over the tokens of an account that did not ask for it. */
export const allowanceForge = defineDetector({
  id: 'allowance-forge',
  title: 'Allowance Can Be Forged',
  description:
    'A privileged account can give itself permission over the tokens of other accounts, the trading pool included, and then take them.',
  openDescription:
    'Any address can give itself permission over the tokens of other accounts, the trading pool included, and then take them.',
  confidence: 'high',
  detect: (subject) =>
    subject.facts.functions.flatMap((fn) => {
      if (fn.entry.kind === 'function' && STANDARD.has(fn.entry.selector)) return []
      return fn.effects.flatMap((effect) => {
        if (effect.kind !== 'write') return []
        const { id, keys } = classifyKey(effect.key)
        const [owner] = keys
        if (!subject.facts.roles.allowances.has(id) || owner === undefined || !isForeign(owner)) return []
        if (asksForSignature(fn)) return judgeSigners(subject, fn, effect, owner)
        if (isNoGain(id, effect.value) || isReserve(subject, owner)) return []
        const judge = (power: Power) => severityOfNeedless(subject, power)
        return findingAt(subject, fn, effect, judge, 'writes an allowance for another account')
      })
    }),
})

const STANDARD: ReadonlySet<number> = new Set([ERC20.approve, ERC20.transferFrom])

/** An account other than the caller and the token itself. */
const isForeign = (owner: Term) => !dependsOnCaller(owner) && owner.op !== 'ADDRESS'

/** An account that the contract names for good: what it allows is the contract's own affair. */
const isReserve = (subject: Subject, owner: Term) =>
  storageKeyOf(owner)?.op === 'const' &&
  writersOf(subject, owner).every(({ effect }) => !isArgumentOf(effect.value) && !dependsOnCaller(effect.value))

/**
 * Spending an allowance, or taking one away. A value that paths brought together counts as spent
 * when it comes from an allowance.
 */
function isNoGain(id: string, value: Term): boolean {
  if (value.op === 'const') return value.value === 0n
  const fromOld = value.taint.sources.some((source) => variableOf(source) === id)
  return fromOld && value.op !== 'ADD'
}
