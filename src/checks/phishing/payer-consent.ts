import { readComparison } from '../../bytecode/comparison.js'
import type { CallEffect, WriteEffect } from '../../bytecode/effects.js'
import { readEquality } from '../../bytecode/entry.js'
import type { ContractFacts, FunctionFacts, Located } from '../../bytecode/facts.js'
import { findReachable } from '../../bytecode/graph.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import type { Edge, Node } from '../../bytecode/interpret.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { someTerm, type Term } from '../../bytecode/terms.js'

/** A call that takes, and the account that pays. */
interface Asked {
  fn: FunctionFacts
  call: Located<CallEffect>
  /** The word of the owner, where the call has one. */
  payer: Term | undefined
}

/**
 * Whether no way leads to the call but one on which its payer has agreed: by a signature, by an
 * amount that it alone writes, by a switch of its own for who calls, or by its own answer.
 */
export function isAgreedTo(facts: ContractFacts, asked: Asked): boolean {
  return !isReachableWithout(asked.fn, asked.call.node, (edge) => agrees(facts, asked, edge))
}

/** Whether only the contract itself comes here. */
export const isOnlyItself = (fn: FunctionFacts, node: Node): boolean => {
  const guards = fn.guardsOf(node)
  return guards.length > 0 && guards.every(({ kind }) => kind === 'self')
}

function isReachableWithout({ run }: FunctionFacts, node: Node, closes: (edge: Edge) => boolean): boolean {
  const known = new Map<Edge, boolean>()
  const passes = (edge: Edge) => {
    const isClosing = known.get(edge) ?? closes(edge)
    known.set(edge, isClosing)
    return !isClosing
  }
  return findReachable(run, passes).has(node)
}

function agrees(facts: ContractFacts, asked: Asked, { condition, taken }: Edge): boolean {
  if (condition === undefined || taken === undefined) return false
  return holdsBy(facts, condition, taken, (term, holds) => isConsent(facts, asked, term, holds))
}

/** Conditions within conditions that are looked at. */
const MAX_DEPTH = 8

/** Whether a condition that comes out so says what `is` asks for, whatever its parts are. */
function holdsBy(
  facts: ContractFacts,
  term: Term,
  holds: boolean,
  is: (term: Term, holds: boolean) => boolean,
  depth = 0,
): boolean {
  if (depth > MAX_DEPTH) return false
  const [a, b] = term.args
  const within = (each: Term, value: boolean) => holdsBy(facts, each, value, is, depth + 1)
  if (term.op === 'ISZERO' && a !== undefined && readEquality(facts.store, a) === undefined) return within(a, !holds)
  if ((term.op === 'AND' || term.op === 'OR') && a && b && term.boolean) {
    const needsAll = (term.op === 'OR') === holds
    return needsAll ? within(a, holds) && within(b, holds) : within(a, holds) || within(b, holds)
  }
  if (term.op === 'choice') {
    const ways = term.args.filter((arg) => arg.op !== 'const' || (arg.value !== 0n) === holds)
    return ways.length > 0 && ways.every((arg) => arg.op !== 'const' && within(arg, holds))
  }
  return is(term, holds)
}

function isConsent(facts: ContractFacts, asked: Asked, term: Term, holds: boolean): boolean {
  const equality = readEquality(facts.store, term)
  if (equality !== undefined && equality.when === holds) {
    const sides = [bare(equality.a), bare(equality.b)]
    if (sides.some((side, i) => isUnlimited(sides[1 - i]) && isOwnWord(facts, asked, side))) return true
    return sides.some((side, i) => isSignature(asked, side, sides[1 - i]) || isAnswer(asked, side, sides[1 - i]))
  }
  return isOwnFlag(facts, asked, term, holds) || isBelowOwnLimit(facts, asked, readComparison(term, holds))
}

