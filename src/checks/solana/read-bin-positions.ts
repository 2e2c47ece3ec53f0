import type { SolanaAddress } from '../../solana/address.js'
import {
  amountInBins,
  arrayOf,
  BIN_POSITION,
  type BinPosition,
  binArrayAddress,
  binPositionOwner,
  readBinPosition,
  readBins,
} from '../../solana/pools/bin-positions.js'
import type { Pool } from '../../solana/pools/pool.js'
import { getProgramAccounts } from '../../solana/rpc/solana-methods.js'
import {
  distinct,
  isAccountedFor,
  isLostTo,
  NOT_KNOWN,
  type Paying,
  type PositionsContext,
  type PositionsFound,
} from './read-positions.js'
import type { PositionReport } from './solana-report.js'

/**
 * Who can take out what a pool of bins pays sellers with. A node lists the positions with their
 * owners; those that may count as locked are read first, and what no position that was read
 * accounts for counts as free to be taken, orders at a price among it.
 */
export async function readBinPositions(
  { rpc, state, budget }: PositionsContext,
  pool: Pool,
  { side, reserve }: Paying,
): Promise<PositionsFound> {
  const request = getProgramAccounts({
    program: pool.program,
    names: [{ offset: BIN_POSITION.poolAt, address: pool.address }],
    prefixBytes: BIN_POSITION.headBytes,
    limit: MAX_POSITIONS,
  })
  const [listed] = await rpc
    .batch([{ ...request, optional: true }], { suspect: pool.address, budget })
    .catch(() => [undefined])
  if (!listed?.ok || reserve === 0n) return NOT_KNOWN
  const owned = distinct(listed.value).flatMap(({ address, account }) => {
    const owner = binPositionOwner(pool, account)
    return owner === undefined ? [] : [{ address, isLost: isLostTo(owner) }]
  })
  const named = owned.sort((a, b) => Number(b.isLost) - Number(a.isLost)).slice(0, MAX_LOOKED_AT)
  await state.load(named.map(({ address }) => address))
  const positions = named.flatMap(({ address }) => readBinPosition(pool, address, state.accounts.get(address)) ?? [])
  const arrays = arraysOf(pool, positions)
  await state.load([...arrays.values()])
  const bins = new Map([...arrays].map(([index, at]) => [index, readBins(pool, state.accounts.get(at), side)]))
  const amounts = positions.map((position) => amountInBins(position, (index) => bins.get(index)))
  const reports = positions.map((position, i): PositionReport => {
    const amount = amounts[i] ?? 0n
    const shareBps = Math.min(FULL_BPS, Number((amount * BigInt(FULL_BPS)) / reserve))
    const hold = position.isLocked || isLostTo(position.owner) ? 'locked' : 'free'
    return { address: position.address, owner: position.owner, shareBps, hold }
  })
  const locked = reports.reduce((sum, { hold, shareBps }) => sum + (hold === 'locked' ? shareBps : 0), 0)
  const largest = reports.sort((a, b) => b.shareBps - a.shareBps).slice(0, MAX_REPORTED)
  const accounted = amounts.reduce((sum, amount) => sum + amount, 0n)
  // Of many positions not all are read, and those that are need not hold much.
  const isTold = owned.length > named.length || isAccountedFor(reserve, Number(accounted))
  return { positions: largest, lockedBps: isTold ? Math.min(FULL_BPS, locked) : undefined }
}

/** The accounts of the bins that positions have shares in. */
function arraysOf(pool: Pool, positions: readonly BinPosition[]): Map<number, SolanaAddress> {
  const arrays = new Map<number, SolanaAddress>()
  for (const { lowerBin, shares } of positions) {
    for (const [i, share] of shares.entries()) {
      const index = arrayOf(lowerBin + i)
      if (share === 0n || arrays.has(index) || arrays.size >= MAX_ARRAYS) continue
      const at = binArrayAddress(pool, index)
      if (at !== undefined) arrays.set(index, at)
    }
  }
  return arrays
}

const FULL_BPS = 10_000
/** Of the largest pools; an answer of a megabyte. */
const MAX_POSITIONS = 5_000
/** Eight kilobytes each; a launch makes one or two. */
const MAX_LOOKED_AT = 16
/** Ten kilobytes each; a position of the usual width lies in two. */
const MAX_ARRAYS = 16
const MAX_REPORTED = 8
