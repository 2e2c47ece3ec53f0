import { type Address, bytesToHex, type Hex, wordToAddress } from '../hex.js'
import type { CallEffect } from './effects.js'
import { evaluateTerm, type ReadStorage } from './evaluate.js'
import type { ContractFacts, FunctionFacts, Located } from './facts.js'
import { storageKeyOf } from './guards.js'
import { returnedTerms } from './roles.js'
import { fromArgument, fromCall, fromStorage, SOURCE } from './source.js'
import { classifyKey } from './storage-key.js'
import type { Term } from './terms.js'

/** Slots that standards reserve. */
export const PROXY_SLOTS = {
  /** EIP-1967: keccak256("eip1967.proxy.implementation") - 1 */
  implementation: 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn,
  /** EIP-1967: keccak256("eip1967.proxy.beacon") - 1 */
  beacon: 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50n,
  /** EIP-1967: keccak256("eip1967.proxy.admin") - 1 */
  admin: 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103n,
  /** EIP-1822: keccak256("PROXIABLE") */
  proxiable: 0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7n,
  /** ZeppelinOS: keccak256("org.zeppelinos.proxy.implementation") */
  zeppelinImplementation: 0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3n,
  /** ZeppelinOS: keccak256("org.zeppelinos.proxy.admin") */
  zeppelinAdmin: 0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390bn,
} as const

/**
 * How the address of foreign code is found. `clone`: a fixed address for every call (EIP-1167 and
 * its relatives). `library`: a fixed address for some function. `slot`: any other stored address.
 * `beacon`: another contract is asked. `mapping`: looked up by selector (EIP-2535). `calldata`: the
 * caller says. `designator`: an account that delegates (EIP-7702). `unknown`: could not be told.
 */
export type DelegationKind =
  | 'clone'
  | 'library'
  | 'eip1967'
  | 'eip1822'
  | 'zeppelinos'
  | 'slot'
  | 'beacon'
  | 'mapping'
  | 'calldata'
  | 'designator'
  | 'unknown'

export interface Delegation {
  kind: DelegationKind
  pc: number
  /** Function that delegates; `undefined` for the fallback, where every unknown call goes. */
  selector: Hex | undefined
  /** Where the address is stored, or the beacon's address. */
  slot: bigint | undefined
  /** The code that runs, where the present state tells. */
  target: Address | undefined
  /** The contract that is asked for the target. */
  beacon: Address | undefined
  where: { fn: FunctionFacts; effect: Located<CallEffect> } | undefined
}

const DESIGNATOR_BYTES = 23
/** `implementation()`: EIP-897, and what a beacon answers (EIP-1967). */
const IMPLEMENTATION = 0x5c60da1b

/**
 * The account that an EIP-7702 designator points at: code is `ef0100` and an address, nothing else.
 */
export function readDesignator(code: Uint8Array): Address | undefined {
  const matches = code.length === DESIGNATOR_BYTES && code[0] === 0xef && code[1] === 0x01 && code[2] === 0x00
  return matches ? bytesToHex(code.subarray(3)) : undefined
}

/**
 * Every way in which the contract runs foreign code on its own storage, with the targets that the
 * present state tells.
 */
export function readProxy(facts: ContractFacts, storage: ReadStorage): Delegation[] {
  const found = new Map<number, Delegation>()
  for (const fn of facts.functions) {
    for (const effect of fn.effects) {
      if (effect.kind !== 'call' || (effect.op !== 'DELEGATECALL' && effect.op !== 'CALLCODE')) continue
      // Batches of its own functions, for the same caller.
      if (effect.target.op === 'ADDRESS') continue
      const known = found.get(effect.pc)
      // Code shared by several functions counts as the fallback's, which is reached by everything.
      if (known !== undefined && known.selector === undefined) continue
      if (known !== undefined && fn.selector !== undefined) continue
      found.set(effect.pc, describe(facts, fn, effect, storage))
    }
  }
  return [...found.values()]
}

function describe(
  facts: ContractFacts,
  fn: FunctionFacts,
  effect: Located<CallEffect>,
  storage: ReadStorage,
): Delegation {
  const { target, pc } = effect
  const base = {
    pc,
    selector: fn.selector,
    slot: undefined,
    target: undefined,
    beacon: undefined,
    where: { fn, effect },
  }
  const inFallback = fn.selector === undefined
  if (target.op === 'const') return { ...base, kind: inFallback ? 'clone' : 'library', target: toAddress(target.value) }
  if (target.op === 'returned' || isReturned(target)) {
    const beacon = target.args[0] === undefined ? undefined : evaluateTerm(facts.store, target.args[0], storage)
    return {
      ...base,
      kind: 'beacon',
      beacon: beacon === undefined ? undefined : toAddress(beacon),
      slot: slotOf(target.args[0]),
    }
  }
  const slot = slotOf(target)
  if (slot !== undefined) {
    const value = evaluateTerm(facts.store, target, storage) ?? storage(slot)
    return { ...base, kind: kindOfSlot(slot), slot, target: value === undefined ? undefined : toAddress(value) }
  }
  const key = storageKeyOf(target)
  if (key !== undefined && classifyKey(key).keys.length > 0)
    return { ...base, kind: 'mapping', slot: classifyKey(key).slot }
  const { sources } = target.taint
  if (sources.some(fromCall)) return { ...base, kind: 'beacon' }
  if (sources.some((source) => fromArgument(source) || source === SOURCE.selector)) {
    return { ...base, kind: sources.some(fromStorage) ? 'mapping' : 'calldata' }
  }
  return { ...base, kind: 'unknown' }
}

const isReturned = ({ op, args }: Term) => op === 'AND' && args[0]?.op === 'returned'

/** The one slot that the address comes from, also where several paths were brought together. */
function slotOf(target: Term | undefined): bigint | undefined {
  if (target === undefined) return undefined
  const key = storageKeyOf(target)
  if (key?.op === 'const') return key.value
  const { sources } = target.taint
  const [only, ...others] = sources
  const match = /^store:(0x[0-9a-f]+)(\.\d+\.\d+)?$/.exec(only ?? '')
  return others.length === 0 && match?.[1] !== undefined ? BigInt(match[1]) : undefined
}

function kindOfSlot(slot: bigint): DelegationKind {
  if (slot === PROXY_SLOTS.implementation) return 'eip1967'
  if (slot === PROXY_SLOTS.proxiable) return 'eip1822'
  return slot === PROXY_SLOTS.zeppelinImplementation ? 'zeppelinos' : 'slot'
}

const toAddress = (value: bigint): Address => wordToAddress(value)

/**
 * What `implementation()` of a beacon answers: the terms, to be evaluated in the beacon's own
 * storage.
 */
export function readBeaconAnswer(beacon: ContractFacts): Term[] {
  const fn = beacon.functions.find(({ entry }) => entry.kind === 'function' && entry.selector === IMPLEMENTATION)
  return returnedTerms(fn?.run)
}
