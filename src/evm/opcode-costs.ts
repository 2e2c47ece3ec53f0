/** Prices that depend on operands, in gas and in steps, wherever an opcode is run. */
export const COPY_WORD_GAS = 3
export const HASH_WORD_GAS = 6

/** A hash takes as long as this many opcodes, and one more for each 16 bytes. */
export const HASH_STEPS = 16

/**
 * Entries that a table may have before finding one of them is charged for: more than a trade
 * touches.
 */
const FREE_ENTRIES = 128

/**
 * Steps that finding one of `entries` costs beyond the opcode's own: keys that collide are found
 * one after the other, and the author of the keys can make them collide.
 */
export function lookupCost(entries: number): number {
  return entries < FREE_ENTRIES ? 0 : entries >>> 1
}

/**
 * Storage accesses between two looks at the clock: slots whose keys collide in our tables are slow
 * to find.
 */
export const ACCESSES_PER_LOOK = 64
