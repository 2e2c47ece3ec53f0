import { readDecidingBranches } from '../../../bytecode/deciding-branches.js'
import type { WriteEffect } from '../../../bytecode/effects.js'
import type { FunctionFacts } from '../../../bytecode/facts.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import { fieldOfSource, UNKNOWN_VARIABLE } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { isCount, readTokenFacts } from '../../../bytecode/token-facts.js'
import { toPaddedHex, WORD_MASK } from '../../../hex.js'
import { defineDetector, type Finding } from '../detector.js'
import { isHidden, readHolderSlot } from '../power-severity.js'
import { type Power, readPower, type Subject } from '../subject.js'

/**
 * Flags power over the token that stays with an address although `owner()` says that there is none,
 * or that is obfuscated.
 */
export const hiddenOwner = defineDetector({
  id: 'hidden-owner',
  title: 'Hidden Owner',
  description:
    'The token claims to have no owner, or shows another one, while another address keeps the power over it.',
  confidence: 'high',
  detect: (subject) => {
    const matters = new Set(findFieldsThatMatter(subject))
    return subject.facts.functions.flatMap((fn) =>
      fn.effects.flatMap((effect): Finding[] => {
        if (effect.kind !== 'write' || !matters.has(classifyKey(effect.key).id)) return []
        if (isOwnTransfer(subject, fn, classifyKey(effect.key).id)) return []
        const power = readPower(subject, fn, effect.node)
        if (power.kind !== 'holder' || !isHidden(subject, power)) return []
        if (power.addresses.length > 0 && power.addresses.every(subject.isPool)) return []
        if (isCountOfTrades(subject, fn, effect, power)) return []
        const [constant] = power.guards.filter(({ kind }) => kind === 'constant')
        return [
          {
            pc: effect.pc,
            ...(fn.selector && { selector: fn.selector }),
            ...readHolderSlot(subject, power),
            ...(constant?.holder.op === 'const' && {
              value: toPaddedHex(constant.holder.value & WORD_MASK, 32),
            }),
            holder: power.holder,
            severity: 'high',
            note: power.guards.some(({ kind }) => kind === 'derived')
              ? 'an obfuscated check of the caller'
              : 'power outlives the renounced owner',
          },
        ]
      }),
    )
  },
})

/**
 * Who is spared a limit moves tokens of his own on a way of his own. What else a transfer does
 * for single accounts has rules of its own.
 */
const isOwnTransfer = ({ facts }: Subject, fn: FunctionFacts, variable: string) =>
  readTokenFacts(facts).transfers.includes(fn) &&
  (facts.roles.holdings.has(variable) || facts.roles.supply.has(variable))

/**
 * A contract whose own transfers are counted is a pool: what purchases move on is followed where it
 * is traded. An account of a person would count as he likes.
 */
const isCountOfTrades = ({ facts, hasCode }: Subject, fn: FunctionFacts, effect: WriteEffect, power: Power) =>
  readTokenFacts(facts).transfers.includes(fn) &&
  isCount(effect) &&
  power.addresses.length > 0 &&
  power.addresses.every((address) => hasCode(address) === true)

/** What decides about balances and transfers. */
function findFieldsThatMatter({ facts }: Subject): string[] {
  const { gates, balanceChanges, transfers } = readTokenFacts(facts)
  const choices = transfers.flatMap((fn) => readDecidingBranches(facts, fn).branches.filter(({ isChoice }) => isChoice))
  const terms = [
    ...gates.map(({ condition }) => condition.term),
    // What chooses among constants is not seen in the value.
    ...choices.map(({ term }) => term),
    ...balanceChanges.filter(({ fn }) => transfers.includes(fn)).map(({ effect }) => effect.value),
  ]
  const ids = terms.flatMap(({ taint }) => taint.sources.flatMap((source) => fieldOfSource(source)?.variable ?? []))
  const owners = new Set(
    facts.roles.owners.flatMap((owner) => {
      const key = storageKeyOf(owner)
      return key === undefined ? [] : [classifyKey(key).id]
    }),
  )
  return [...ids, ...facts.roles.holdings].filter((id) => id !== UNKNOWN_VARIABLE && !owners.has(id))
}
