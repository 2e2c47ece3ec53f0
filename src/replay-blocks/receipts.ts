import type { Log } from '../evm/inspector.js'
import { keccak256 } from '../evm/keccak-words.js'
import { bytesToHex, type Hex, hexToBytes } from '../hex.js'
import { encodeRlp, quantityBytes, type RlpItem } from '../rlp.js'
import { createTrie } from '../state/trie.js'

/** A receipt as the header's root has it (EIP-658, EIP-2718; OP Stack, "Deposit receipt"). */
export interface Receipt {
  type: number
  isSuccess: boolean
  cumulativeGasUsed: bigint
  logs: readonly Log[]
  /** Of deposits since Canyon: the sender's nonce before them. */
  depositNonce?: bigint
}

export function receiptsRoot(receipts: readonly Receipt[]): Hex {
  const trie = createTrie()
  receipts.forEach((receipt, index) => {
    trie.put(encodeRlp(quantityBytes(index)), encodeReceipt(receipt))
  })
  return trie.root()
}

function encodeReceipt({ type, isSuccess, cumulativeGasUsed, logs, depositNonce }: Receipt): Uint8Array {
  const entries = logs.map(({ address, topics, data }) => [bytes(address), topics.map(bytes), bytes(data)])
  const fields: RlpItem[] = [
    quantityBytes(isSuccess ? 1 : 0),
    quantityBytes(cumulativeGasUsed),
    bytes(bloomOf(logs)),
    entries,
  ]
  if (depositNonce !== undefined) fields.push(quantityBytes(depositNonce), quantityBytes(DEPOSIT_RECEIPT_VERSION))
  const body = encodeRlp(fields)
  return type === 0 ? body : Uint8Array.from([type, ...body])
}

/** Since Canyon. */
const DEPOSIT_RECEIPT_VERSION = 1

/** The filter of 2048 bits in which addresses and topics of logs leave three each. */
export function bloomOf(logs: readonly Log[]): Hex {
  const bloom = new Uint8Array(BLOOM_BYTES)
  for (const { address, topics } of logs) for (const item of [address, ...topics]) mark(bloom, keccak256(bytes(item)))
  return bytesToHex(bloom)
}

function mark(bloom: Uint8Array, hash: Uint8Array): void {
  for (const at of [0, 2, 4]) {
    const bit = (((hash[at] as number) << 8) | (hash[at + 1] as number)) % (8 * BLOOM_BYTES)
    const byte = BLOOM_BYTES - 1 - (bit >> 3)
    bloom[byte] = (bloom[byte] as number) | (1 << (bit & 7))
  }
}

const BLOOM_BYTES = 256
const bytes = (hex: Hex) => hexToBytes(hex)
