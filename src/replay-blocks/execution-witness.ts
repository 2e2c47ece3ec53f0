import type { Hex } from '../hex.js'
import { hexToBytes } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { bytesToQuantity, decodeRlp } from '../rlp.js'
import { isHeaderProven } from '../rpc/header-hash.js'
import { parseData, parseHash, parseList, parseObject, parseQuantity, RpcInvalidAnswerError } from '../rpc/parse.js'
import type { RpcRequest } from '../rpc/request.js'

/** What a node proves of the state before a block, and the headers that lead to it. */
export interface ExecutionWitness {
  nodes: Hex[]
  codes: Hex[]
  headers: WitnessHeader[]
}

/** A header that hashes to `hash`. */
export interface WitnessHeader {
  hash: Hex
  parentHash: Hex
  number: bigint
  stateRoot: Hex
}

/**
 * `debug_executionWitness`: geth, and its relatives, answer lists and headers as JSON; reth lists
 * and headers in RLP, its older releases nodes and codes by their hash.
 */
export const getExecutionWitness = (block: Hex): RpcRequest<ExecutionWitness> => ({
  method: 'debug_executionWitness',
  params: [block],
  parse(value) {
    const { state, codes, headers } = parseObject(value)
    return {
      nodes: parseList(toList(state), parseData, MAX_NODES),
      codes: parseList(toList(codes), parseData, MAX_CODES),
      headers: parseList(headers ?? [], parseHeader, MAX_HEADERS),
    }
  },
})

/** A block of 60 million gas can open some 25,000 accounts or slots, each with up to 16 nodes. */
const MAX_NODES = 1_000_000
const MAX_CODES = 100_000
/** The parent, and as many as BLOCKHASH reaches back. */
const MAX_HEADERS = 257

const toList = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.values(value) : value

function parseHeader(value: unknown): WitnessHeader {
  return typeof value === 'string' ? parseEncodedHeader(hexToBytes(parseData(value))) : parseProvenHeader(value)
}

export function parseProvenHeader(value: unknown): WitnessHeader {
  if (!isHeaderProven(value)) throw new RpcInvalidAnswerError('a header that has its hash', value)
  const { hash, parentHash, number, stateRoot } = parseObject(value)
  return {
    hash: parseHash(hash),
    parentHash: parseHash(parentHash),
    number: parseQuantity(number),
    stateRoot: parseHash(stateRoot),
  }
}

/** Yellow Paper 4.4: the parent first, the state's root fourth, the height ninth. */
function parseEncodedHeader(bytes: Uint8Array): WitnessHeader {
  const fields = readFields(bytes)
  const hashAt = (place: number) => parseHash(`0x${Buffer.from(bytesAt(fields, place)).toString('hex')}`)
  return {
    hash: keccak256(bytes),
    parentHash: hashAt(0),
    number: bytesToQuantity(bytesAt(fields, 8)),
    stateRoot: hashAt(3),
  }
}

function readFields(bytes: Uint8Array): readonly unknown[] {
  try {
    const item = decodeRlp(bytes)
    if (!(item instanceof Uint8Array)) return item
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw new RpcInvalidAnswerError('a header in RLP', bytes)
}

function bytesAt(fields: readonly unknown[], place: number): Uint8Array {
  const field = fields[place]
  if (!(field instanceof Uint8Array) || field.length > 32) throw new RpcInvalidAnswerError('a field of a header', field)
  return field
}

/**
 * The state root before a block and the hashes of blocks before it, as far as the headers hang
 * together; each is proven by the hash that its child names.
 */
export function followAncestors(
  { number, parentHash }: { number: bigint; parentHash: Hex },
  headers: readonly WitnessHeader[],
): { stateRoot: Hex | undefined; blockHashes: Map<bigint, Hex> } {
  const byHash = new Map(headers.map((header) => [header.hash, header]))
  const blockHashes = new Map<bigint, Hex>()
  let [height, hash] = [number - 1n, parentHash]
  // As long as the list at most, because each header is used once.
  for (;;) {
    blockHashes.set(height, hash)
    const header = byHash.get(hash)
    if (header === undefined || header.number !== height) break
    height -= 1n
    hash = header.parentHash
  }
  return { stateRoot: byHash.get(parentHash)?.stateRoot, blockHashes }
}
