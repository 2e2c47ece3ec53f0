import { isFoldedEntry } from '../../bytecode/folded-entry.js'
import { UNKNOWN_VARIABLE } from '../../bytecode/source.js'
import type { Slot } from '../../evm/inspectors/term.js'
import type { PlannedWrite, WritingEntry } from './plans.js'

/** Slots below this are numbers that compilers give; above, hashes. */
const SMALL = 1n << 64n

const MAPPING = /^0x[0-9a-f]+\[\]$/

/** The variable of a write whose slot the caller names. */
export const ANY_SLOT = '*'

/**
 * Writes of the function that may be of the word, by the variable that the code says it writes. A
 * word in a nested mapping, or in a struct in one, is known by its kind alone; a write whose place
 * was not understood may be anywhere.
 */
export function writesOf({ contract, writes }: WritingEntry, { address, slot, entry, member }: Slot): PlannedWrite[] {
  if (contract !== address) return []
  const isOfWord = (variable: string) =>
    member === undefined ? isOf(variable, slot, entry) : isOfRecord(variable, slot, member)
  return writes.filter(({ variable }) => variable === UNKNOWN_VARIABLE || variable === ANY_SLOT || isOfWord(variable))
}

/**
 * The word after such a write of what is in the same place of `value`; of the constant that it
 * writes, where it writes one.
 */
export function written({ shift, width, constant }: PlannedWrite, word: bigint, value: bigint): bigint {
  const mask = ((1n << BigInt(width)) - 1n) << BigInt(shift)
  return (word & ~mask) | ((constant === undefined ? value : constant << BigInt(shift)) & mask)
}

/**
 * Whether such a write may bring the word to a value: all coins are the most that is paid in, and
 * what the code bounds stays below.
 */
export const mayBring = ({ adds, most, shift, width }: PlannedWrite, word: bigint, value: bigint): boolean =>
  (adds === undefined || (value >= word && value - word <= adds)) &&
  (most === undefined || ((value >> BigInt(shift)) & ((1n << BigInt(width)) - 1n)) <= most)

/** The keys by which the word is found, the outer first; empty where it is in no mapping. */
export function keysOfWord({ entry, member }: Slot): bigint[] {
  const keys: bigint[] = []
  for (let at = entry ?? member?.entry; at !== undefined && keys.length < MAX_KEYS; at = at.within) keys.unshift(at.key)
  return keys
}

/** Mappings in mappings: no token has more. */
const MAX_KEYS = 4

function isOfRecord(variable: string, slot: bigint, { entry, offset }: NonNullable<Slot['member']>): boolean {
  const end = variable.lastIndexOf('+')
  if (end < 0 || variable.slice(end + 1) !== offset.toString(16)) return false
  return isOf(variable.slice(0, end), slot, entry)
}

function isOf(variable: string, slot: bigint, entry: Slot['entry']): boolean {
  if (entry === undefined)
    return (
      variable === `0x${slot.toString(16)}` ||
      (slot >= SMALL && variable.includes('[]+')) ||
      (MAPPING.test(variable) && isFoldedEntry(slot, BigInt(variable.slice(0, -2))))
    )
  const { key, place } = entry
  if (place < SMALL) return variable === `0x${place.toString(16)}[]`
  // Vyper hashes the slot first, then the key.
  if (key < SMALL && variable === `0x${key.toString(16)}[]`) return true
  return variable.endsWith('[][]')
}
