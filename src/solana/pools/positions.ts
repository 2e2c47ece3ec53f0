import { type SolanaAccount, viewOf } from '../account.js'
import { address, addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { findProgramAddress } from '../pda.js'
import type { Pool, VenueId } from './pool.js'

/** A part of a concentrated pool's liquidity, which the holder of its token can take out. */
export interface Position {
  address: SolanaAddress
  pool: SolanaAddress
  /** Of the one token that stands for it. */
  nft: SolanaAddress
  lowerTick: number
  upperTick: number
  liquidity: bigint
}

/** Where an exchange keeps what is needed of its positions. Offsets in bytes. */
export interface PositionLayout {
  bytes: number
  /** What lies before this says all that is needed. */
  headBytes: number
  poolAt: number
  nftAt: number
  ticksAt: number
  liquidityAt: number
  /** An account that says that a position is locked for ever, where the exchange knows such. */
  lockOf?(position: SolanaAddress, program: SolanaAddress): SolanaAddress | undefined
}

/**
 * As published: orca whirlpools `state/position.rs` and `state/lock_config.rs`, raydium-clmm
 * `states/personal_position.rs`. Meteora's DLMM spreads a position over bins: `bin-positions.ts`.
 */
export const POSITION_LAYOUTS: ReadonlyMap<VenueId, PositionLayout> = new Map<VenueId, PositionLayout>([
  [
    'orca-whirlpool',
    {
      bytes: 216,
      headBytes: 96,
      poolAt: 8,
      nftAt: 40,
      liquidityAt: 72,
      ticksAt: 88,
      lockOf: (position, program) => findProgramAddress(program, [LOCK_SEED, addressBytes(position)]),
    },
  ],
  ['raydium-clmm', { bytes: 281, headBytes: 97, nftAt: 9, poolAt: 41, ticksAt: 73, liquidityAt: 81 }],
])

const LOCK_SEED = new TextEncoder().encode('lock_config')
const LOCK_POSITION_AT = 8
const LOCK_KIND_AT = 112
const PERMANENT = 0

/**
 * Sign for what Raydium's "Burn & Earn" holds: shares of CPMM pools, and positions of CLMM pools.
 * It gives fees to who locked them, and never gives them back (docs.raydium.io, program addresses).
 */
export const LOCKERS: ReadonlySet<SolanaAddress> = new Set([
  address('3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH'),
  address('kN1kEznaF5Xbd8LYuqtEFcxzWSBk5Fv6ygX6SqEGJVy'),
])

/**
 * Reads a position from its account, or the head of one; `undefined` when it is none of the pool's.
 */
export function readPosition(
  layout: PositionLayout,
  pool: Pick<Pool, 'address' | 'program'>,
  at: SolanaAddress,
  account: SolanaAccount | undefined,
): Position | undefined {
  if (account?.owner !== pool.program || account.data.length < layout.headBytes) return undefined
  const { data } = account
  const view = viewOf(data)
  const low = view.getBigUint64(layout.liquidityAt, true)
  const high = view.getBigUint64(layout.liquidityAt + 8, true)
  const position = {
    address: at,
    pool: addressAt(data, layout.poolAt),
    nft: addressAt(data, layout.nftAt),
    lowerTick: view.getInt32(layout.ticksAt, true),
    upperTick: view.getInt32(layout.ticksAt + 4, true),
    liquidity: low + (high << 64n),
  }
  return position.pool === pool.address ? position : undefined
}

/** Whether the account where an exchange notes such says that a position stays for ever. */
export function isLockOf(program: SolanaAddress, position: SolanaAddress, account: SolanaAccount | undefined): boolean {
  if (account?.owner !== program || account.data.length <= LOCK_KIND_AT) return false
  return addressAt(account.data, LOCK_POSITION_AT) === position && account.data[LOCK_KIND_AT] === PERMANENT
}

/**
 * What a position would give back of one side of the pool, in base units: near enough for a share.
 * Liquidity alone would not do: in a narrow range much of it stands for next to nothing.
 */
export function amountHeld({ lowerTick, upperTick, liquidity }: Position, side: 0 | 1, sqrtPrice: bigint): number {
  const [lower, upper] = [rootAt(lowerTick), rootAt(upperTick)]
  const price = Math.min(Math.max(Number(sqrtPrice) / 2 ** 64, lower), upper)
  const amount = side === 0 ? 1 / price - 1 / upper : price - lower
  return Number.isFinite(amount) && amount > 0 ? Number(liquidity) * amount : 0
}

/**
 * Whether these can be all positions of a pool: it counts the liquidity of those whose range its
 * price is in. A few are opened and closed between two readings.
 */
export function areAllAtPrice(positions: readonly Position[], { liquidity }: Pool): boolean {
  if (liquidity.kind !== 'positions' || liquidity.atPrice === undefined) return true
  const { liquidity: wanted, tick } = liquidity.atPrice
  const isIn = ({ lowerTick, upperTick }: Position) => lowerTick <= tick && tick < upperTick
  const sum = positions.filter(isIn).reduce((all, position) => all + position.liquidity, 0n)
  return (sum > wanted ? sum - wanted : wanted - sum) * MAX_APART <= wanted
}

/** A hundredth. */
const MAX_APART = 100n

/** The square root of the price at a tick. */
const rootAt = (tick: number) => 1.0001 ** (tick / 2)
