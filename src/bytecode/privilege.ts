import { ADDRESS_MASK, type Address, toPaddedHex, wordToAddress } from '../hex.js'
import type { WriteEffect } from './effects.js'
import { evaluateTerm, type ReadStorage } from './evaluate.js'
import type { ContractFacts, FunctionFacts, Located } from './facts.js'
import { type Guard, storageKeyOf } from './guards.js'
import { replaceTerm } from './replace-term.js'
import { classifyKey } from './storage-key.js'
import type { Term } from './terms.js'

/** A check of the caller, with the place where the answer is stored. */
export interface Privilege {
  /** See `Guard`: `slot`, `constant`, `role`, `record`, `call`, `signature`, `self`, `derived`. */
  kind: Guard['kind']
  /** What the caller is compared with (`slot`, `constant`) or where it is looked up (`role`). */
  holder: Term
  /** Storage class of the holder, `0x0` or `0x5[]`; `undefined` for what is not stored. */
  variable: string | undefined
  /** The word that holds the address, where it is one fixed word (`slot`). */
  slot: bigint | undefined
  /** Lowest bit of the address in that word. */
  shift: number
  /** The address in the code (`constant`). */
  address: Address | undefined
  /** Keys of the mapping with the caller among them, outermost first (`role`). */
  keys: readonly Term[]
  /** Place of the check. */
  pc: number
}

export function readPrivilege({ kind, holder, pc }: Guard): Privilege {
  const key = storageKeyOf(holder)
  const place = key === undefined ? undefined : classifyKey(key)
  return {
    kind,
    holder,
    variable: place?.id,
    slot: key?.op === 'const' ? key.value : undefined,
    shift: holder.op === 'field' ? Number(holder.value) : 0,
    address: kind === 'constant' ? wordToAddress(holder.value) : undefined,
    keys: kind === 'role' ? (place?.keys ?? []) : [],
    pc,
  }
}

/**
 * The address that holds a privilege now (`slot`, `constant`); `undefined` where it is not one
 * address or the storage is not known.
 */
export function readHolder(
  { store }: ContractFacts,
  { kind, holder }: Privilege,
  read: ReadStorage,
): Address | undefined {
  if (kind !== 'slot' && kind !== 'constant') return undefined
  const value = evaluateTerm(store, holder, read)
  return value === undefined || value > ADDRESS_MASK ? undefined : toPaddedHex(value, 20)
}

/**
 * The word that says whether `account` is listed (`role`): not zero in the bits of the holder means
 * yes. `undefined` where the other keys depend on the call or on unknown storage.
 */
export function membershipSlot(
  { store }: ContractFacts,
  { kind, holder }: Privilege,
  account: Address,
  read: ReadStorage,
): bigint | undefined {
  const key = kind === 'role' ? storageKeyOf(holder) : undefined
  if (key === undefined) return undefined
  const caller = store.constant(BigInt(account))
  const of = replaceTerm(store, key, ({ op }) => (op === 'CALLER' || op === 'ORIGIN' ? caller : undefined))
  return evaluateTerm(store, of, read)
}

/**
 * Functions that write where the privilege is stored: who can hand it on, or list another account.
 */
export function writersOfPrivilege(
  { functions }: ContractFacts,
  { variable }: Privilege,
): { fn: FunctionFacts; effect: Located<WriteEffect> }[] {
  if (variable === undefined) return []
  return functions.flatMap((fn) =>
    fn.effects.flatMap((effect) =>
      effect.kind === 'write' && classifyKey(effect.key).id === variable ? [{ fn, effect }] : [],
    ),
  )
}
