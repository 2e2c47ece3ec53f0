import { getContractAddress } from 'viem'
import type { Chain } from '../../chains/chain.js'
import { type Address, type Hex, toPaddedHex, toQuantity } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import type { RpcBudget } from '../../rpc/budget.js'
import type { LogEntry } from '../../rpc/log-entry.js'
import { getBlock, getCode, getTransaction } from '../../rpc/methods.js'
import { createLogReader, type LogReader } from '../../rpc/read-logs.js'
import type { RpcClient } from '../../rpc/rpc-client.js'
import { createByteLru } from '../../scheduling/lru.js'
import type { PinnedBlock } from '../../state/state-source.js'
import { TRANSFER_TOPIC } from '../history/transfer-log.js'
import type { OriginReport } from './token-origin.js'

export interface OriginQuery {
  chain: Chain
  token: Address
  head: Pick<PinnedBlock, 'number'>
  signal?: AbortSignal
}

/** Finds out who made a token, and when. Rejects when no node answers. */
export type ReadOrigin = (query: OriginQuery) => Promise<OriginReport>

/**
 * `OwnershipTransferred(address indexed previousOwner, address indexed newOwner)`
 * (OpenZeppelin's Ownable)
 */
const OWNERSHIP_TOPIC = keccak256(Buffer.from('OwnershipTransferred(address,address)'))
/** Both name the zero address as the one before: a mint, and the first owner. */
const FROM_NONE = toPaddedHex(0n, 32)

/** A token that mints all the time is not read to its beginning. */
const BOUNDS = { maxHttpRequests: 1, maxLogs: 400, maxMs: 2_000 }
/** Blocks that no chain here takes back. */
const SETTLED_BLOCKS = 256n
const MAX_KNOWN_BYTES = 4 * 1024 * 1024
/** Of one origin with its key, generously. */
const ORIGIN_BYTES = 400

/** A report with the block that it rests on: while that is young, the chain may take it back. */
interface Known {
  report: OriginReport
  block: bigint
  blockHash: Hex
}

/**
 * Looks for the token's first mint or first owner, which its constructor logs, and for the
 * transaction that this happened in: two requests, one at the next block, none once it is settled.
 */
export function createReadOrigin(rpcOf: (chain: Chain) => RpcClient): ReadOrigin {
  const readers = new Map<number, LogReader>()
  const known = createByteLru<Known>({ maxBytes: MAX_KNOWN_BYTES, sizeOf: () => ORIGIN_BYTES })
  return async ({ chain, token, head, signal }) => {
    const key = `${chain.id}:${token}`
    const before = known.get(key)
    // A replay of a block before the token was made finds it young, and asks.
    if (before && before.block + SETTLED_BLOCKS <= head.number) return before.report
    const rpc = rpcOf(chain)
    const reader = readers.get(chain.id) ?? createLogReader({ rpc })
    readers.set(chain.id, reader)
    const budget = rpc.createBudget(signal ? { signal } : {})
    const topics = [[TRANSFER_TOPIC, OWNERSHIP_TOPIC], FROM_NONE]
    const query = { address: token, suspect: token, topics, fromBlock: 0n, toBlock: head.number }
    const scan = await reader.read(query, { budget, bounds: BOUNDS })
    if (scan.truncated !== undefined || scan.coveredFrom !== 0n) return { unknown: NOT_SEARCHED }
    const first = scan.logs.at(-1)
    if (first === undefined) return { unknown: NO_TRACE }
    if (first.blockHash === before?.blockHash) return before.report
    const report = await judgeFirst(rpc, { token, first, budget })
    known.set(key, { report, block: first.blockNumber, blockHash: first.blockHash })
    return report
  }
}

/** What the transaction of the first log tells, and whether the token was there before it. */
async function judgeFirst(
  rpc: RpcClient,
  { token, first, budget }: { token: Address; first: LogEntry; budget: RpcBudget },
): Promise<OriginReport> {
  const { blockNumber: block, transactionHash } = first
  if (block === 0n) return { unknown: OLDER }
  const [sent, codeBefore, header] = await rpc.batch(
    [
      { ...getTransaction(transactionHash), optional: true },
      { ...getCode(token, toQuantity(block - 1n)), optional: true },
      { ...getBlock(toQuantity(block)), optional: true },
    ],
    // Its creator chose how long its transaction is.
    { suspect: token, budget },
  )
  if (!sent.ok || sent.value === undefined) return { unknown: NO_TRANSACTION }
  const { from: creator, to: through, nonce } = sent.value
  const isProven = through === undefined && createdBy(creator, nonce) === token
  if (!isProven && !codeBefore.ok) return { unknown: NO_STATE }
  if (!isProven && codeBefore.ok && codeBefore.value !== '0x') return { unknown: OLDER }
  const timestamp = first.timestamp ?? (header.ok ? header.value?.timestamp : undefined)
  return { known: { creator, through, isProven, block, timestamp } }
}

const NOT_SEARCHED = 'the node does not search so far back, or the token mints too often'
const NO_TRACE = 'it logged neither a first mint nor a first owner'
const NO_TRANSACTION = 'the node does not have the transaction of its first mint'
const OLDER = 'it is older than its first mint'
const NO_STATE = 'the node keeps no state of the time before its first mint'

/** The address of what an account's transaction of that number makes. */
const createdBy = (from: Address, nonce: bigint): Hex => getContractAddress({ from, nonce }).toLowerCase() as Hex
