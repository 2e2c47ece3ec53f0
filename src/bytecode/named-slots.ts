import { hexToBytes, toPaddedHex } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { PROXY_SLOTS } from './proxy.js'

/**
 * Namespaces of the upgradeable libraries whose words switches and initialisers stand in (ERC-7201,
 * OpenZeppelin 5).
 */
const NAMESPACES = [
  'openzeppelin.storage.AccessControl',
  'openzeppelin.storage.Initializable',
  'openzeppelin.storage.Ownable',
  'openzeppelin.storage.Ownable2Step',
  'openzeppelin.storage.Pausable',
  'openzeppelin.storage.ReentrancyGuard',
] as const

/** A namespace begins where the last byte is zero, and its plain variables end before the next. */
const ALIGNED = ~0xffn

const bases = new Set<bigint>(NAMESPACES.map(baseOf))
const fixed = new Set<bigint>(Object.values(PROXY_SLOTS))

/**
 * Whether the slot is known to be made from a name: then it is no entry of a mapping and no element
 * of a list, which would be made from other texts.
 */
export const isNamedSlot = (slot: bigint): boolean => fixed.has(slot) || bases.has(slot & ALIGNED)

/** ERC-7201: where the words of a namespace begin. */
function baseOf(namespace: string): bigint {
  const inner = BigInt(keccak256(new TextEncoder().encode(namespace))) - 1n
  return BigInt(keccak256(hexToBytes(toPaddedHex(inner, 32)))) & ALIGNED
}

/**
 * Whether the variable is a place that the compiler has computed and that has no name: what it is
 * the hash of is not told, so that it may be an entry of any mapping or list.
 */
export const isComputedSlot = (id: string): boolean => /^0x[0-9a-f]{17,}$/.test(id) && !isNamedSlot(BigInt(id))
