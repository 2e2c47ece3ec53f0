import { findCandidateSelectors } from '../../bytecode/candidate-selectors.js'
import { disassemble, readPush, sweep } from '../../bytecode/disassemble.js'
import type { CallEffect } from '../../bytecode/effects.js'
import { readEquality } from '../../bytecode/entry.js'
import { type ContractFacts, type FunctionFacts, type Located, readFacts } from '../../bytecode/facts.js'
import { findLeading, findReachable, findWay } from '../../bytecode/graph.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import type { Gap, Node, Run } from '../../bytecode/interpret.js'
import { callSource, fromArgument } from '../../bytecode/source.js'
import { hasSource, isStored, type Term } from '../../bytecode/terms.js'
import { type Address, type Hex, toPaddedHex, wordToAddress } from '../../hex.js'
import { OP } from '../../instructions/opcodes.js'
import { createCountedLru } from '../../scheduling/lru.js'
import { isAgreedTo, isOnlyItself } from './payer-consent.js'
import { PAYERS } from './payers.js'

/** A place in the code that could take what others have approved, as far as the code tells. */
export interface TakingCall {
  pc: number
  /** The function that leads there; absent for the fallback. */
  selector: Hex | undefined
  /** Whether the code tells which account it takes from; else that is to be seen. */
  isNamed: boolean
  /**
   * Its data end where they begin, as far as the code tells: places that loops compute have one
   * name though they may differ.
   */
  isEmpty: boolean
  /** It takes from its own caller whatever that has, and not for the contract to keep. */
  isOfAll: boolean
  /** Sides of branches, by their place, from which the call can still be reached. */
  ways: ReadonlyMap<number, ReadonlySet<boolean>>
  /** The sides of branches on a shortest way there. */
  shortest: readonly { pc: number; taken: boolean }[]
  /**
   * The only contract that may call: by its address, by that of the one that names it, or `made`,
   * where it is a hash of who made it (EIP-1014).
   */
  caller: Address | 'made' | undefined
  /** What is called, where that is fixed. */
  target: Address | undefined
  /** Slots of those who may call, which only the contract itself fills; absent where others can. */
  owners: readonly bigint[] | undefined
}

export interface TakingCalls {
  /** Those that the payer has not agreed to on every way. */
  calls: readonly TakingCall[]
  /** Functions that the code knows, so that the rest is the fallback's. */
  selectors: ReadonlySet<Hex>
  /** Whether the code holds a function's selector: what is brought along has another. */
  names(selector: Hex): boolean
  gaps: readonly Gap[]
}

/** Codes seen last in this thread, by hash: the rounds of one job ask again. */
const MAX_CACHED = 32
const cache = createCountedLru<string, TakingCalls>(MAX_CACHED)

/**
 * Where code takes from accounts that are neither its caller nor itself. For worker threads: the
 * finder of selectors has no budget of its own.
 */
export function readTakingCalls(code: Uint8Array, codeHash: string): TakingCalls {
  return cache.getOrMake(codeHash, () => find(code))
}

function find(code: Uint8Array): TakingCalls {
  const facts = readFacts(code, { candidates: findCandidateSelectors(code) })
  const { functions, gaps } = facts
  return {
    calls: functions.flatMap((fn) => fn.effects.flatMap((effect) => readTaking(facts, fn, effect) ?? [])),
    selectors: new Set(functions.flatMap(({ selector }) => selector ?? [])),
    names: readNames(code),
    gaps,
  }
}

/**
 * Selectors that the code puts on the stack, however far they are shifted then: compilers leave out
 * zero bits at the end. What any code has besides, as its first bytes, zeros or masks, is none.
 */
function readNames(code: Uint8Array): TakingCalls['names'] {
  const constants = new Set<bigint>()
  for (const { pc, opcode } of sweep(disassemble(code)))
    if (opcode > OP.PUSH0 && opcode <= OP.PUSH32) constants.add(withoutLowZeros(readPush(code, pc)))
  return (selector) => {
    const bits = withoutLowZeros(BigInt(selector))
    return bits >= LEAST_NAME && !isMask(bits) && constants.has(bits)
  }
}

/** Smaller numbers stand in code for other things. */
const LEAST_NAME = 1n << 12n
const isMask = (value: bigint) => (value & (value + 1n)) === 0n
const withoutLowZeros = (value: bigint): bigint => (value === 0n ? 0n : value / (value & -value))

type Call = Located<CallEffect>

function readTaking(
  facts: ContractFacts,
  fn: FunctionFacts,
  effect: FunctionFacts['effects'][number],
): TakingCall | undefined {
  if (effect.kind !== 'call' || effect.op === 'STATICCALL' || !mayTake(fn, effect)) return undefined
  const payer = payerOf(effect)
  if (isOnlyItself(fn, effect.node) || isAgreedTo(facts, { fn, call: effect, payer })) return undefined
  const { pc, node } = effect
  return {
    ...{ pc, selector: fn.selector, isNamed: payer !== undefined && NAMED.has(payer.op) },
    ...{ isEmpty: isEmpty(effect), isOfAll: isOfAll(fn, effect) },
    ...{ ways: waysTo(fn.run, node), shortest: findWay(fn.run, node) ?? [], caller: callerOf(facts, fn, node) },
    target: fixedTarget(effect),
    owners: ownersOf(facts, fn, node),
  }
}

