import type { Address, Hex } from '../hex.js'
import {
  type Parse,
  parseAddress,
  parseData,
  parseHash,
  parseList,
  parseObject,
  parseOptional,
  parseQuantity,
  RpcInvalidAnswerError,
} from './parse.js'

/** A log that is part of the chain. */
export interface LogEntry {
  address: Address
  topics: Hex[]
  data: Hex
  blockNumber: bigint
  blockHash: Hex
  transactionHash: Hex
  /** Place among all logs of the block. */
  logIndex: number
  /** Seconds since 1970; not every node tells. */
  timestamp: bigint | undefined
}

/** The account in an indexed word. */
export const addressOfTopic = (topic: Hex): Address => `0x${topic.slice(26)}`

export const parseLogEntry: Parse<LogEntry> = (value) => {
  const log = parseObject(value)
  if (log.removed === true) throw new RpcInvalidAnswerError('a log that was not removed', value)
  return {
    address: parseAddress(log.address),
    topics: parseList(log.topics, parseHash, MAX_TOPICS),
    data: parseData(log.data),
    blockNumber: parseQuantity(log.blockNumber),
    blockHash: parseHash(log.blockHash),
    transactionHash: parseHash(log.transactionHash),
    logIndex: Number(parseQuantity(log.logIndex)),
    timestamp: parseOptional(log.blockTimestamp, parseQuantity),
  }
}

/** LOG4 is the largest. */
const MAX_TOPICS = 4
