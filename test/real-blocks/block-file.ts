import type { Address, Hex } from '../../src/hex.js'
import { readShared, sharedFiles } from '../conformance/shared-data.js'

/**
 * A block of a production chain with the state that it needs, in the format `real-block/1`. All
 * numbers are hex quantities.
 */
export interface BlockFile {
  format: string
  chainId: number
  number: Hex
  header: Record<string, Hex> & { timestamp: Hex; parentHash: Hex; coinbase: Address }
  /** Of blocks whose header is not given whole. */
  expectedBlockHash?: Hex
  /** Root of the state before the block. */
  preStateRoot: Hex
  /** Nodes of the account trie and of storage tries, in RLP; their key is their keccak-256. */
  nodes: readonly Hex[]
  codes: readonly Hex[]
  /** By height. */
  blockHashes: Record<string, Hex>
  /** In order. Deposits of the OP Stack have no request. */
  transactions: readonly {
    from: Address
    request?: { nonce: Hex; authorizationList?: readonly { authority?: Address }[] }
  }[]
  receipts: readonly { status: number; logs: readonly { address: Address; topics: readonly Hex[]; data: Hex }[] }[]
}

const FOLDER = 'real-blocks'

/** The names of all blocks, as in `24628607` and `op-132799000`. */
export const blockNames = (): string[] => sharedFiles(FOLDER).map((file) => file.replace('.json.gz', ''))

export function readBlockFile(name: string): BlockFile {
  const file = readShared<unknown>(FOLDER, `${name}.json.gz`) as unknown as BlockFile
  if (file.format !== 'real-block/1') throw new Error(`${name} has the format ${file.format}`)
  return file
}
