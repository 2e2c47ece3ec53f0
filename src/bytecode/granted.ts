import { readComparison } from './comparison.js'
import type { Effect } from './effects.js'
import { readEquality } from './entry.js'
import type { ContractFacts, FunctionFacts } from './facts.js'
import { storageKeyOf } from './guards.js'
import type { Edge } from './interpret.js'
import { inputsOf } from './join.js'
import { replaceTerm } from './replace-term.js'
import { ERC20 } from './roles.js'
import { UNKNOWN_VARIABLE } from './source.js'
import { classifyKey } from './storage-key.js'
import { type Term, type TermStore, walkTerm } from './terms.js'
import { findFunction } from './token-facts.js'

/** Stand for the two accounts of a grant while keys are compared: no code has these numbers. */
const [GIVER, TAKER] = [(1n << 255n) + 0x67n, (1n << 255n) + 0x74n]

/**
 * How a holder's operators are asked for, as `f(first, second)`: `isOperatorFor` (ERC-777) has the
 * operator first, `isOperator` (ERC-6909) and `isApprovedForAll` (ERC-1155) the holder.
 */
export const OPERATOR_GETTERS = [
  { selector: 0xd95b6371, isHolderFirst: false },
  { selector: 0xb6363cf2, isHolderFirst: true },
  { selector: 0xe985e9c5, isHolderFirst: true },
] as const

/**
 * Whether the edge is only taken where the owner of the tokens has granted its caller something: an
 * operator's right (ERC-777, ERC-6909), or an allowance that lasts as long as the transaction
 * (ERC-7674). Only calls of the owner write such a word; its entry names both as they are.
 */
export function asksGrant(facts: ContractFacts, { condition, taken }: Edge, owner: Term): boolean {
  if (condition === undefined || taken === undefined) return false
  const isGranted = (term: Term) => isGrant(facts, term, owner)
  const order = readComparison(condition, taken)
  if (order !== undefined) return isGranted(order.big) && order.small.op !== 'const'
  const zero = facts.store.constant(0n)
  const { a, b, when } = readEquality(facts.store, condition) ?? { a: condition, b: zero, when: false }
  const [word, other] = isGranted(a) ? [a, b] : [b, a]
  return isGranted(word) && other.op === 'const' && (when === taken) === (other.value !== 0n)
}

/**
 * Whether all that the term asks of transient storage was granted. `allowance(owner, spender)`
 * names the spender, who is the caller elsewhere.
 */
export function asksGrantsAlone(facts: ContractFacts, fn: FunctionFacts, term: Term): boolean {
  const { store } = facts
  const isNamed = fn === findFunction(facts, ERC20.allowance)
  const caller = store.make('CALLER', [])
  const asked = isNamed ? replaceTerm(store, term, (part) => (isArgument(part, 36n) ? caller : undefined)) : term
  let areAll = true
  walkTerm(asked, (part) => {
    if (part.op === 'TLOAD') areAll &&= ownersIn(part).some((owner) => isGrant(facts, part, owner))
    return undefined
  })
  return areAll
}

/** Parts of one amount that are looked at. */
const MAX_PARTS = 64

/**
 * Whether the term is the amount of a `transferFrom`, or what is left of it once grants of the
 * owner were taken off (ERC-7674).
 */
export function isLeftByGrants(facts: ContractFacts, { run }: FunctionFacts, term: Term, owner: Term): boolean {
  const isMadeOf = (whole: Term, isPart: (part: Term) => boolean): boolean => {
    const open = new Set([whole])
    for (const part of open) {
      if (isPart(part)) continue
      const inputs = part.op === 'choice' ? part.args : inputsOf(run, part)
      for (const input of inputs) open.add(input)
      if ([...inputs].length === 0 || open.size > MAX_PARTS) return false
    }
    return true
  }
  const isAmount = (part: Term) => isArgument(part, 68n)
  const isTaken = (part: Term) => isAmount(part) || isGrant(facts, part, owner)
  return isMadeOf(term, (part) => {
    const [from, taken] = part.op === 'SUB' ? part.args : [part]
    return from !== undefined && isAmount(from) && (taken === undefined || isMadeOf(taken, isTaken))
  })
}

