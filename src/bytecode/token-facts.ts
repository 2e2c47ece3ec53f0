import { isRangeCheck } from './arithmetic-check.js'
import { readComparison } from './comparison.js'
import type { Effect, WriteEffect } from './effects.js'
import { readEquality } from './entry.js'
import type { Condition, ContractFacts, FunctionFacts, Located } from './facts.js'
import { findReachable } from './graph.js'
import { storageKeyOf } from './guards.js'
import type { Node } from './interpret.js'
import { keysOf } from './key-ways.js'
import { isComputedSlot } from './named-slots.js'
import { type BalanceChange, readBalanceChanges } from './read-balance-changes.js'
import { replaceTerm } from './replace-term.js'
import { ERC20 } from './roles.js'
import {
  argumentSource,
  fieldOfSource,
  fromArgument,
  SOURCE,
  type Source,
  storageSource,
  UNKNOWN_VARIABLE,
} from './source.js'
import { overlaps } from './source-bits.js'
import { classifyKey } from './storage-key.js'
import { hasSource, type Term, type TermStore } from './terms.js'
import { readTokenGates, type TokenGate } from './token-gates.js'

export interface FieldWrite {
  fn: FunctionFacts
  effect: Located<WriteEffect>
}

/** What the standard functions of a token do, and who else touches what they use. */
export interface TokenFacts {
  /** Has `transfer` and `balanceOf`. */
  isToken: boolean
  /** `transfer` and `transferFrom`, as far as they are there. */
  transfers: readonly FunctionFacts[]
  balanceChanges: readonly BalanceChange[]
  /** Branches of the transfer path of which one side can only revert, or moves nothing. */
  gates: readonly TokenGate[]
  /** Every branch of the transfer path where both sides can succeed. */
  branches: readonly { fn: FunctionFacts; condition: Condition }[]
  /** Writes of the field that this source names, in all functions. */
  writesOf(source: Source): readonly FieldWrite[]
  /** The same outside the transfer path. */
  writersOf(source: Source): readonly FieldWrite[]
  /** Whether a transfer writes the field: it is bookkeeping then, not a switch. */
  isKept(source: Source): boolean
  /**
   * Whether a transfer computes the field anew, as running totals are: not so where it only sets
   * fees aside and puts them back.
   */
  isComputed(source: Source): boolean
}

const known = new WeakMap<ContractFacts, TokenFacts>()

/** Reads the token behind the contract; once per contract. */
export function readTokenFacts(facts: ContractFacts): TokenFacts {
  const found = known.get(facts) ?? read(facts)
  known.set(facts, found)
  return found
}

/** Gates of a transfer, also of one that was read again without ways that are closed. */
export function gatesOf(facts: ContractFacts, fn: FunctionFacts): readonly TokenGate[] {
  if (fn.entry.kind !== 'function' || !TRANSFERS.has(fn.entry.selector)) return []
  const found = gatesKnown.get(fn) ?? findGates(facts, fn)
  gatesKnown.set(fn, found)
  return found
}

/** What a transfer comes to that has two parties: what an account sends itself moves nothing. */
function readOrdinaryWays(store: TermStore, fn: FunctionFacts): ReadonlySet<Node> {
  const { from, to } = transferParties(fn)
  return findReachable(fn.run, ({ condition, taken }) => {
    const { a, b, when } = (condition && readEquality(store, condition)) ?? {}
    return a === undefined || b === undefined || when !== taken || !((from(a) && to(b)) || (from(b) && to(a)))
  })
}

function findGates(facts: ContractFacts, fn: FunctionFacts): readonly TokenGate[] {
  const isMet = (term: Term, fails: boolean) => isRangeCheck(term) || asksForPart(facts, fn, term, fails)
  const gates = readTokenGates(fn, facts.roles.balanceFields, isMet)
  const ordinary = readOrdinaryWays(facts.store, fn)
  return gates.filter(({ condition: { node } }) => ordinary.has(node))
}

