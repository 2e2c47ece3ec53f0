import { mappingSlot } from '../../dex/mapping-slot.js'
import type { Address } from '../../hex.js'

/** Declared variables stand in the first slots. */
const PLAIN_BASES = Array.from({ length: 64 }, (_, i) => BigInt(i))
/**
 * Where upgradeable tokens of OpenZeppelin 5 keep theirs (ERC-7201, `openzeppelin.storage.ERC20`):
 * balances, then allowances.
 */
const OPEN_ZEPPELIN_ERC20 = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n
const BASES = [...PLAIN_BASES, 101n, 151n, 201n, 251n, OPEN_ZEPPELIN_ERC20, OPEN_ZEPPELIN_ERC20 + 1n]

/** The mappings of a contract that are asked for what belongs to a person, by their places. */
export interface KeyedSlots {
  /** `mapping[person]` */
  bases: readonly bigint[]
  /** `mapping[person][spender]` */
  nestedBases: readonly bigint[]
}

/**
 * From the storage that a trade of `person` read, the mappings that were asked for that person. So
 * what the token keeps of another account can be foreseen without knowing its code. Layouts other
 * than Solidity's are not recognised, which costs a round trip and nothing else.
 */
export function findKeyedSlots(slots: ReadonlySet<bigint>, person: Address, spender: Address | undefined): KeyedSlots {
  return {
    bases: BASES.filter((base) => slots.has(mappingSlot(base, person))),
    nestedBases:
      spender === undefined ? [] : BASES.filter((base) => slots.has(mappingSlot(mappingSlot(base, person), spender))),
  }
}

/** Where `person` stands in these mappings. */
export function slotsOf({ bases, nestedBases }: KeyedSlots, person: Address, spender: Address | undefined): bigint[] {
  return [
    ...bases.map((base) => mappingSlot(base, person)),
    ...(spender === undefined ? [] : nestedBases.map((base) => mappingSlot(mappingSlot(base, person), spender))),
  ]
}
