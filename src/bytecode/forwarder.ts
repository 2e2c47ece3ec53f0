import type { CallEffect } from './effects.js'
import { type Equality, readEquality } from './entry.js'
import type { ContractFacts, FunctionFacts, Located } from './facts.js'
import { findReachable } from './graph.js'
import type { Edge } from './interpret.js'
import { callSource, fromArgument, fromStorage, SOURCE, type Source } from './source.js'
import { hasSource, type Term, type TermStore } from './terms.js'

/** `isValidSignature(bytes32,bytes)` (EIP-1271) */
const IS_VALID_SIGNATURE = 0x1626ba7en
/** The precompile that recovers who signed. */
const ECRECOVER = 1n

/**
 * In whose name a contract passes on calls of its caller's choice, and so in the name of whichever
 * account their words end with (ERC-2771): of each for any caller (`open`), of each for some
 * callers (`held`), or of those who signed it.
 */
export type ForwarderKind = 'open' | 'held' | 'signed'

/**
 * A signature that is asked for in a way that is not understood counts as one that is needed:
 * verified forwarders check many ways at once. A function that adds who called it makes calls in
 * that name alone, as batches do.
 */
export function readForwarder({ functions, store }: ContractFacts): ForwarderKind {
  const free = functions.flatMap((fn) =>
    fn.effects.flatMap((effect) =>
      effect.kind === 'call' && passesOn(fn, effect) && isFree(store, fn, effect)
        ? [!asksForSignature(fn) && fn.guardsOf(effect.node).length === 0]
        : [],
    ),
  )
  return free.length === 0 ? 'signed' : free.some(Boolean) ? 'open' : 'held'
}

function passesOn(fn: FunctionFacts, { op, selector, inputTaint: { sources } }: CallEffect): boolean {
  if (op !== 'CALL' || selector.op === 'const' || !sources.some(fromArgument)) return false
  // What is signed lies in the same memory, with whatever it was checked by.
  return asksForSignature(fn) || !sources.includes(SOURCE.caller)
}

/** Whether the call is made without a signature as well. */
function isFree(store: TermStore, fn: FunctionFacts, { node }: Located<CallEffect>): boolean {
  const signers = fn.effects.flatMap((effect) =>
    effect.kind === 'call' && tellsSigner(effect) ? [callSource(effect.pc)] : [],
  )
  return findReachable(fn.run, (edge) => !needsSignature(store, edge, signers)).has(node)
}

/** Whether the edge is only taken where the right account signed, as far as that is understood. */
function needsSignature(store: TermStore, { condition, taken }: Edge, signers: readonly Source[]): boolean {
  if (condition === undefined || !signers.some((signer) => hasSource(condition, signer))) return false
  const asked = withoutNot(condition)
  // The call itself went through; and that any account signed does not say which one.
  if (asked.term.op === 'call' || isSigner(asked.term)) return false
  const equality = readEquality(store, asked.term)
  if (equality !== undefined) {
    // What one account has signed for all is that account's word.
    return !isFixed(equality, signers) && (equality.when === asked.holds) === taken
  }
  return isAnswer(asked.term) ? asked.holds === taken : true
}

/** The account that was recovered, as it came back. */
const isSigner = ({ op, args }: Term): boolean =>
  op === 'returned' ? args[0]?.op === 'const' && args[0].value === ECRECOVER : op === 'AND' && args.some(isSigner)

/** Whether the signer is compared with an account of the code's or of its storage, and no other. */
function isFixed({ a, b }: Equality, signers: readonly Source[]): boolean {
  const other = signers.some((signer) => hasSource(a, signer)) ? b : a
  const { sources } = other.taint
  return other.op === 'const' ? other.value !== 0n : sources.some(fromStorage) && !sources.some(fromArgument)
}

/** The term within, and on which side it is not zero. */
function withoutNot(term: Term, holds = true): { term: Term; holds: boolean } {
  const [inner] = term.args
  return term.op === 'ISZERO' && inner !== undefined ? withoutNot(inner, !holds) : { term, holds }
}

/** What memory holds, as the type of an address. */
const isAnswer = ({ op, args }: Term): boolean => args.length === 0 || (op === 'AND' && args.some(isAnswer))

const tellsSigner = ({ target, selector }: CallEffect): boolean =>
  (target.op === 'const' && target.value === ECRECOVER) || selector.value === IS_VALID_SIGNATURE

/** Whether the function asks the chain, or a wallet that is a contract, who signed. */
export const asksForSignature = ({ effects }: FunctionFacts): boolean =>
  effects.some((effect) => effect.kind === 'call' && tellsSigner(effect))