const gatesKnown = new WeakMap<FunctionFacts, readonly TokenGate[]>()
const TRANSFERS: ReadonlySet<number> = new Set([ERC20.transfer, ERC20.transferFrom])

export const findFunction = (facts: ContractFacts, selector: number): FunctionFacts | undefined =>
  facts.functions.find(({ entry }) => entry.kind === 'function' && entry.selector === selector)

function read(facts: ContractFacts): TokenFacts {
  const transfers = [...TRANSFERS].flatMap((selector) => findFunction(facts, selector) ?? [])
  const conditions = transfers.flatMap((fn) => fn.conditions.map((condition) => ({ fn, condition })))
  const writes: FieldWrite[] = facts.functions.flatMap((fn) =>
    fn.effects.flatMap((effect) =>
      effect.kind === 'write'
        ? keysOf(facts.store, fn.run, effect.key).map((key) => ({
            fn,
            effect: key === effect.key ? effect : { ...effect, key },
          }))
        : [],
    ),
  )
  // By variable: contracts with many writes have many gates too.
  const byVariable = new Map<string, FieldWrite[]>()
  for (const write of writes) {
    const { id } = classifyKey(write.effect.key)
    const known = byVariable.get(id)
    if (known === undefined) byVariable.set(id, [write])
    else known.push(write)
  }
  const elsewhere = createElsewhere(writes)
  const writesOf = (source: Source) => {
    const field = fieldOfSource(source)
    if (field === undefined) return []
    const own = byVariable.get(field.variable)
    const all = [...(own ?? elsewhere.entries(field.variable)), ...elsewhere.elements(field.variable)]
    return all.filter(({ effect }) => overlaps(effect, field))
  }
  /** By its own name: what may meet a field is no reason to hold it for a transfer's own. */
  const transfersThatWrite = (source: Source) => {
    const field = fieldOfSource(source)
    const own = (field && byVariable.get(field.variable)) ?? []
    return own.filter(({ fn, effect }) => field && transfers.includes(fn) && overlaps(effect, field))
  }
  return {
    isToken: transfers.length > 0 && findFunction(facts, ERC20.balanceOf) !== undefined,
    transfers,
    balanceChanges: facts.functions.flatMap((fn) => readBalanceChanges(facts, fn)),
    gates: transfers.flatMap((fn) => gatesOf(facts, fn)),
    branches: conditions.filter(({ condition }) => condition.fails === undefined),
    writesOf,
    isComputed: (source) => transfersThatWrite(source).some(({ effect }) => !PLAIN.has(effect.value.op)),
    isKept: (source) => transfersThatWrite(source).length > 0,
    writersOf: (source) => writesOf(source).filter(({ fn }) => !transfers.includes(fn)),
  }
}

/** Writes that may meet a variable whose name they do not have. */
interface Elsewhere {
  /** Of mappings and lists by a key that the call chooses, where it may be such an entry. */
  entries(id: string): readonly FieldWrite[]
  /** Of a list of fixed length that the variable is an element of. */
  elements(id: string): FieldWrite[]
}

function createElsewhere(writes: readonly FieldWrite[]): Elsewhere {
  const lists = writes.flatMap((write) => {
    const start = /^(0x[0-9a-f]{1,16})\(\*\)$/.exec(classifyKey(write.effect.key).id)?.[1]
    const isFixed = write.effect.key.args.some(({ op, value }) => op === 'const' && value === BigInt(start ?? -1))
    return start === undefined || !isFixed ? [] : [{ write, start: BigInt(start), length: lengthOf(write) }]
  })
  const unknown = writes.filter(({ effect: { key } }) => classifyKey(key).id === UNKNOWN_VARIABLE)
  const chosen = writes.filter(({ effect: { key } }) => classifyKey(key).keys.some(({ op }) => op !== 'const'))
  return {
    // What is hashed with a text as its key has a place that is not known where it is written.
    entries: (id) => (isComputedSlot(id) ? [...chosen, ...unknown] : id.endsWith('[]') ? unknown : []),
    elements(id) {
      if (lists.length === 0 || !/^0x[0-9a-f]{1,16}$/.test(id)) return []
      const slot = BigInt(id)
      return lists.flatMap(({ write, start, length }) =>
        slot >= start && (length === undefined || slot < start + length) ? [write] : [],
      )
    },
  }
}

