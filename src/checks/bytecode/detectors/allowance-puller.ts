import type { CallEffect } from '../../../bytecode/effects.js'
import { fromArgument, fromStorage } from '../../../bytecode/source.js'
import { isStored, type Term } from '../../../bytecode/terms.js'
import { dependsOnCaller } from '../../../bytecode/token-facts.js'
import { isAgreed } from '../agreed-pull.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector } from '../detector.js'
import { findingAt } from '../power-severity.js'
import type { Power } from '../subject.js'

/**
 * EIP-20 transferFrom, Permit2 transferFrom and permitTransferFrom, and the safe transfers of
 * EIP-721 and EIP-1155.
 */
const PULLS: ReadonlySet<bigint> = new Set([0x23b872ddn, 0x36c78516n, 0x42842e0en, 0xb88d4fden, 0xf242432an])

/** Flags contracts with which an operator takes approved tokens of accounts that it names. */
export const allowancePuller = defineDetector({
  id: 'allowance-puller',
  title: 'Operator Takes Approved Tokens',
  description:
    'An operator can take tokens from every account that has approved this contract, at any time and without another consent.',
  confidence: 'medium',
  detect: (subject) =>
    subject.facts.functions.flatMap((fn) =>
      fn.effects.flatMap((effect) => {
        if (effect.kind !== 'call' || effect.op !== 'CALL' || !isPull(effect)) return []
        const [victim, receiver] = effect.args
        if (victim === undefined || receiver === undefined || !isForeign(victim)) return []
        if (isAgreed(subject, fn, effect)) return []
        const kept = isOperators(receiver)
        return findingAt(
          subject,
          fn,
          effect,
          (power) => judge(power, kept),
          kept ? 'pays the operator' : 'pays an address that the operator names',
        )
      }),
    ),
})

const isPull = ({ selector }: CallEffect) => selector.op === 'const' && PULLS.has(selector.value)

/** Named in the call or kept on a list; not the caller, not the contract itself. */
const isForeign = (victim: Term) =>
  !dependsOnCaller(victim) &&
  victim.op !== 'ADDRESS' &&
  victim.taint.sources.some((source) => fromArgument(source) || fromStorage(source))

/** A fixed or stored receiver, or the caller. */
const isOperators = (receiver: Term) => receiver.op === 'const' || receiver.op === 'CALLER' || isStored(receiver)

function judge({ kind, guards }: Power, kept: boolean): Severity {
  const operated =
    kind === 'holder' &&
    guards.some((guard) => guard.kind === 'slot' || guard.kind === 'constant' || guard.kind === 'derived')
  if (operated) return kept ? 'high' : 'medium'
  if (kind === 'anyone') return kept ? 'medium' : 'low'
  return 'low'
}
