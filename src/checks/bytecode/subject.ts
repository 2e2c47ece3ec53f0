import { isArithmeticCheck } from '../../bytecode/arithmetic-check.js'
import type { WriteEffect } from '../../bytecode/effects.js'
import { evaluateTerm } from '../../bytecode/evaluate.js'
import type { ContractFacts, FunctionFacts, Located } from '../../bytecode/facts.js'
import type { ForwarderKind } from '../../bytecode/forwarder.js'
import { type Guard, storageKeyOf } from '../../bytecode/guards.js'
import type { Edge, Node } from '../../bytecode/interpret.js'
import type { Delegation } from '../../bytecode/proxy.js'
import { callSource, fromArgument, SOURCE, variableOf } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { hasSource, type Term } from '../../bytecode/terms.js'
import type { Chain } from '../../chains/chain.js'
import { ADDRESS_MASK, type Address, toPaddedHex } from '../../hex.js'
import { isDeadAddress } from '../dead-address.js'
import { assertInTime } from './deadline.js'
import type { Book } from './own-book.js'
import { canBeOpened, isOpenNow } from './ways.js'

/** One piece of code as it stands on the chain: what it can do, and in whose storage it does it. */
export interface Subject {
  chain: Chain
  /** Seconds; which fork's rules hold. */
  timestamp: bigint
  /** What code is told of the height; absent where only the time is known. */
  number?: bigint
  /** Where the code lies. */
  address: Address
  /** Native coin of the account that runs it. */
  balance: bigint
  facts: ContractFacts
  delegations: readonly Delegation[]
  /** The code that this code delegates to, in the same storage. */
  implementations: readonly Subject[]
  /** The contract that keeps its balances, where it is another one. */
  book?: Book
  /** What a term is now; `undefined` where it depends on the call or on unknown storage. */
  value(term: Term): bigint | undefined
  /** A word of the running account's storage; `undefined` where it was not read. */
  word(slot: bigint): bigint | undefined
  /** Whether an account has code; `undefined` where it was not asked. */
  hasCode(address: Address): boolean | undefined
  /** Whether it is one of the token's pools on the exchanges of the chain. */
  isPool(address: Address): boolean
  /** In whose name a contract passes on calls; `undefined` where it is none, or was not read. */
  forwarderAt(address: Address): ForwarderKind | undefined
}

/** The total supply as the token keeps it; 0 where it is computed, or was not read. */
export function supplyOf({ facts, word }: Subject): bigint {
  const [slot] = facts.roles.supply
  return (slot === undefined ? undefined : word(BigInt(slot))) ?? 0n
}

/** Who can do a thing now. */
export interface Power {
  /**
   * `closed`: the present state lets no address come here, and nothing that can be called changes
   * that. `renounced`: only an address without an owner.
   */
  kind: 'anyone' | 'holder' | 'renounced' | 'closed'
  /** Addresses, or the way in which the power is granted, for the reader. */
  holder: string
  addresses: readonly Address[]
  guards: readonly Guard[]
  /** Works a single time: the function closes the way behind itself, as initialisers do. */
  once: boolean
}

/** How far the question "who can fill the empty owner slot?" is followed. */
const MAX_REGAIN_DEPTH = 3

/** Who may reach this place, judged by what is stored now. */
export function readPower(subject: Subject, fn: FunctionFacts, node: Node, depth = 0): Power {
  return weigh(subject, fn, node, fn.guardsOf(node), depth)
}

/** The same where only some ways lead there. */
export function readPowerWithout(
  subject: Subject,
  fn: FunctionFacts,
  node: Node,
  passes: (edge: Edge) => boolean,
): Power {
  return weigh(subject, fn, node, fn.guardsOf(node, passes), 0)
}

function weigh(subject: Subject, fn: FunctionFacts, node: Node, guards: readonly Guard[], depth: number): Power {
  assertInTime(subject)
  if (!isOpenNow(subject, fn, node) && !canBeOpened(subject, fn, node))
    return { kind: 'closed', holder: 'no address', addresses: [], guards, once: false }
  if (guards.length === 0) return { kind: 'anyone', holder: 'anyone', addresses: [], guards, once: isOnce(fn) }
  if (guards.some((guard) => isOpen(subject, guard, depth)))
    return { kind: 'anyone', holder: 'anyone', addresses: [], guards, once: isOnce(fn) }
  const living = guards.filter((guard) => !isDead(subject, guard, depth))
  if (living.length === 0) return { kind: 'renounced', holder: 'no address', addresses: [], guards, once: false }
  const addresses = living.flatMap((guard) => holderAddress(subject, guard) ?? [])
  const holder = [...new Set(living.map((guard) => describeHolder(subject, guard)))].join(', ')
  return { kind: 'holder', holder, addresses, guards: living, once: false }
}

