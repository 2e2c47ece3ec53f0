import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Address } from './hex.js'

/**
 * Spells an address with the checksum in its capitals (EIP-55). The same few tokens and pools come
 * again and again, so it remembers.
 */
export function checksumAddress(address: Address): string {
  const known = spellings.get(address)
  if (known !== undefined) return known
  if (spellings.size >= MAX_SPELLINGS) spellings.clear()
  const spelling = spell(address)
  spellings.set(address, spelling)
  return spelling
}

/**
 * One hash costs as much as half of a small answer. A pure function's results, so that it is no
 * state.
 */
const spellings = new Map<Address, string>()

/** About a megabyte. */
const MAX_SPELLINGS = 8_192

/** A sentence for a person, with the checksum in each address that it names. */
export const spellAddresses = (text: string): string =>
  text.replace(ADDRESSES, (address) => checksumAddress(address as Address))

const ADDRESSES = /\b0x[0-9a-f]{40}\b/g

function spell(address: Address): string {
  const digits = address.slice(2)
  const hash = keccak_256(new TextEncoder().encode(digits))
  return `0x${[...digits].map((digit, i) => (nibbleOf(hash, i) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}

/**
 * Reads an address as people write it. All lower or all upper case carries no checksum; mixed case
 * must carry the right one (EIP-55), because a wrong one means a mistyped address. `undefined` when
 * it is none.
 */
export function parseAddress(text: unknown): Address | undefined {
  if (typeof text !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const digits = text.slice(2)
  const address: Address = `0x${digits.toLowerCase()}`
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isOneCase || checksumAddress(address) === text ? address : undefined
}

function nibbleOf(bytes: Uint8Array, index: number): number {
  const byte = bytes[index >> 1] ?? 0
  return index % 2 === 0 ? byte >> 4 : byte & 15
}
