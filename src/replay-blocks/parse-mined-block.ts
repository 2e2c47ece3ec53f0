import type { Chain } from '../chains/chain.js'
import { recoverAuthority } from '../evm/recover-authority.js'
import type { AccessListEntry, Authorization, TransactionRequest } from '../evm/transaction.js'
import type { Hex } from '../hex.js'
import { isHeaderProven } from '../rpc/header-hash.js'
import {
  parseAddress,
  parseData,
  parseHash,
  parseList,
  parseObject,
  parseOptional,
  parseQuantity,
  RpcInvalidAnswerError,
} from '../rpc/parse.js'
import type { RpcRequest } from '../rpc/request.js'
import { type BlockTransaction, DEPOSIT, type Header } from './mined-block.js'

/** A block as a node tells it; `l1Fee` of its transactions is in the receipts. */
export interface NodeBlock {
  header: Header
  transactions: BlockTransaction[]
  withdrawals: { address: Hex; amountGwei: bigint }[]
  ommers: number
}

export const getMinedBlock = (chain: Chain, block: Hex): RpcRequest<NodeBlock | undefined> => ({
  method: 'eth_getBlockByNumber',
  params: [block, true],
  parse: (value) => (value === null ? undefined : parseMinedBlock(chain, value)),
})

/** What each transaction of the OP Stack paid for L1 by its receipt, in wei. */
export const getL1Fees = (block: Hex): RpcRequest<bigint[]> => ({
  method: 'eth_getBlockReceipts',
  params: [block],
  parse: (value) =>
    parseList(value, (each) => parseOptional(parseObject(each).l1Fee, parseQuantity) ?? 0n, MAX_TRANSACTIONS),
})

export const getOmmer = (block: Hex, index: Hex): RpcRequest<{ coinbase: Hex; number: bigint }> => ({
  method: 'eth_getUncleByBlockNumberAndIndex',
  params: [block, index],
  parse(value) {
    const { miner, number } = parseObject(value)
    return { coinbase: parseAddress(miner), number: parseQuantity(number) }
  },
})

/** 21,000 gas each in a block of 400 million, which no chain of ours has. */
const MAX_TRANSACTIONS = 20_000
const MAX_WITHDRAWALS = 1_024
const MAX_OMMERS = 2
const MAX_LIST = 100_000

function parseMinedBlock(chain: Chain, value: unknown): NodeBlock {
  const block = parseObject(value)
  // Every field that decides on a replay is in the header, and the header is what its hash says.
  if (!isHeaderProven(block)) throw new RpcInvalidAnswerError('a block that has its hash', block)
  return {
    header: parseHeader(block),
    transactions: parseList(block.transactions, (each) => parseTransaction(chain, each), MAX_TRANSACTIONS),
    withdrawals: parseList(block.withdrawals ?? [], parseWithdrawal, MAX_WITHDRAWALS),
    ommers: parseList(block.uncles ?? [], parseHash, MAX_OMMERS).length,
  }
}

function parseHeader(block: Record<string, unknown>): Header {
  return {
    number: parseQuantity(block.number),
    timestamp: parseQuantity(block.timestamp),
    parentHash: parseHash(block.parentHash),
    coinbase: parseAddress(block.miner),
    gasLimit: parseQuantity(block.gasLimit),
    baseFeePerGas: parseOptional(block.baseFeePerGas, parseQuantity),
    mixHash: parseHash(block.mixHash),
    difficulty: parseQuantity(block.difficulty),
    excessBlobGas: parseOptional(block.excessBlobGas, parseQuantity),
    parentBeaconBlockRoot: parseOptional(block.parentBeaconBlockRoot, parseHash),
    ommersHash: parseHash(block.sha3Uncles),
    gasUsed: parseQuantity(block.gasUsed),
    receiptsRoot: parseHash(block.receiptsRoot),
    stateRoot: parseHash(block.stateRoot),
    logsBloom: parseData(block.logsBloom),
    extraData: parseData(block.extraData),
  }
}

function parseWithdrawal(value: unknown) {
  const { address, amount } = parseObject(value)
  return { address: parseAddress(address), amountGwei: parseQuantity(amount) }
}

function parseTransaction(chain: Chain, value: unknown): BlockTransaction {
  const tx = parseObject(value)
  const type = Number(parseOptional(tx.type, parseQuantity) ?? 0n)
  const common = {
    from: parseAddress(tx.from),
    value: parseQuantity(tx.value),
    data: parseData(tx.input),
    gasLimit: parseQuantity(tx.gas),
  }
  const to = parseOptional(tx.to, parseAddress)
  if (type === DEPOSIT && chain.stack === 'op')
    return { type, deposit: { ...common, to, mint: parseOptional(tx.mint, parseQuantity) ?? 0n } }
  if (type > NEWEST_TYPE) throw new RpcInvalidAnswerError('a transaction of a known type', tx.type)
  const nonce = parseQuantity(tx.nonce)
  return { type, request: { ...common, ...(to && { to }), nonce, ...parseKind(type, tx) }, l1Fee: 0n }
}

/** EIP-7702. */
const NEWEST_TYPE = 4

/** What the kinds of transactions have of their own (EIP-2930, EIP-1559, EIP-4844, EIP-7702). */
function parseKind(type: number, tx: Record<string, unknown>): Partial<TransactionRequest> {
  if (type === 0) return { gasPrice: parseQuantity(tx.gasPrice) }
  const accessList = parseList(tx.accessList ?? [], parseAccess, MAX_LIST)
  if (type === 1) return { gasPrice: parseQuantity(tx.gasPrice), accessList }
  const maxFeePerGas = parseQuantity(tx.maxFeePerGas)
  const fees = { maxFeePerGas, maxPriorityFeePerGas: parseQuantity(tx.maxPriorityFeePerGas), accessList }
  if (type === 2) return fees
  if (type === NEWEST_TYPE)
    return { ...fees, authorizationList: parseList(tx.authorizationList, parseAuthorization, MAX_LIST) }
  const maxFeePerBlobGas = parseQuantity(tx.maxFeePerBlobGas)
  return { ...fees, maxFeePerBlobGas, blobVersionedHashes: parseList(tx.blobVersionedHashes, parseHash, MAX_LIST) }
}

function parseAccess(value: unknown): AccessListEntry {
  const { address, storageKeys } = parseObject(value)
  return { address: parseAddress(address), storageKeys: parseList(storageKeys, parseHash, MAX_LIST) }
}

function parseAuthorization(value: unknown): Authorization {
  const tuple = parseObject(value)
  const chainId = parseQuantity(tuple.chainId)
  const address = parseAddress(tuple.address)
  const nonce = parseQuantity(tuple.nonce)
  const signature = {
    yParity: parseQuantity(tuple.yParity ?? tuple.v),
    r: parseQuantity(tuple.r),
    s: parseQuantity(tuple.s),
  }
  return { chainId, address, nonce, authority: recoverAuthority({ chainId, address, nonce, ...signature }) }
}
