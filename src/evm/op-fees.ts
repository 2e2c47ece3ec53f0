import { type Hardfork, isSince } from '../chains/chain.js'
import { type Address, type Hex, hexToBytes } from '../hex.js'
import { encodeRlp, quantityBytes } from '../rlp.js'

/**
 * What the OP Stack takes of a transaction beside its gas: the data on L1 (Fjord's formula), and
 * the operator's fee (Jovian's). Sources: the specifications of Fjord, Isthmus and Jovian as
 * docs.base.org has them (read on 2026-11-22); the words of `L1Block` as six blocks of OP Mainnet
 * and Unichain have them.
 */

/** Where the sequencer writes what L1 costs, at the start of each block. */
export const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015'
/** Its words: L1's base fee; the two scalars; L1's blob fee; the operator's scalar and constant. */
const BASE_FEE_SLOT = 1n
const SCALARS_SLOT = 3n
const BLOB_BASE_FEE_SLOT = 7n
export const OPERATOR_SLOT = 8n
export const L1_BLOCK_SLOTS = [BASE_FEE_SLOT, SCALARS_SLOT, BLOB_BASE_FEE_SLOT, OPERATOR_SLOT]

export interface OperatorFee {
  operatorScalar: bigint
  operatorConstant: bigint
}

export interface OpFees extends OperatorFee {
  /** Wei for each byte that is estimated to be left of the data, in units of 1e-12. */
  perByte: bigint
}

type ReadStorage = (address: Address, slot: bigint) => bigint

/** Reads what the operator takes. That began with Isthmus, which brought Prague's rules. */
export function readOperatorFee(rules: Hardfork, storage: ReadStorage): OperatorFee {
  const word = isSince(rules, 'prague') ? storage(L1_BLOCK, OPERATOR_SLOT) : 0n
  return { operatorScalar: (word >> 64n) & U32, operatorConstant: word & U64 }
}

/** Reads what L1 costs now, and what the operator takes. */
export function readOpFees(rules: Hardfork, storage: ReadStorage): OpFees {
  const [baseFee, scalars, blobBaseFee] = [BASE_FEE_SLOT, SCALARS_SLOT, BLOB_BASE_FEE_SLOT].map((slot) =>
    storage(L1_BLOCK, slot),
  ) as [bigint, bigint, bigint]
  const baseScalar = (scalars >> 96n) & U32
  const blobScalar = (scalars >> 64n) & U32
  return {
    perByte: 16n * baseScalar * baseFee + blobScalar * blobBaseFee,
    ...readOperatorFee(rules, storage),
  }
}

const U32 = 0xffffffffn
const U64 = 0xffffffffffffffffn

/** Wei for the data of a transaction, signed and encoded as it is sent. */
export function dataFee({ perByte }: OpFees, encoded: Uint8Array): bigint {
  const estimated = SIZE_OFFSET + SIZE_FACTOR * BigInt(compressedLength(encoded))
  return ((estimated > LEAST_SIZE ? estimated : LEAST_SIZE) * perByte) / SCALE
}

/** Bytes in units of 1e-6: what is left of a transaction, by its length under FastLZ. */
const SIZE_OFFSET = -42_585_600n
const SIZE_FACTOR = 836_500n
const LEAST_SIZE = 100_000_000n
const SCALE = 1_000_000_000_000n

/** Wei for the operator, who counts gas: by Jovian's formula, or by that of Isthmus before it. */
export function operatorFee(
  { operatorScalar, operatorConstant }: OperatorFee,
  gasUsed: bigint,
  { isBeforeJovian = false } = {},
): bigint {
  const counted = isBeforeJovian ? (gasUsed * operatorScalar) / 1_000_000n : gasUsed * operatorScalar * 100n
  return counted + operatorConstant
}

/** What is known of a transaction that was only played. */
export interface PlayedTransaction {
  /** Absent where a contract is created. */
  to: Hex | undefined
  value: bigint
  data: Hex
  gasLimit: bigint
  maxFeePerGas: bigint
}

/**
 * The transaction as a wallet would send it (EIP-1559). It bears no signature: signatures hardly
 * compress, and neither do the bytes that stand in for one.
 */
export function encodeAsSigned(chainId: number, tx: PlayedTransaction): Uint8Array {
  const quantities = [chainId, NONCE, tx.maxFeePerGas, tx.maxFeePerGas, tx.gasLimit].map(quantityBytes)
  const signature = [Uint8Array.of(1), STAND_IN.subarray(0, 32), STAND_IN.subarray(32)]
  const body = [hexToBytes(tx.to ?? '0x'), quantityBytes(tx.value), hexToBytes(tx.data), []]
  return Uint8Array.from([2, ...encodeRlp([...quantities, ...body, ...signature])])
}

/** A wallet that has sent some transactions. */
const NONCE = 100
/** No byte twice: nothing in it can be compressed. */
const STAND_IN = Uint8Array.from({ length: 64 }, (_, i) => (i * 167 + 89) & 0xff)

/**
 * Length under FastLZ at its first level, in the variant that the OP Stack prescribes: greedy, with
 * a table of 8,192 places, and no match in the last 13 bytes.
 */
export function compressedLength(data: Uint8Array): number {
  const places = new Uint32Array(TABLE_SIZE)
  const end = data.length - TAIL
  let length = 0
  let from = 0
  let at = 2
  while (at < end) {
    const word = threeBytes(data, at)
    const slot = hashOf(word)
    const before = places[slot] ?? 0
    places[slot] = at
    if (at - before > MAX_DISTANCE || threeBytes(data, before) !== word) {
      at += 1
      continue
    }
    if (at > from) length += literalLength(at - from)
    const matched = matchLength(data, before + 3, at + 3, end + MATCH_MARGIN)
    length += codeLength(matched)
    at += matched
    for (let i = 0; i < 2; i += 1, at += 1) {
      places[hashOf(threeBytes(data, at))] = at
    }
    from = at
  }
  return length + literalLength(data.length - from)
}

const TABLE_SIZE = 8_192
const TABLE_SHIFT = 19
const MULTIPLIER = 2_654_435_769
const MAX_DISTANCE = 0x1fff
const TAIL = 13
const MATCH_MARGIN = 9
/** A run of literals has a byte before each 32, a match up to 262 bytes two or three. */
const RUN = 32
const LONGEST_MATCH = 262

const threeBytes = (data: Uint8Array, at: number) =>
  (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16)

const hashOf = (word: number) => (Math.imul(word, MULTIPLIER) >>> TABLE_SHIFT) & (TABLE_SIZE - 1)

const literalLength = (count: number) => count + Math.ceil(count / RUN)

/** How many bytes go on being equal; the first that is not is counted, too. */
function matchLength(data: Uint8Array, before: number, at: number, end: number): number {
  let count = 0
  while (at + count < end) {
    count += 1
    if (data[before + count - 1] !== data[at + count - 1]) break
  }
  return count
}

function codeLength(matched: number): number {
  const rest = matched - 1
  return 3 * Math.floor(rest / LONGEST_MATCH) + (rest % LONGEST_MATCH >= 6 ? 3 : 2)
}
