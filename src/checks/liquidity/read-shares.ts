import type { Chain } from '../../chains/chain.js'
import { POSITION_MINT_TOPIC } from '../../dex/pool-creations.js'
import { type Address, type Hex, toQuantity, ZERO_ADDRESS } from '../../hex.js'
import type { RpcBudget } from '../../rpc/budget.js'
import { addressOfTopic, type LogEntry, parseLogEntry } from '../../rpc/log-entry.js'
import { getBlock } from '../../rpc/methods.js'
import { parseList } from '../../rpc/parse.js'
import { createLogReader, type LogReader } from '../../rpc/read-logs.js'
import type { RpcClient, RpcOptions } from '../../rpc/rpc-client.js'
import type { PinnedBlock } from '../../state/state-source.js'
import { TRANSFER_TOPIC } from '../history/transfer-log.js'

export interface SharesQuery {
  chain: Chain
  pool: Address
  head: PinnedBlock
  signal?: AbortSignal
}

/** An account that was given LP tokens, and the giver. */
export interface ShareTransfer {
  from: Address
  to: Address
  /** LP tokens, in base units. */
  amount: bigint
}

/** A position that was once made in the pool. */
export interface PositionMint {
  /**
   * The accounts in the books of the pool: a contract that makes positions, or an account that made
   * one directly.
   */
  owner: Address
  tickLower: number
  tickUpper: number
  /** Numbers of the positions that `owner` made or enlarged in the same transactions. */
  tokenIds: readonly bigint[]
}

export interface PoolShares {
  transfers: readonly ShareTransfer[]
  positions: readonly PositionMint[]
  /** The whole life of the pool was read. */
  isWhole: boolean
  /** When liquidity came in first; absent where the reading does not go back so far. */
  since?: Since | undefined
}

/** A block, and its time in seconds where the node tells. */
export interface Since {
  block: bigint
  timestamp: bigint | undefined
}

/** Reads who was ever given a share of a pool. Rejects when nothing can be read. */
export type ReadShares = (query: SharesQuery) => Promise<PoolShares>

/**
 * `IncreaseLiquidity(uint256 indexed tokenId, uint128, uint256, uint256)` (Uniswap V3's
 * NonfungiblePositionManager)
 */
export const INCREASE_TOPIC: Hex = '0x3067048beee31b25b2f1681f88dac838c8bba36af25bfb2b7cf7473a5847e35f'

/** LP tokens move seldom; a pool with more of this belongs to the public. */
const BOUNDS = { maxHttpRequests: 4, maxLogs: 2_000, maxMs: 2_500 }
/**
 * Blocks in which positions were made, the newest first, whose numbers are looked up in one
 * request.
 */
const MAX_MINT_BLOCKS = 24
const MAX_LOGS_PER_BLOCK = 1_000

export function createReadShares(rpcOf: (chain: Chain) => RpcClient): ReadShares {
  const readers = new Map<number, LogReader>()
  return async ({ chain, pool, head, signal }) => {
    const rpc = rpcOf(chain)
    const budget = rpc.createBudget(signal ? { signal } : {})
    const reader = readers.get(chain.id) ?? createLogReader({ rpc })
    readers.set(chain.id, reader)
    const query = {
      address: pool,
      suspect: pool,
      topics: [[TRANSFER_TOPIC, POSITION_MINT_TOPIC]],
      fromBlock: 0n,
      toBlock: head.number,
    }
    const scan = await reader.read(query, { budget, bounds: BOUNDS })
    const mints = scan.logs.filter(({ topics }) => topics[0] === POSITION_MINT_TOPIC)
    const isRead = scan.truncated === undefined && scan.coveredFrom === 0n
    const [{ positions, isWhole }, since] = await Promise.all([
      readPositions(rpc, { suspect: pool, budget }, mints),
      isRead ? tellSince(rpc, budget, scan.logs.at(-1)) : undefined,
    ])
    return { transfers: scan.logs.flatMap(toShareTransfer), positions, isWhole: isWhole && isRead, since }
  }
}

/** The time is asked for only where the logs do not have it. */
async function tellSince(rpc: RpcClient, budget: RpcBudget, first: LogEntry | undefined): Promise<Since | undefined> {
  if (first === undefined) return undefined
  const { blockNumber: block, timestamp } = first
  if (timestamp !== undefined) return { block, timestamp }
  const header = await rpc.call(getBlock(toQuantity(block)), { suspect: 'chain', budget }).catch(() => undefined)
  return { block, timestamp: header?.timestamp }
}

function toShareTransfer({ topics, data }: LogEntry): ShareTransfer[] {
  const [topic, from, to] = topics
  if (topic !== TRANSFER_TOPIC || from === undefined || to === undefined) return []
  return [{ from: addressOfTopic(from), to: addressOfTopic(to), amount: data.length === 66 ? BigInt(data) : 0n }]
}

/** int24 in a word. */
const tickOf = (topic: Hex): number => Number(BigInt.asIntN(24, BigInt(topic)))

async function readPositions(
  rpc: RpcClient,
  options: RpcOptions,
  mints: readonly LogEntry[],
): Promise<{ positions: PositionMint[]; isWhole: boolean }> {
  const made = mints.flatMap(({ topics, blockNumber, transactionHash }) => {
    const [, owner, lower, upper] = topics
    if (owner === undefined || lower === undefined || upper === undefined) return []
    const place = { owner: addressOfTopic(owner), tickLower: tickOf(lower), tickUpper: tickOf(upper) }
    return [{ ...place, blockNumber, transactionHash }]
  })
  const asked = new Map(made.map((mint) => [`${mint.owner}:${mint.blockNumber}`, mint]))
  const places = [...asked.values()].filter(({ owner }) => owner !== ZERO_ADDRESS).slice(0, MAX_MINT_BLOCKS)
  const numbers = places.length === 0 ? [] : await rpc.batch(places.map(getIncreases), options)
  const found = numbers.flatMap((outcome) => (outcome.ok ? outcome.value : []))
  const tokenIdsOf = ({ owner, transactionHash }: (typeof made)[number]) =>
    found
      .filter((log) => log.address === owner && log.transactionHash === transactionHash)
      .flatMap(({ topics }) => (topics[1] === undefined ? [] : [BigInt(topics[1])]))
  const positions = new Map<string, PositionMint>()
  for (const mint of made) {
    const { owner, tickLower, tickUpper } = mint
    const key = `${owner}:${tickLower}:${tickUpper}`
    const tokenIds = [...new Set([...(positions.get(key)?.tokenIds ?? []), ...tokenIdsOf(mint)])]
    positions.set(key, { owner, tickLower, tickUpper, tokenIds })
  }
  return { positions: [...positions.values()], isWhole: asked.size <= places.length && numbers.every(({ ok }) => ok) }
}

function getIncreases({ owner, blockNumber }: { owner: Address; blockNumber: bigint }) {
  const block = toQuantity(blockNumber)
  return {
    method: 'eth_getLogs',
    params: [{ address: owner, topics: [INCREASE_TOPIC], fromBlock: block, toBlock: block }],
    parse: (value: unknown) => parseList(value, parseLogEntry, MAX_LOGS_PER_BLOCK),
    optional: true,
  }
}