const openKnown = new WeakMap<Subject, Map<Term, boolean>>()

/**
 * Whether any address can pass the guard: by making itself the stored one, by listing itself, or by
 * having the contract call itself.
 */
function isOpen(subject: Subject, { kind, holder }: Guard, depth: number): boolean {
  const way = WAYS_IN[kind]
  if (way === undefined || depth >= MAX_REGAIN_DEPTH) return false
  const known = openKnown.get(subject) ?? new Map<Term, boolean>()
  openKnown.set(subject, known)
  const found = known.get(holder)
  if (found !== undefined) return found
  // What can only be opened by passing the guard itself stays closed.
  known.set(holder, false)
  const isFreeForAll = way(subject, holder, depth)
  known.set(holder, isFreeForAll)
  return isFreeForAll
}

const isAnyones = (subject: Subject, fn: FunctionFacts, node: Node, depth: number) => {
  const { kind, once } = readPower(subject, fn, node, depth + 1)
  return kind === 'anyone' && !once
}

type WayIn = (subject: Subject, holder: Term, depth: number) => boolean

const WAYS_IN: Partial<Record<Guard['kind'], WayIn>> = {
  slot: canBeTaken,
  role: canListItself,
  self: (subject, _, depth) => canCallItself(subject, depth),
}

/** Whether any address can write its own entry, as who hands his votes on does. */
function canListItself(subject: Subject, holder: Term, depth: number): boolean {
  const key = storageKeyOf(holder)
  return writersOf(subject, holder).some(({ fn, effect: { key: at, value, node } }) => {
    const isSet = value.op === 'const' ? value.value !== 0n : isFree(value)
    return at === key && isSet && isAnyones(subject, fn, node, depth)
  })
}

/** Whether any address can write itself, or what it likes, where the holder stands. */
function canBeTaken(subject: Subject, holder: Term, depth: number): boolean {
  return writersOf(subject, holder).some(
    ({ fn, effect }) => isFree(effect.value) && isAnyones(subject, fn, effect.node, depth),
  )
}

/** The caller, or an argument: not what was stored before. */
const isFree = (value: Term) => value.op === 'CALLER' || value.op === 'calldata'

/**
 * Whether any address can make the contract send itself any call, without a signature of the
 * account that it speaks for.
 */
function canCallItself(subject: Subject, depth: number): boolean {
  return subject.facts.functions.some(
    (fn) =>
      !checksSignature(fn) &&
      fn.effects.some(
        (effect) =>
          effect.kind === 'call' &&
          effect.op === 'CALL' &&
          (effect.target.op === 'ADDRESS' || effect.target.op === 'calldata') &&
          isCallData(effect.selector) &&
          isAnyones(subject, fn, effect.node, depth),
      ),
  )
}

/** From the call alone: what is partly something else was put together by the code. */
const isCallData = ({ taint: { sources } }: Term) => sources.length > 0 && sources.every(fromArgument)

/** ecrecover (precompile 1) or EIP-1271, whose answer decides about going on. */
const checksSignature = ({ effects, conditions }: FunctionFacts) =>
  effects.some(
    (effect) =>
      effect.kind === 'call' &&
      ((effect.target.op === 'const' && effect.target.value === 1n) || effect.selector.value === IS_VALID_SIGNATURE) &&
      conditions.some(({ term, fails }) => fails !== undefined && hasSource(term, callSource(effect.pc))),
  )

/** `isValidSignature(bytes32,bytes)` */
const IS_VALID_SIGNATURE = 0x1626ba7en

const onceKnown = new WeakMap<FunctionFacts, boolean>()

/** A gate on plain variables alone, of which the function writes one. */
function isOnce(fn: FunctionFacts): boolean {
  const known = onceKnown.get(fn) ?? endingsOf(fn).length > 0
  onceKnown.set(fn, known)
  return known
}

/**
 * Whether all that seems to end the function is a number that goes up: who numbers what he signs
 * signs again.
 */
