import type { RpcBudget } from '../../rpc/budget.js'
import type { SolanaAccount } from '../../solana/account.js'
import type { SolanaAddress } from '../../solana/address.js'
import type { SolanaState } from '../../solana/chain-state.js'
import type { Pool } from '../../solana/pools/pool.js'
import {
  amountHeld,
  areAllAtPrice,
  isLockOf,
  LOCKERS,
  POSITION_LAYOUTS,
  type Position,
  type PositionLayout,
  readPosition,
} from '../../solana/pools/positions.js'
import { INCINERATOR, SYSTEM_PROGRAM } from '../../solana/programs.js'
import { getProgramAccounts, getTokenLargestAccounts } from '../../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../../solana/rpc/solana-rpc-client.js'
import { parseMint } from '../../solana/token/mint.js'
import { parseTokenAccount } from '../../solana/token/token-account.js'
import type { PositionReport } from './solana-report.js'

export interface PositionsContext {
  rpc: SolanaRpc
  state: SolanaState
  budget: RpcBudget
}

/** The side of a pool that sellers are paid from, and what is in it. */
export interface Paying {
  side: 0 | 1
  reserve: bigint
}

export interface PositionsFound {
  /** Those that hold most of what sellers are paid from, the largest first. */
  positions: PositionReport[]
  /** Share of it that cannot be taken out; `undefined` when no node would say. */
  lockedBps: number | undefined
}

/**
 * Who can take out what a concentrated pool pays sellers with. What no position that was looked at
 * accounts for counts as free to be taken.
 */
export async function readPositions(context: PositionsContext, pool: Pool, paying: Paying): Promise<PositionsFound> {
  const { rpc, state, budget } = context
  const layout = POSITION_LAYOUTS.get(pool.venue)
  const sqrtPrice = pool.liquidity.kind === 'positions' ? pool.liquidity.sqrtPrice : undefined
  if (layout === undefined || sqrtPrice === undefined || paying.reserve === 0n) return NOT_KNOWN
  const request = getProgramAccounts({
    program: pool.program,
    names: [{ offset: layout.poolAt, address: pool.address }],
    bytes: layout.bytes,
    prefixBytes: layout.headBytes,
    limit: MAX_POSITIONS,
  })
  const [listed] = await rpc
    .batch([{ ...request, optional: true }], { suspect: pool.address, budget })
    .catch(() => [undefined])
  if (!listed?.ok) return NOT_KNOWN
  const worth = (position: Position) => amountHeld(position, paying.side, sqrtPrice)
  const all = distinct(listed.value).flatMap(
    ({ address, account }) => readPosition(layout, pool, address, account) ?? [],
  )
  const accounted = all.reduce((sum, position) => sum + worth(position), 0)
  const named = all.sort((a, b) => worth(b) - worth(a)).slice(0, MAX_LOOKED_AT)
  const lockOf = ({ address }: Position) => layout.lockOf?.(address, pool.program)
  await state.load(named.flatMap((each) => [each.address, each.nft, lockOf(each)].filter((at) => at !== undefined)))
  // The node's own word for what they hold is not taken over: it is read with everything else.
  const positions = named.flatMap(
    ({ address }) => readPosition(layout, pool, address, state.accounts.get(address)) ?? [],
  )
  const owners = await readOwners(context, positions)
  const reports = positions.map((position): PositionReport => {
    const owner = owners.get(position.nft)
    const shareBps = Math.min(FULL_BPS, Math.floor((worth(position) * FULL_BPS) / Number(paying.reserve)))
    return { address: position.address, owner, shareBps, hold: holdOf(state, pool, layout, position, owner) }
  })
  const locked = reports.reduce((sum, { hold, shareBps }) => sum + (hold === 'locked' ? shareBps : 0), 0)
  const unknown = reports.reduce((sum, { hold, shareBps }) => sum + (hold === 'unknown' ? shareBps : 0), 0)
  const isWhole = isAccountedFor(paying.reserve, accounted) && areAllAtPrice(all, pool)
  const isRead = positions.length === named.length
  const isTold = unknown <= FEW_BPS && isWhole && isRead
  return { positions: reports, lockedBps: isTold ? Math.min(FULL_BPS, locked) : undefined }
}

function holdOf(
  { accounts }: SolanaState,
  { program }: Pool,
  layout: PositionLayout,
  { address, nft }: Position,
  owner: SolanaAddress | undefined,
): PositionReport['hold'] {
  const lock = layout.lockOf?.(address, program)
  if (lock !== undefined && isLockOf(program, address, accounts.get(lock))) return 'locked'
  // What stood for it was burnt, and no other can be made.
  if (parseMint(nft, accounts.get(nft))?.supply === 0n) return 'locked'
  if (owner === undefined) return 'unknown'
  return isLostTo(owner) ? 'locked' : 'free'
}

/**
 * Whether the positions that a node lists can be all there are: what lies in a pool belongs to
 * some, but for fees that were not collected yet. A node that leaves positions out has said
 * nothing of who holds them.
 */
export const isAccountedFor = (reserve: bigint, inPositions: number) => inPositions * 2 >= Number(reserve)

/** Each account once, however often a node lists it. */
export const distinct = <T extends { address: SolanaAddress }>(listed: readonly T[]): T[] => [
  ...new Map(listed.map((each) => [each.address, each])).values(),
]

/**
 * How much of a token lies where it stays, in the accounts that a node lists: those of other tokens
 * do not count, nor one that is listed again.
 */
export const lostOf = (
  mint: SolanaAddress,
  listed: readonly { address: SolanaAddress }[],
  accounts: { get(address: SolanaAddress): SolanaAccount | undefined },
): bigint =>
  distinct(listed).reduce((sum, { address }) => {
    const held = parseTokenAccount(address, accounts.get(address))
    return held?.mint === mint && isLostTo(held.owner) ? sum + held.amount : sum
  }, 0n)

/** Whether what this address owns stays where it is. */
export const isLostTo = (owner: SolanaAddress) =>
  owner === INCINERATOR || owner === SYSTEM_PROGRAM || LOCKERS.has(owner)

/** By the token that stands for a position: of each there is one, in one account. */
async function readOwners(
  { rpc, state, budget }: PositionsContext,
  positions: readonly Position[],
): Promise<ReadonlyMap<SolanaAddress, SolanaAddress>> {
  const owners = new Map<SolanaAddress, SolanaAddress>()
  const [first] = positions
  if (first === undefined) return owners
  const nfts = [...new Set(positions.map(({ nft }) => nft))]
  const requests = nfts.map((nft) => ({ ...getTokenLargestAccounts(nft), optional: true }))
  const outcomes = await rpc.batch(requests, { suspect: first.pool, budget }).catch(() => [])
  const holders = outcomes.map((outcome) => (outcome.ok ? outcome.value.value[0]?.address : undefined))
  await state.load(holders.filter((holder) => holder !== undefined))
  for (const [i, nft] of nfts.entries()) {
    const holder = holders[i]
    const holding = holder && parseTokenAccount(holder, state.accounts.get(holder))
    if (holding && holding.mint === nft && holding.amount > 0n) owners.set(nft, holding.owner)
  }
  return owners
}

export const NOT_KNOWN: PositionsFound = { positions: [], lockedBps: undefined }
const FULL_BPS = 10_000
/** Positions of unknown owners that hold less than this decide nothing. */
const FEW_BPS = 100
/** Of the largest pools of the cluster; an answer of two megabytes. */
const MAX_POSITIONS = 5_000
/** Who locks liquidity does it in one or two; each is a question to the node. */
const MAX_LOOKED_AT = 8
