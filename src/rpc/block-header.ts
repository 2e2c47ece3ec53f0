import type { Address, Hex } from '../hex.js'
import { isHeaderProven } from './header-hash.js'
import { type Parse, parseAddress, parseHash, parseObject, parseOptional, parseQuantity } from './parse.js'

/**
 * What this project needs of a block. Fields that only some forks or chains have are `undefined`
 * elsewhere.
 */
export interface BlockHeader {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** Seconds since 1970. */
  timestamp: bigint
  miner: Address
  gasLimit: bigint
  baseFeePerGas: bigint | undefined
  mixHash: Hex | undefined
  excessBlobGas: bigint | undefined
  /** EIP-7843. */
  slotNumber?: bigint | undefined
  /** Arbitrum: the height of L1 as NUMBER answers it. */
  l1BlockNumber: bigint | undefined
  /** The fields hash to `hash`, so that none of them was changed on the way. */
  isProven: boolean
}

export const parseBlockHeader: Parse<BlockHeader> = (value) => {
  const block = parseObject(value)
  return {
    number: parseQuantity(block.number),
    hash: parseHash(block.hash),
    parentHash: parseHash(block.parentHash),
    timestamp: parseQuantity(block.timestamp),
    miner: parseAddress(block.miner),
    gasLimit: parseQuantity(block.gasLimit),
    baseFeePerGas: parseOptional(block.baseFeePerGas, parseQuantity),
    mixHash: parseOptional(block.mixHash, parseHash),
    excessBlobGas: parseOptional(block.excessBlobGas, parseQuantity),
    l1BlockNumber: parseOptional(block.l1BlockNumber, parseQuantityOrInteger),
    ...(block.slotNumber !== undefined && { slotNumber: parseOptional(block.slotNumber, parseQuantity) }),
    isProven: isHeaderProven(value),
  }
}

/** anvil writes this one field as a JSON number where it plays Arbitrum. */
const parseQuantityOrInteger: Parse<bigint> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : parseQuantity(value)
