import type { WriteEffect } from '../../bytecode/effects.js'
import { readEquality } from '../../bytecode/entry.js'
import type { FunctionFacts, Located } from '../../bytecode/facts.js'
import { findReachable } from '../../bytecode/graph.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import type { Edge } from '../../bytecode/interpret.js'
import { type Source, UNKNOWN_VARIABLE, variableOf } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { isNumber, type Term, type TermStore, walkTerm } from '../../bytecode/terms.js'
import { isArgumentOf } from '../../bytecode/token-facts.js'
import type { TradeContext } from '../../dex/legs.js'
import type { MappingEntry, Slot } from '../../evm/inspectors/term.js'
import { readPower } from '../bytecode/subject.js'
import { readContracts } from '../powers/read-contracts.js'
import { writesOf, written } from '../powers/writers.js'

/** Which values any address can bring a word to, by calls that its contract lets all make. */
export type OpenWrite = (value: bigint) => boolean

/**
 * By the code alone, for words of other contracts than the token and the exchange: the calls
 * themselves may ask for arguments, coins or time. Counts move one way, and as far as so many calls
 * as are worth it; sums, as far as amounts go; what a call brings along is as its sender likes.
 */
export function openWritesOf(context: TradeContext, leaf: Slot): OpenWrite[] {
  const { fork, market } = context
  const { pool, via } = market
  if ([pool.token, pool.address, via?.address].includes(leaf.address) || isOfTrade(context, leaf.entry)) return []
  return readContracts(fork, leaf.address).flatMap(({ account, facts, subject }) =>
    facts.functions.flatMap((fn) =>
      fn.effects.flatMap((effect) => {
        if (effect.kind !== 'write' || !isReachable(effect, leaf)) return []
        if (isKept(facts.store, fn, effect, leaf)) return []
        const { id } = classifyKey(effect.key)
        const { shift, width, value } = effect
        const constant = value.op === 'const' ? value.value : undefined
        const write = { variable: id, shift, width, constant }
        const entry = { contract: account, selector: fn.selector ?? '0x', argumentTypes: '', writes: [write] } as const
        if (writesOf(entry, leaf).length === 0) return []
        const { kind, once } = readPower(subject, fn, effect.node)
        if (kind !== 'anyone' || once) return []
        return [(wanted: bigint) => written(write, leaf.value, wanted) === wanted && canBe(id, effect, leaf, wanted)]
      }),
    ),
  )
}

/** What an exchange, or the token, notes of who trades: no other address writes it. */
function isOfTrade({ market: { pool, via, venue }, trader }: TradeContext, entry: MappingEntry | undefined): boolean {
  const parties = [pool.address, via?.address, venue.spender, venue.router, trader.address]
  for (let at = entry, depth = 0; at !== undefined && depth < MAX_NESTING; at = at.within, depth += 1) {
    const { key } = at
    if (parties.some((each) => each !== undefined && BigInt(each) === key)) return true
  }
  return false
}

/** Mappings of mappings of mappings. */
const MAX_NESTING = 4

/** A variable of its own, or an entry that the call names. */
const isReachable = ({ key }: WriteEffect, { entry }: Slot) => {
  const { id, keys } = classifyKey(key)
  return id !== UNKNOWN_VARIABLE && (entry === undefined ? keys.length === 0 : keys.every(isArgumentOf))
}

/**
 * Whether it is written only where it was zero, and is not now, as who notes something once does:
 * anyone may have an exchange make a pair, and no one another one of the same two tokens. A pair is
 * noted under both orders of its tokens, of which one is asked.
 */
function isKept(store: TermStore, fn: FunctionFacts, write: Located<WriteEffect>, { value: word }: Slot): boolean {
  const keys = fn.effects.flatMap((effect) =>
    effect.kind === 'write' && effect.value === write.value && isSameButForOrder(effect, write) ? [effect.key] : [],
  )
  const isSet = (term: Term) => {
    const key = storageKeyOf(term)
    const shift = term.op === 'field' ? term.value : 0n
    return key !== undefined && keys.includes(key) && (word >> shift) % (1n << BigInt(term.width)) !== 0n
  }
  const passes = ({ condition, taken }: Edge) => {
    if (condition === undefined) return true
    if (isSet(condition)) return taken === true
    const equality = readEquality(store, condition)
    return equality === undefined || !isNumber(equality.b, 0n) || equality.when !== taken || !isSet(equality.a)
  }
  return !findReachable(fn.run, passes).has(write.node)
}

/** Entries of the same keys: an empty one of other keys, of the caller's choice, keeps nothing. */
function isSameButForOrder(a: WriteEffect, b: WriteEffect): boolean {
  const [one, other] = [classifyKey(a.key), classifyKey(b.key)]
  const isIn = (key: Term) => other.keys.includes(key)
  return one.id === other.id && one.keys.length === other.keys.length && one.keys.every(isIn)
}

/** Calls of all together by which a count goes on: the trades that are followed, as well. */
const MOST_CALLS = 100_000n
/** Exchanges count no larger amounts (Uniswap V2). */
const LARGEST_SUM = 1n << 112n

function canBe(id: string, { value, shift, width }: WriteEffect, { value: word }: Slot, wanted: bigint): boolean {
  if (value.op === 'const') return true
  const isItself = (source: Source) => variableOf(source) === id
  const { sources } = value.taint
  if (!sources.some(isItself)) return isArgumentOf(value)
  const field = (whole: bigint) => (whole >> BigInt(shift)) & ((1n << BigInt(width)) - 1n)
  const distance = value.op === 'SUB' ? field(word) - field(wanted) : field(wanted) - field(word)
  const most = sources.every(isItself) ? MOST_CALLS * largestStep(value) : LARGEST_SUM
  return distance > 0n && distance <= most
}

/** What one call adds to a count, or takes from it; masks of its field are no steps. */
function largestStep(value: Term): bigint {
  let step = 1n
  walkTerm(value, ({ op, args }) => {
    if (op === 'ADD' || op === 'SUB')
      for (const { op: kind, value: constant } of args)
        if (kind === 'const' && constant > step && constant < LARGEST_SUM) step = constant
    return true
  })
  return step
}