const isArgument = ({ op, value }: Term, offset: bigint) => op === 'calldata' && value === offset

function ownersIn(term: Term): Term[] {
  const found: Term[] = []
  walkTerm(term, (part) => {
    if (isArgument(part, 4n)) found.push(part)
    return undefined
  })
  return found
}

function isGrant(facts: ContractFacts, word: Term, owner: Term): boolean {
  const key = word.op === 'TLOAD' ? word.args[0] : storageKeyOf(word)
  const caller = facts.store.make('CALLER', [])
  const entry = key && entryOf(facts.store, key, owner, caller)
  if (key === undefined || entry === undefined) return false
  // What was written before there were functions is only seen where it can be asked for.
  if (word.op !== 'TLOAD' && !isTold(facts, key)) return false
  const kind = word.op === 'TLOAD' ? 'transient' : 'write'
  const mayWrite = word.op === 'TLOAD' ? isMoving : isOfVariable(key)
  return facts.functions.every(({ effects }) =>
    effects.every(
      (effect) => effect.kind !== kind || !mayWrite(effect) || isByOwner(facts, effect, { key, entry, caller }),
    ),
  )
}

/** Whether a getter of operators reads the same mapping. */
function isTold(facts: ContractFacts, key: Term): boolean {
  const { id } = classifyKey(key)
  return OPERATOR_GETTERS.some(({ selector }) =>
    findFunction(facts, selector)?.effects.some(
      (effect) => effect.kind === 'read' && classifyKey(effect.key).id === id,
    ),
  )
}

type Write = Extract<Effect, { kind: 'write' | 'transient' }>

/** A lock lies in one fixed place. */
const isMoving = ({ key }: Write) => key.op !== 'const'

const isOfVariable = (asked: Term) => {
  const { id } = classifyKey(asked)
  return ({ key }: Write) => [id, UNKNOWN_VARIABLE].includes(classifyKey(key).id) || id === UNKNOWN_VARIABLE
}

/** Grants for its caller, takes back, or uses up what was granted. */
function isByOwner(
  { store }: ContractFacts,
  write: Write,
  { key, entry, caller }: { key: Term; entry: Term; caller: Term },
): boolean {
  const { value } = write
  if (value.op === 'const' && value.value === 0n) return true
  if (write.key === key) return value.op === 'SUB' && value.args[0]?.args[0] === key
  const takers: Term[] = []
  walkTerm(write.key, (part) => {
    if (part.op === 'calldata') takers.push(part)
    return undefined
  })
  const [taker] = takers
  return taker !== undefined && entryOf(store, write.key, caller, taker) === entry
}

/**
 * The key with stand-ins for both accounts; `undefined` where it is no hash that has each once and
 * as it is: what mixes them is one place for many pairs.
 */
function entryOf(store: TermStore, key: Term, giver: Term, taker: Term): Term | undefined {
  const found = { givers: 0, takers: 0 }
  const isHash = (term: Term): boolean =>
    term.op === 'keccak' &&
    term.args.every((arg) => {
      if (arg === giver) found.givers += 1
      else if (arg === taker) found.takers += 1
      else return isHash(arg) || isFixed(arg)
      return true
    })
  if (!isHash(key) || found.givers !== 1 || found.takers !== 1) return undefined
  const standIns = new Map([
    [giver, store.constant(GIVER)],
    [taker, store.constant(TAKER)],
  ])
  return replaceTerm(store, key, (part) => standIns.get(part))
}

const isFixed = (term: Term): boolean =>
  term.op === 'const' || (term.args.length > 0 && term.taint.sources.length === 0 && term.args.every(isFixed))
