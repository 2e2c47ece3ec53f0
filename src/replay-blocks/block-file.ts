import { readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Chain } from '../chains/chain.js'
import { BaseError } from '../errors.js'
import type { Authorization, TransactionRequest } from '../evm/transaction.js'
import type { Address, Hex } from '../hex.js'
import { createWitness, type Witness } from '../state/witness.js'
import { type Block, type BlockTransaction, DEPOSIT } from './mined-block.js'

/**
 * A block of a production chain with the state that it needs, in the format `real-block/1`. All
 * numbers are hex quantities.
 */
export interface BlockFile {
  format: string
  chainId: number
  number: Hex
  /** What BLOBBASEFEE answers in it, where there are blobs. */
  blobBaseFee?: Hex
  header: Record<string, Hex> & { timestamp: Hex; parentHash: Hex; coinbase: Address }
  /** Of blocks whose header is not given whole. */
  expectedBlockHash?: Hex
  /** Root of the state before the block. */
  preStateRoot: Hex
  /** Nodes of the account trie and of storage tries, in RLP; their key is their keccak-256. */
  nodes: readonly Hex[]
  codes: readonly Hex[]
  /** By height. */
  blockHashes: Readonly<Record<string, Hex>>
  /** In order. Deposits of the OP Stack have no request. */
  transactions: readonly FileTransaction[]
  withdrawals?: readonly { address: Address; amountGwei: Hex }[]
  ommers?: readonly { coinbase: Address; number: Hex }[]
  receipts: readonly { status: number; logs: readonly { address: Address; topics: readonly Hex[]; data: Hex }[] }[]
}

interface FileTransaction {
  type: number
  from: Address
  request?: FileRequest
  deposit?: { to?: Address | null; mint: Hex; value: Hex; data: Hex; gas: Hex }
  l1Fee?: Hex
}

type InHex<T> = T extends bigint ? Hex : T
type FileRequest = {
  [K in keyof Omit<TransactionRequest, 'authorizationList' | 'nonce'>]: InHex<TransactionRequest[K]>
} & {
  nonce: Hex
  authorizationList?: readonly { [K in keyof Authorization]: InHex<Authorization[K]> }[]
}

/** Reads a gzipped file. Its content is the operator's own: it is looked at, not distrusted. */
export function readBlockFile(path: string): BlockFile {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) throw new RangeError('the file is too large')
    const text = gunzipSync(readFileSync(path), { maxOutputLength: MAX_TEXT_BYTES }).toString('utf8')
    const file = JSON.parse(text) as BlockFile
    if (file.format !== 'real-block/1') throw new RangeError(`the format is ${file.format}`)
    return file
  } catch (cause) {
    throw new BlockFileError(path, cause)
  }
}

/** The largest known is 3 MB. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
const MAX_TEXT_BYTES = 384 * 1024 * 1024

export function witnessOf({ preStateRoot, nodes, codes, blockHashes }: BlockFile): Witness {
  const hashes = new Map(Object.entries(blockHashes).map(([number, hash]) => [BigInt(number), hash]))
  return createWitness({ stateRoot: preStateRoot, nodes, codes, blockHashes: hashes })
}

export function blockOf({ header, transactions, withdrawals = [], ommers = [] }: BlockFile, chain: Chain): Block {
  const number = (field: string) => (header[field] === undefined ? undefined : BigInt(header[field]))
  return {
    chain,
    header: {
      number: number('number') ?? 0n,
      timestamp: BigInt(header.timestamp),
      parentHash: header.parentHash,
      coinbase: header.coinbase,
      gasLimit: number('gasLimit') ?? 0n,
      baseFeePerGas: number('baseFeePerGas'),
      mixHash: header.mixHash ?? '0x0',
      difficulty: number('difficulty') ?? 0n,
      excessBlobGas: number('excessBlobGas'),
      parentBeaconBlockRoot: header.parentBeaconBlockRoot,
      ommersHash: header.sha3Uncles,
      gasUsed: number('gasUsed') ?? 0n,
      receiptsRoot: header.receiptsRoot ?? '0x',
      stateRoot: header.stateRoot ?? '0x',
      logsBloom: header.logsBloom,
      extraData: header.extraData,
    },
    transactions: transactions.map(parseTransaction),
    withdrawals: withdrawals.map(({ address, amountGwei }) => ({ address, amountGwei: BigInt(amountGwei) })),
    ommers: ommers.map(({ coinbase, number }) => ({ coinbase, number: BigInt(number) })),
  }
}

function parseTransaction({ type, from, request, deposit, l1Fee = '0x0' }: FileTransaction): BlockTransaction {
  if (request) return { type, request: parseRequest(request), l1Fee: BigInt(l1Fee) }
  if (type !== DEPOSIT || !deposit) throw new RangeError(`a transaction of type ${type} without a request`)
  const { to, mint, value, data, gas } = deposit
  return {
    type: DEPOSIT,
    deposit: { from, to: to ?? undefined, mint: BigInt(mint), value: BigInt(value), data, gasLimit: BigInt(gas) },
  }
}

const AMOUNTS = [
  'value',
  'gasLimit',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'nonce',
  'maxFeePerBlobGas',
] as const

function parseRequest(request: FileRequest): TransactionRequest {
  const { authorizationList, ...plain } = request
  const given = Object.entries(plain).filter(([, value]) => value !== null && value !== undefined)
  const amounts = AMOUNTS.filter((name) => (request[name] ?? undefined) !== undefined).map((name) => [
    name,
    BigInt(request[name] as Hex),
  ])
  return {
    ...(Object.fromEntries([...given, ...amounts]) as TransactionRequest),
    ...(authorizationList && { authorizationList: authorizationList.map(parseAuthorization) }),
  }
}

function parseAuthorization(tuple: NonNullable<FileRequest['authorizationList']>[number]): Authorization {
  const { chainId, address, nonce, authority } = tuple
  return { chainId: BigInt(chainId), address, nonce: BigInt(nonce), authority: authority ?? undefined }
}

/** The file cannot be read, or is not of the format. */
export class BlockFileError extends BaseError {
  override readonly name = 'BlockFileError'
  constructor(path: string, cause: unknown) {
    super(`${path} is no block file`, {
      cause,
      details: cause instanceof Error ? cause.message : String(cause),
      docs: 'docs/real-chain.md',
    })
  }
}
