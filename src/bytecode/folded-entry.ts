import { hexToBytes, toPaddedHex } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { createCountedLru } from '../scheduling/lru.js'

/** Keys that programs spell out: numbers of settings, and the address that tokens are burnt to. */
const KEYS = [...Array.from({ length: 256 }, (_, i) => BigInt(i)), 0xdeadn]
/** Slots of variables below this are numbers that compilers give; above, hashes. */
const SMALL = 1n << 64n
/** Questions that are remembered: each costs a millisecond. */
const MAX_KNOWN = 4_096

const known = createCountedLru<string, boolean>(MAX_KNOWN)

/**
 * Whether a slot is an entry of the mapping in slot `place` by a key that the program spells out.
 * Compilers hash such a key and the place themselves (Solidity's optimiser evaluates KECCAK256 of
 * known memory), so that nothing in the code tells whose entry the slot is.
 */
export function isFoldedEntry(slot: bigint, place: bigint): boolean {
  if (slot < SMALL || place >= SMALL) return false
  const name = `${slot} ${place}`
  const answer = known.get(name) ?? KEYS.some((key) => slotOf(key, place) === slot)
  known.set(name, answer)
  return answer
}

const slotOf = (key: bigint, place: bigint): bigint =>
  BigInt(keccak256(hexToBytes(`${toPaddedHex(key, 32)}${toPaddedHex(place, 32).slice(2)}`)))
