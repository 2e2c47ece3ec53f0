import type { Hex } from '../../hex.js'
import { addressOfTopic } from '../../rpc/log-entry.js'
import type { TransferRecord } from './history-report.js'

/** `Transfer(address indexed from, address indexed to, uint256 value)` (EIP-20) */
export const TRANSFER_TOPIC: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** A `Transfer` event as the node gave it. */
export interface TransferLog {
  hash: Hex
  blockNumber: bigint
  logIndex: number
  topics: readonly Hex[]
  data: Hex
  /**
   * Seconds since 1970: the block's, or worked out from its neighbours' when the node does not say.
   */
  timestamp: number
}

/**
 * EIP-20 transfers have two indexed addresses and one word of data, NFT transfers (EIP-721) a third
 * indexed word. Anything else is none: an empty list.
 */
export function parseTransfer({ topics, data, ...log }: TransferLog): TransferRecord[] {
  const [topic, from, to, tokenId] = topics
  if (topic !== TRANSFER_TOPIC || from === undefined || to === undefined) return []
  const value = tokenId === undefined ? wordOf(data) : 1n
  return value === undefined ? [] : [{ ...log, from: addressOfTopic(from), to: addressOfTopic(to), value }]
}

export function newestFirst(a: TransferRecord, b: TransferRecord): number {
  return Number(b.blockNumber - a.blockNumber) || b.logIndex - a.logIndex
}

const wordOf = (data: Hex) => (data.length === 66 ? BigInt(data) : undefined)