const isEmpty = ({ inputSize: { op, args } }: Call) => op === 'SUB' && args[0] === args[1]

/** Words that come from one place, whatever way the call has gone. */
const NAMED: ReadonlySet<string> = new Set(['calldata', 'sload', 'field', 'AND'])

function mayTake(fn: FunctionFacts, call: Call): boolean {
  const { op, target, selector, inputSize } = call
  if (op === 'DELEGATECALL') return !isStored(target) && isOfCall(target)
  if (isPrecompile(target) || (inputSize.op === 'const' && inputSize.value < LEAST_BYTES)) return false
  if (selector.op === 'choice' && selector.args.every(({ op }) => op === 'const'))
    return selector.args.some(({ value }) => PAYERS.has(asSelector(value)))
  if (selector.op !== 'const') return target.op !== 'CALLER'
  if (!PAYERS.has(asSelector(selector.value))) return false
  const payer = payerOf(call)
  return payer === undefined || !OWN.has(payer.op) || isOfAll(fn, call)
}

/** `balanceOf(address)` and `allowance(address,address)` */
const HELD: ReadonlySet<bigint> = new Set([0x70a08231n, 0xdd62ed3en])

function isOfAll(fn: FunctionFacts, call: Call): boolean {
  const [from, to, amount] = call.args
  if (payerOf(call) !== from || from?.op !== 'CALLER' || amount === undefined || to?.op === 'ADDRESS') return false
  return fn.effects.some(
    (effect) =>
      effect.kind === 'call' &&
      HELD.has(effect.selector.value) &&
      effect.args[0]?.op === 'CALLER' &&
      hasSource(amount, callSource(effect.pc)),
  )
}

/** An owner and an amount: shorter calls take nothing. */
const LEAST_BYTES = 68n
/** The caller pays for itself, or the contract of what it has. */
const OWN: ReadonlySet<string> = new Set(['CALLER', 'ADDRESS', 'const'])
const LAST_PRECOMPILE = 0x100n
const isPrecompile = ({ op, value }: Term) => op === 'const' && value <= LAST_PRECOMPILE
const isOfCall = ({ taint: { sources } }: Term) => sources.some(fromArgument)
const asSelector = (value: bigint) => toPaddedHex(value & 0xffffffffn, 4)

function payerOf({ selector, args }: Call): Term | undefined {
  const at = selector.op === 'const' ? PAYERS.get(asSelector(selector.value)) : undefined
  return at === undefined ? undefined : args[at]
}

function waysTo(run: Run, node: Node): Map<number, Set<boolean>> {
  const leading = findLeading(run, [node])
  const ways = new Map<number, Set<boolean>>()
  for (const { endPc, edges } of leading) {
    for (const { to, taken } of edges) {
      if (taken === undefined || !leading.has(to)) continue
      ways.set(endPc, (ways.get(endPc) ?? new Set()).add(taken))
    }
  }
  return ways
}

function fixedTarget({ target }: Call): Address | undefined {
  return target.op === 'const' ? wordToAddress(target.value) : undefined
}

/** The contract without which no way leads there. */
function callerOf({ store }: ContractFacts, { run }: FunctionFacts, node: Node): TakingCall['caller'] {
  const seen = new Set<Address | 'made'>()
  const isOpen = findReachable(run, ({ condition, taken }) => {
    const equality = condition && readEquality(store, condition)
    if (equality === undefined || equality.when !== taken) return true
    const other = equality.a.op === 'CALLER' ? equality.b : equality.b.op === 'CALLER' ? equality.a : undefined
    const named = other && namedBy(other)
    if (named !== undefined) seen.add(named)
    return named === undefined
  }).has(node)
  const [only, ...others] = seen
  return isOpen || others.length > 0 ? undefined : only
}

function namedBy(account: Term): Address | 'made' | undefined {
  const parts = account.op === 'AND' ? account.args : [account]
  if (parts.some(({ op }) => op === 'keccak')) return 'made'
  const asked = parts.find(({ op }) => op === 'returned')?.args[0] ?? account
  return asked.op === 'const' ? wordToAddress(asked.value) : undefined
}

/** Slots that hold those who may come here, where only the contract's own call fills them. */
function ownersOf(facts: ContractFacts, fn: FunctionFacts, node: Node): bigint[] | undefined {
  const guards = fn.guardsOf(node)
  const slots: bigint[] = []
  for (const { kind, holder } of guards) {
    if (kind === 'self') continue
    const key = kind === 'slot' ? storageKeyOf(holder) : undefined
    if (key?.op !== 'const' || !isOwnToFill(facts, key)) return undefined
    slots.push(key.value)
  }
  return guards.length > 0 ? slots : undefined
}

const isOwnToFill = ({ functions }: ContractFacts, key: Term) =>
  functions.every((fn) =>
    fn.effects.every((effect) => effect.kind !== 'write' || effect.key !== key || isOnlyItself(fn, effect.node)),
  )