export const isNumbered = (fn: FunctionFacts): boolean => endingsOf(fn).every(isNextNumber)

function endingsOf(fn: FunctionFacts): Term[] {
  const written = new Set(
    fn.effects.flatMap((effect) => {
      if (effect.kind !== 'write') return []
      const { id, keys } = classifyKey(effect.key)
      return keys.length === 0 ? [id] : []
    }),
  )
  return fn.conditions.flatMap(({ term, fails }) => {
    const { sources } = term.taint
    // A counter that the compiler checks is none that ends.
    const ends =
      fails !== undefined &&
      sources.length > 0 &&
      sources.every((source) => written.has(variableOf(source))) &&
      !isArithmeticCheck(fn, term)
    return ends ? [term] : []
  })
}

/** `x + 1`, which a compiler asks not to be zero. */
const isNextNumber = ({ op, args }: Term): boolean =>
  op === 'ADD' && args.some(({ op: of, value }) => of === 'const' && value === 1n)

function holderAddress(subject: Subject, { kind, holder }: Guard): Address | undefined {
  if (kind !== 'slot' && kind !== 'constant') return undefined
  const value = subject.value(holder)
  return value === undefined || value > ADDRESS_MASK ? undefined : toPaddedHex(value, 20)
}

const WORDS = {
  record: 'the address stored in the record named by the call',
  role: 'accounts listed in a mapping',
  call: 'the address that another contract names',
  signature: 'the holder of a signature of the stored signer',
  self: 'the contract itself',
  derived: 'an obfuscated account',
} as const

function describeHolder(subject: Subject, guard: Guard): string {
  if (guard.kind !== 'slot' && guard.kind !== 'constant') return WORDS[guard.kind]
  return holderAddress(subject, guard) ?? 'a stored address'
}

/** Whether the guard names no address, and nothing can make it name one again. */
function isDead(subject: Subject, guard: Guard, depth: number): boolean {
  if (guard.kind !== 'slot' && guard.kind !== 'constant') return false
  const value = subject.value(guard.holder)
  if (value === undefined || !isDeadAddress(value & ADDRESS_MASK)) return false
  return guard.kind === 'constant' || !canBeRefilled(subject, guard.holder, depth)
}

/** Whether some function that still works for some account writes the field. */
function canBeRefilled(subject: Subject, holder: Term, depth: number): boolean {
  if (depth >= MAX_REGAIN_DEPTH) return false
  return writersOf(subject, holder).some(({ fn, effect }) => {
    if (effect.value.op === 'const' && isDeadAddress(effect.value.value)) return false
    // What only the empty field's own holder may write stays empty.
    const others = fn.guardsOf(effect.node)
    if (others.length > 0 && others.every((other) => other.holder === holder)) return false
    const power = readPower(subject, fn, effect.node, depth + 1)
    return power.kind === 'anyone' || power.kind === 'holder'
  })
}

/**
 * Whether a call that works once, for callers of which the code does not say who they are, writes
 * its caller, or what it likes, where the holder stands.
 */
export const isUpForGrabs = (subject: Subject, holder: Term): boolean =>
  writersOf(subject, holder).some(
    ({ fn, effect }) =>
      effect.value.taint.sources.some((source) => source === SOURCE.caller || fromArgument(source)) &&
      readPower(subject, fn, effect.node).kind === 'anyone',
  )

/** Every write of a stored address. */
export function writersOf({ facts }: Subject, holder: Term): { fn: FunctionFacts; effect: Located<WriteEffect> }[] {
  const key = storageKeyOf(holder)
  if (key === undefined) return []
  const { id } = classifyKey(key)
  const shift = holder.op === 'field' ? Number(holder.value) : 0
  return facts.functions.flatMap((fn) =>
    fn.effects.flatMap((effect) => {
      if (effect.kind !== 'write' || classifyKey(effect.key).id !== id) return []
      return effect.shift >= shift + 160 || effect.shift + effect.width <= shift ? [] : [{ fn, effect }]
    }),
  )
}

/** Evaluates terms against storage, remembering each answer. */
export function createValueReader(facts: ContractFacts, read: (slot: bigint) => bigint | undefined): Subject['value'] {
  const known = new Map<Term, bigint | undefined>()
  return (term) => evaluateTerm(facts.store, term, read, known)
}
