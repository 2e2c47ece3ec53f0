import { createHash } from 'node:crypto'
import { type SolanaAccount, viewOf } from '../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { findProgramAddress } from '../pda.js'
import type { Pool } from './pool.js'

/**
 * A part of the liquidity of a pool of Meteora's DLMM: shares in single prices, which their owner
 * can take out. Layouts: MeteoraAg/dlmm-sdk, `idls/dlmm.json` (`PositionV2`, `BinArray`, `Bin`) and
 * `commons/src/extensions/dynamic_position.rs`.
 */
export interface BinPosition {
  address: SolanaAddress
  owner: SolanaAddress
  lowerBin: number
  /** By bin, from the lowest on. */
  shares: bigint[]
  /** No slot and no second that comes before it can take anything out. */
  isLocked: boolean
}

/** Where the pool stands in a position; what lies before `headBytes` names the owner too. */
export const BIN_POSITION = { poolAt: 8, headBytes: 72 } as const
const POSITION_HEAD = createHash('sha256').update('account:PositionV2').digest().subarray(0, 8)
const OWNER_AT = 40
const SHARES_AT = 72
/** All positions have room for so many; further bins lie behind the rest, in longer parts. */
const FIXED_BINS = 70
const LOWER_AT = 7_912
const UPPER_AT = 7_916
const RELEASE_AT = 7_992
const POSITION_BYTES = 8_120
const SHARE_BYTES = 16
const LATER_BIN_BYTES = 112
/** The exchange allows no wider ones. */
const MAX_BINS = 1_400
/** Slots and seconds reach it after the year 5,000. */
const NEVER = 100_000_000_000n

const isPosition = (account: SolanaAccount, pool: Pick<Pool, 'address' | 'program'>) =>
  account.owner === pool.program &&
  account.data.length >= BIN_POSITION.headBytes &&
  Buffer.compare(account.data.subarray(0, POSITION_HEAD.length), POSITION_HEAD) === 0 &&
  addressAt(account.data, BIN_POSITION.poolAt) === pool.address

/** Whose a position of the pool is, by its head; `undefined` when it is none. */
export const binPositionOwner = (pool: Pick<Pool, 'address' | 'program'>, account: SolanaAccount | undefined) =>
  account && isPosition(account, pool) ? addressAt(account.data, OWNER_AT) : undefined

/** Reads a whole position; `undefined` when it is none of the pool's. */
export function readBinPosition(
  pool: Pick<Pool, 'address' | 'program'>,
  address: SolanaAddress,
  account: SolanaAccount | undefined,
): BinPosition | undefined {
  if (account === undefined || account.data.length < POSITION_BYTES || !isPosition(account, pool)) return undefined
  const { data } = account
  const view = viewOf(data)
  const lowerBin = view.getInt32(LOWER_AT, true)
  const count = view.getInt32(UPPER_AT, true) - lowerBin + 1
  const there = FIXED_BINS + Math.floor((data.length - POSITION_BYTES) / LATER_BIN_BYTES)
  if (count < 1 || count > Math.min(there, MAX_BINS)) return undefined
  const placeOf = (bin: number) =>
    bin < FIXED_BINS ? SHARES_AT + bin * SHARE_BYTES : POSITION_BYTES + (bin - FIXED_BINS) * LATER_BIN_BYTES
  return {
    address,
    owner: addressAt(data, OWNER_AT),
    lowerBin,
    shares: Array.from({ length: count }, (_, bin) => u128(view, placeOf(bin))),
    isLocked: view.getBigUint64(RELEASE_AT, true) > NEVER,
  }
}

const u128 = (view: DataView, at: number) => view.getBigUint64(at, true) + (view.getBigUint64(at + 8, true) << 64n)

const BINS_PER_ARRAY = 70
const BIN_ARRAY_SEED = new TextEncoder().encode('bin_array')

/** In which account a bin lies. */
export const arrayOf = (bin: number) => Math.floor(bin / BINS_PER_ARRAY)

export function binArrayAddress({ address, program }: Pick<Pool, 'address' | 'program'>, index: number) {
  const name = new Uint8Array(8)
  viewOf(name).setBigInt64(0, BigInt(index), true)
  return findProgramAddress(program, [BIN_ARRAY_SEED, addressBytes(address), name])
}

const ARRAY_POOL_AT = 24
const BINS_AT = 56
const BIN_BYTES = 144
const SUPPLY_AT = 32

/** What lies in each bin of an array on one side, and how many shares it is divided into. */
export function readBins(pool: Pick<Pool, 'address' | 'program'>, account: SolanaAccount | undefined, side: 0 | 1) {
  if (account?.owner !== pool.program || account.data.length < BINS_AT + BINS_PER_ARRAY * BIN_BYTES) return undefined
  if (addressAt(account.data, ARRAY_POOL_AT) !== pool.address) return undefined
  const view = viewOf(account.data)
  return Array.from({ length: BINS_PER_ARRAY }, (_, bin) => {
    const at = BINS_AT + bin * BIN_BYTES
    return { amount: view.getBigUint64(at + 8 * side, true), supply: u128(view, at + SUPPLY_AT) }
  })
}

/** What a position would give back of one side; bins that are not known hold nothing. */
export function amountInBins(
  { lowerBin, shares }: BinPosition,
  binsOf: (index: number) => ReturnType<typeof readBins>,
): bigint {
  return shares.reduce((sum, share, i) => {
    const index = arrayOf(lowerBin + i)
    const bin = share > 0n ? binsOf(index)?.[lowerBin + i - index * BINS_PER_ARRAY] : undefined
    return bin === undefined || bin.supply < share ? sum : sum + (bin.amount * share) / bin.supply
  }, 0n)
}