/** A switch that the payer alone turns on, and that names who calls: on record is no consent. */
function isOwnFlag(facts: ContractFacts, asked: Asked, term: Term, holds: boolean): boolean {
  const key = holds ? storageKeyOf(term) : undefined
  const isOfCaller = key !== undefined && classifyKey(key).keys.some((each) => bare(each).op === 'CALLER')
  return isOfCaller && isOwnWord(facts, asked, term)
}

/** The word that ecrecover (precompile 1) answers. */
const isSigner = ({ op, args: [target] }: Term) => op === 'returned' && target?.op === 'const' && target.value === 1n

/** The payer signed, or the contract would have to, which has no key. */
function isSignature({ payer }: Asked, signer: Term, other: Term | undefined): boolean {
  if (!isSigner(signer) || other === undefined) return false
  return other.op === 'ADDRESS' || (payer !== undefined && isSame(other, payer))
}

/** Smaller answers are flags and numbers, which any contract gives. */
const LEAST_MAGIC = 1n << 16n

/**
 * The payer, or the account that is called, answered with a word that says yes (EIP-1271 and the
 * like).
 */
function isAnswer({ payer, call }: Asked, answer: Term, other: Term | undefined): boolean {
  const asked = answer.op === 'returned' ? answer.args[0] : undefined
  if (asked === undefined || other?.op !== 'const' || other.value < LEAST_MAGIC) return false
  const whose = payer ?? (call.target.op === 'ADDRESS' ? undefined : call.target)
  return whose === undefined ? bare(asked).op === 'calldata' : isSame(asked, whose)
}

/** The amount is no more than a word that the payer alone writes, as allowances are. */
function isBelowOwnLimit(facts: ContractFacts, asked: Asked, comparison: ReturnType<typeof readComparison>): boolean {
  if (comparison === undefined) return false
  const isAmount = asked.call.args.some((arg) => isSame(arg, comparison.small))
  return isAmount && isOwnWord(facts, asked, bare(comparison.big))
}

/** Allowances of this size are never used up. */
const LEAST_UNLIMITED = 1n << 95n
const isUnlimited = (term: Term | undefined) => term?.op === 'const' && term.value >= LEAST_UNLIMITED

/** Whether the word is kept of the payer, and written by it alone. */
function isOwnWord(facts: ContractFacts, { payer }: Asked, word: Term): boolean {
  const key = storageKeyOf(word)
  if (payer === undefined || key === undefined) return false
  const { id, keys } = classifyKey(key)
  const place = keys.findIndex((each) => isSame(each, payer))
  return place >= 0 && writersOf(facts, id).every((write) => isOwnWrite(write, place))
}

interface Write {
  fn: FunctionFacts
  effect: Located<WriteEffect>
}

const writersOf = ({ functions }: ContractFacts, id: string): Write[] =>
  functions.flatMap((fn) =>
    fn.effects.flatMap((effect) =>
      effect.kind === 'write' && classifyKey(effect.key).id === id ? [{ fn, effect }] : [],
    ),
  )

/** By the account itself, with its signature, or of what was there before. */
function isOwnWrite({ fn, effect }: Write, place: number): boolean {
  const owner = classifyKey(effect.key).keys[place]
  if (owner === undefined) return false
  if (
    bare(owner).op === 'CALLER' ||
    someTerm(effect.value, ({ op, args: [key] }) => op === 'sload' && key === effect.key)
  )
    return true
  return fn.conditions.some(
    ({ term, fails }) =>
      fails !== undefined && someTerm(term, isSigner) && someTerm(term, (part) => isSame(part, owner)),
  )
}

/** The word without the mask of its type. */
function bare(term: Term): Term {
  if (term.op !== 'AND') return term
  const [a, b] = term.args
  if (a?.op === 'const' && b) return b
  return b?.op === 'const' && a ? a : term
}

/** Whether both are one word for certain: what is not known may be two. */
const isSame = (a: Term, b: Term) => bare(a) === bare(b) && bare(a).op !== 'unknown'
