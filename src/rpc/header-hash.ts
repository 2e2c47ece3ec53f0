import { type Hex, hexToBytes } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { encodeRlp } from '../rlp.js'
import { parseData, parseObject } from './parse.js'

/**
 * Whether a block as JSON-RPC gives it has the hash that it claims: keccak-256 of its header in RLP
 * (Yellow Paper 4.4, and the EIPs of the later fields). No means that the node is wrong, or that
 * the chain's headers have fields which we do not know; see `Capabilities.provableHeaders`.
 */
export function isHeaderProven(value: unknown): boolean {
  try {
    const block = parseObject(value)
    const fields = [...FIELDS, ...LATER_FIELDS.filter(([name]) => block[name] !== undefined && block[name] !== null)]
    const items = fields.map(([name, kind]) => toBytes(parseData(evenDigits(block[name], kind)), kind))
    return keccak256(encodeRlp(items)) === block.hash
  } catch {
    return false
  }
}

type Kind = 'bytes' | 'number'

const FIELDS: readonly (readonly [name: string, kind: Kind])[] = [
  ['parentHash', 'bytes'],
  ['sha3Uncles', 'bytes'],
  ['miner', 'bytes'],
  ['stateRoot', 'bytes'],
  ['transactionsRoot', 'bytes'],
  ['receiptsRoot', 'bytes'],
  ['logsBloom', 'bytes'],
  ['difficulty', 'number'],
  ['number', 'number'],
  ['gasLimit', 'number'],
  ['gasUsed', 'number'],
  ['timestamp', 'number'],
  ['extraData', 'bytes'],
  ['mixHash', 'bytes'],
  ['nonce', 'bytes'],
]

/** Each fork appends its own: EIP-1559, 4895, 4844 (two), 4788, 7685, 7928, 7843. */
const LATER_FIELDS: readonly (readonly [name: string, kind: Kind])[] = [
  ['baseFeePerGas', 'number'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
  ['blockAccessListHash', 'bytes'],
  ['slotNumber', 'number'],
]

function evenDigits(value: unknown, kind: Kind): unknown {
  return kind === 'number' && typeof value === 'string' && value.length % 2 === 1 ? `0x0${value.slice(2)}` : value
}

/** RLP has no leading zeroes in numbers; zero is the empty string. */
function toBytes(data: Hex, kind: Kind): Uint8Array {
  const bytes = hexToBytes(data)
  if (kind === 'bytes') return bytes
  const start = bytes.findIndex((byte) => byte !== 0)
  return start < 0 ? new Uint8Array(0) : bytes.subarray(start)
}