/** What the compiler has the index be less than; `undefined` where nothing asks. */
function lengthOf({ fn, effect }: FieldWrite): bigint | undefined {
  const [index] = classifyKey(effect.key).keys
  if (index === undefined) return undefined
  const bounds = fn.conditions.flatMap(({ term, fails }) => {
    const comparison = fails === undefined ? undefined : readComparison(term, !fails)
    const isIndex = comparison?.small.taint === index.taint && comparison.small.taint.sources.length > 0
    return isIndex && comparison.big.op === 'const' ? [comparison.big.value] : []
  })
  return bounds.reduce<bigint | undefined>(
    (least, each) => (least === undefined || each < least ? each : least),
    undefined,
  )
}

/** Values that were there before: constants and other fields. */
const PLAIN: ReadonlySet<string> = new Set(['const', 'sload', 'field', 'choice'])

/** What is sent in thought: little, and much. */
const SENT = [1n, 10n ** 24n]

/**
 * Whether a gate asks for what is sent, or a part of it that constants tell, where it always is:
 * with the sender, with the receiver who has it by then, and in the supply.
 */
function asksForPart({ store, roles }: ContractFacts, fn: FunctionFacts, term: Term, fails: boolean): boolean {
  const comparison = readComparison(term, !fails)
  const key = comparison && storageKeyOf(comparison.big)
  if (comparison === undefined || key === undefined) return false
  const { id, keys } = classifyKey(key)
  const { from, to, amount } = transferParties(fn)
  const isParty = (each: Term) => from(each) || to(each)
  if (!roles.supply.has(id) && !(roles.balances.has(id) && keys.some(isParty))) return false
  const isAmount = (part: Term) => part.op === 'calldata' && part.taint.sources[0] === amount
  const part = takenFrom(comparison)
  return SENT.every((sent) => {
    const asked = replaceTerm(store, part, (each) => (isAmount(each) ? store.constant(sent) : undefined))
    return asked.op === 'const' && asked.value <= sent
  })
}

/** `a - b <= a` is how compilers ask for `b <= a`. */
function takenFrom({ small, big }: { small: Term; big: Term }): Term {
  const [whole, part] = small.args
  return small.op === 'SUB' && whole === big && part !== undefined ? part : small
}

/** A write that computes a word from itself, as counts and running totals do. */
export const isCount = (effect: Effect): effect is WriteEffect =>
  effect.kind === 'write' && hasSource(effect.value, storageSource(classifyKey(effect.key).id))

export const isArgumentOf = (term: Term): boolean => term.taint.sources.some(fromArgument)

/** The account that a transfer takes from and gives to, by function. */
export const transferParties = (
  fn: FunctionFacts,
): { from: (term: Term) => boolean; to: (term: Term) => boolean; amount: Source } => {
  const pulls = fn.entry.kind === 'function' && fn.entry.selector === ERC20.transferFrom
  const argument = (offset: bigint) => (term: Term) => term.op === 'calldata' && term.value === offset
  return pulls
    ? { from: argument(4n), to: argument(36n), amount: argumentSource(68) }
    : { from: (term) => term.op === 'CALLER', to: argument(4n), amount: argumentSource(36) }
}

/**
 * The sender of a call that a forwarder passes on (ERC-2771): read from the end of the call data,
 * so that it is known by no place in them. Whether the forwarder is to be believed is for the
 * guards on the way to say.
 */
export const isForwardedSender = ({ taint: { sources } }: Term): boolean =>
  sources.length === 1 && sources[0] === SOURCE.anyArgument

export const dependsOnCaller = (term: Term): boolean => hasSource(term, SOURCE.caller) || hasSource(term, SOURCE.origin)
