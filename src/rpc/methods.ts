import type { Address, Hex } from '../hex.js'
import { toPaddedHex } from '../hex.js'
import { type BlockHeader, parseBlockHeader } from './block-header.js'
import {
  parseAddress,
  parseData,
  parseHash,
  parseList,
  parseObject,
  parseOptional,
  parseQuantity,
  RpcInvalidAnswerError,
} from './parse.js'
import type { RpcRequest } from './request.js'

/** A block as a parameter: a tag, a quantity, or a hash in the manner of EIP-1898. */
export type BlockParameter = 'latest' | Hex | { blockHash: Hex }

export interface CallObject {
  from?: Address
  /** Absent: the data is init code, and the answer what it returns. */
  to?: Address
  data?: Hex
  value?: Hex
  gas?: Hex
  gasPrice?: Hex
}

/** `stateDiff` changes single slots; `state` would wipe all others, so it is not used here. */
export type StateOverrides = Record<Address, { code?: Hex; balance?: Hex; nonce?: Hex; stateDiff?: Record<Hex, Hex> }>

export interface BlockOverrides {
  number?: Hex
  /** The key is `time`, not `timestamp`. */
  time?: Hex
}

export const getChainId = (): RpcRequest<bigint> => ({ method: 'eth_chainId', params: [], parse: parseQuantity })

export const getBlock = (block: 'latest' | Hex): RpcRequest<BlockHeader | undefined> => ({
  method: 'eth_getBlockByNumber',
  params: [block, false],
  parse: (value) => (value === null ? undefined : parseBlockHeader(value)),
})

export const getBlockByHash = (hash: Hex): RpcRequest<BlockHeader | undefined> => ({
  method: 'eth_getBlockByHash',
  params: [hash, false],
  parse: (value) => (value === null ? undefined : parseBlockHeader(value)),
})

export const getBalance = (address: Address, block: BlockParameter): RpcRequest<bigint> => ({
  method: 'eth_getBalance',
  params: [address, block],
  parse: parseQuantity,
})

export const getTransactionCount = (address: Address, block: BlockParameter): RpcRequest<bigint> => ({
  method: 'eth_getTransactionCount',
  params: [address, block],
  parse: parseQuantity,
})

export const getCode = (address: Address, block: BlockParameter): RpcRequest<Hex> => ({
  method: 'eth_getCode',
  params: [address, block],
  parse: (value) => {
    const code = parseData(value)
    if (code.length > 2 + 2 * MAX_CODE_BYTES) throw new RpcInvalidAnswerError('code that a chain allows', value)
    return code
  },
})

/**
 * EIP-170 allows 24,576 bytes, plans go up to 64 KiB, and no chain of ours allows more than this.
 */
const MAX_CODE_BYTES = 131_072

export const getStorageAt = (address: Address, slot: bigint, block: BlockParameter): RpcRequest<bigint> => ({
  method: 'eth_getStorageAt',
  params: [address, toPaddedHex(slot, 32), block],
  parse: (value) => BigInt(parseHash(value)),
})

/** Many slots of many accounts in one call (execution-apis #756). */
export const getStorageValues = (
  slots: ReadonlyMap<Address, readonly bigint[]>,
  block: BlockParameter,
): RpcRequest<Map<Address, bigint[]>> => ({
  method: 'eth_getStorageValues',
  params: [
    Object.fromEntries([...slots].map(([address, keys]) => [address, keys.map((slot) => toPaddedHex(slot, 32))])),
    block,
  ],
  parse: (value) => {
    const answer = parseObject(value)
    return new Map(
      [...slots].map(([address, keys]) => {
        const values = parseList(answer[address], parseHash, keys.length)
        if (values.length !== keys.length) throw new RpcInvalidAnswerError(`${keys.length} values`, values)
        return [address, values.map(BigInt)]
      }),
    )
  },
})

export const ethCall = (
  call: CallObject,
  block: BlockParameter,
  overrides?: StateOverrides,
  blockOverrides?: BlockOverrides,
): RpcRequest<Hex> => ({
  method: 'eth_call',
  params: [call, block, ...(overrides ? [overrides] : []), ...(blockOverrides ? [blockOverrides] : [])],
  parse: parseData,
})

/** Who sent a transaction, to which contract, and as their how-manieth. */
export interface SentBy {
  from: Address
  /** Absent where the transaction made a contract. */
  to: Address | undefined
  nonce: bigint
}

/** `undefined` where the node does not have it. */
export const getTransaction = (hash: Hex): RpcRequest<SentBy | undefined> => ({
  method: 'eth_getTransactionByHash',
  params: [hash],
  parse(value) {
    if (value === null) return undefined
    const { hash: told, from, to, nonce } = parseObject(value)
    if (parseHash(told) !== hash) throw new RpcInvalidAnswerError('the transaction that was asked for', told)
    return { from: parseAddress(from), to: parseOptional(to, parseAddress), nonce: parseQuantity(nonce) }
  },
})
