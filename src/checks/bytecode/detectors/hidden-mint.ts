import type { FunctionFacts } from '../../../bytecode/facts.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { hasSource } from '../../../bytecode/term.js'
import { type BalanceChange, readTokenFacts } from '../../../bytecode/token-facts.js'
import { defineDetector, type Severity } from '../detector.js'
import { findingAt, severityOfPower } from '../power-severity.js'
import type { Power, Subject } from '../subject.js'

/** Flags functions that raise a balance while no other falls. */
export const hiddenMint = defineDetector({
  id: 'hidden-mint',
  title: 'Mintable Supply',
  description: 'New tokens can be created out of nothing and sold into the pool, which takes the value out of yours.',
  confidence: 'high',
  detect: (subject) => {
    const { balanceChanges, transfers } = readTokenFacts(subject.facts)
    return balanceChanges
      .filter((change) => change.kind === 'add' || change.kind === 'set')
      .filter((change) => !transfers.includes(change.fn) && isMint(subject, change, balanceChanges))
      .map((change) => {
        const raises = raisesSupply(subject, change)
        const note = raises ? 'creates tokens' : 'creates tokens without raising the total supply'
        return findingAt(subject, change.fn, change.effect, (power) => judge(subject, power, change, raises), note)
      })
  },
})

function isMint(subject: Subject, change: BalanceChange, all: readonly BalanceChange[]): boolean {
  const { fn, kind, amount, effect } = change
  if (effect.value.op === 'const' && effect.value.value === 0n) return false
  // Where another balance falls in the same function, tokens move; setting one outright is a mint whatever else falls.
  if (
    kind === 'add' &&
    all.some((other) => other.fn === fn && (other.kind === 'subtract' || other.kind === 'change' || isCleared(other)))
  ) {
    return false
  }
  if (kind === 'set' && all.some((other) => other.fn === fn && other !== change && other.kind === 'subtract'))
    return false
  // A wrapped coin or a sale gives tokens for value received.
  if (amount !== undefined && hasSource(amount, 'env:CALLVALUE')) return false
  // An initialiser of a proxy is closed by the state; a mapping computed from a stored balance is a conversion of units.
  return (
    kind === 'add' ||
    !amount?.taint.sources.some((source) =>
      [...subject.facts.roles.balances].some((id) => source.startsWith(`store:${id}`)),
    )
  )
}

const isCleared = ({ kind, effect }: BalanceChange) =>
  kind === 'set' && effect.value.op === 'const' && effect.value.value === 0n

const raisesSupply = ({ facts }: Subject, { fn }: BalanceChange) =>
  fn.effects.some((effect) => effect.kind === 'write' && facts.roles.supply.has(classifyKey(effect.key).id))

function judge(subject: Subject, power: Power, { fn, amount }: BalanceChange, raises: boolean): Severity {
  if (power.kind === 'anyone') {
    // Tokens for something given: another token pulled in, or a proof that was checked.
    if (power.once || fn.effects.some(({ kind }) => kind === 'call')) return 'medium'
    const chosen = amount?.taint.sources.some((source) => source.startsWith('arg:'))
    return chosen === true && !isConversion(fn) ? 'critical' : 'medium'
  }
  const severity = severityOfPower(subject, power)
  const secret = !raises && subject.facts.roles.supply.size > 0 && !isWithinSupply(subject, fn) && !isConversion(fn)
  return severity === 'medium' && secret ? 'high' : severity
}

/** Handing out a reserve: a counter is kept below the total supply. */
const isWithinSupply = ({ facts }: Subject, { conditions }: FunctionFacts) =>
  conditions.some(
    ({ term, fails }) => fails !== undefined && [...facts.roles.supply].some((id) => hasSource(term, `store:${id}`)),
  )

/** Something else that was credited before is used up: a claim, a locked part. */
const isConversion = ({ effects }: FunctionFacts) =>
  effects.some(
    (effect) => effect.kind === 'write' && effect.value.op === 'SUB' && classifyKey(effect.key).keys.length > 0,
  )
