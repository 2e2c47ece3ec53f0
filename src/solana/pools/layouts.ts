import { viewOf } from '../account.js'
import { address, addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { findProgramAddress } from '../pda.js'
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../programs.js'
import type { PoolLiquidity, PoolStatus, VenueId } from './pool.js'

/** Where an exchange's pool accounts keep what is needed of them. Offsets in bytes. */
export interface PoolLayout {
  id: VenueId
  name: string
  program: SolanaAddress
  /** One address signs for the vaults of all pools, or the pool's own. */
  vaultOwner: SolanaAddress | 'pool'
  /** Shortest account that can be a pool. */
  minBytes: number
  /** Of all pools, where it is always the same. */
  exactBytes?: number
  mints: readonly [number, number]
  vaults: readonly [number, number]
  status(data: Uint8Array, unixTime: bigint): PoolStatus
  liquidity(data: Uint8Array): PoolLiquidity
}

const u8 = (data: Uint8Array, at: number) => viewOf(data).getUint8(at)
const u64 = (data: Uint8Array, at: number) => viewOf(data).getBigUint64(at, true)
const u128 = (data: Uint8Array, at: number) => u64(data, at) + (u64(data, at + 8) << 64n)
const openFrom = (opensAt: bigint, unixTime: bigint): PoolStatus => (unixTime < opensAt ? 'not-open-yet' : 'open')
const always = (): PoolStatus => 'open'
const positions = (): PoolLiquidity => ({ kind: 'positions' })
/** Liquidity at the price, the root of the price and its tick stand one behind the other. */
const positionsAt =
  (at: number) =>
  (data: Uint8Array): PoolLiquidity => {
    const atPrice = { liquidity: u128(data, at), tick: viewOf(data).getInt32(at + 32, true) }
    return { kind: 'positions', sqrtPrice: u128(data, at + 16), atPrice }
  }
const lpToken =
  (mintAt: number, supplyAt: number) =>
  (data: Uint8Array): PoolLiquidity => ({
    kind: 'lp-token',
    mint: addressAt(data, mintAt),
    issued: u64(data, supplyAt),
  })

/**
 * Of the small exchange in `contracts/solana/amm.c`, which stands in tests and demos. No key exists
 * for this address.
 */
export const EXAMPLE_AMM_PROGRAM = address('AssayExamp1eExchange111111111111111111111111')

const PUMP_SWAP_PROGRAM = address('pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA')
export const DAMM_V2_PROGRAM = address('cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG')

const ORCA_WHIRLPOOL: PoolLayout = {
  id: 'orca-whirlpool',
  name: 'Orca Whirlpool',
  program: address('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc'),
  vaultOwner: 'pool',
  minBytes: 245,
  mints: [101, 181],
  vaults: [133, 213],
  status: always,
  liquidity: positionsAt(49),
}

/**
 * Layouts as the exchanges publish them: raydium-amm `state.rs`, raydium-cp-swap and raydium-clmm
 * `states/pool.rs`, orca whirlpools `state/whirlpool.rs`, the published interfaces of Meteora's
 * cp-amm and dlmm, and of pump. Of these only Meteora's DAMM v2 was met in a run of the real
 * program; `docs/solana.md` says what that means.
 */
export const POOL_LAYOUTS: readonly PoolLayout[] = [
  {
    id: 'raydium-amm-v4',
    name: 'Raydium AMM v4',
    program: address('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8'),
    vaultOwner: address('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1'),
    minBytes: 752,
    exactBytes: 752,
    mints: [400, 432],
    vaults: [336, 368],
    // 1 initialised, 6 swaps only, 7 waits for its time: with all others swaps are refused.
    status: (data, unixTime) => ([1n, 6n, 7n].includes(u64(data, 0)) ? openFrom(u64(data, 224), unixTime) : 'closed'),
    liquidity: lpToken(464, 720),
  },
  {
    id: 'raydium-cpmm',
    name: 'Raydium CPMM',
    program: address('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C'),
    vaultOwner: address('GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL'),
    minBytes: 381,
    mints: [168, 200],
    vaults: [72, 104],
    // The third bit switches swaps off.
    status: (data, unixTime) => ((u8(data, 329) & 4) !== 0 ? 'closed' : openFrom(u64(data, 373), unixTime)),
    liquidity: lpToken(136, 333),
  },
  {
    id: 'raydium-clmm',
    name: 'Raydium CLMM',
    program: address('CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK'),
    vaultOwner: 'pool',
    minBytes: 390,
    mints: [73, 105],
    vaults: [137, 169],
    // The fifth bit switches swaps off.
    status: (data) => ((u8(data, 389) & 16) !== 0 ? 'closed' : 'open'),
    liquidity: positionsAt(237),
  },
  ORCA_WHIRLPOOL,
  // The same code, deployed a second time in May 2026 so that it cannot be replaced (orca-so's own
  // packages name both).
  { ...ORCA_WHIRLPOOL, program: address('iwhrLHdsgrvmnwU8GF2FSmyabSMjfHwFGJAX2ufJ3ZN') },
  {
    id: 'meteora-damm-v2',
    name: 'Meteora DAMM v2',
    program: DAMM_V2_PROGRAM,
    vaultOwner: address('HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC'),
    minBytes: 1112,
    exactBytes: 1112,
    mints: [168, 200],
    vaults: [232, 264],
    status: (data) => (u8(data, 481) === 0 ? 'open' : 'closed'),
    liquidity: (data) => ({ kind: 'shares', total: u128(data, 360), locked: u128(data, 552) }),
  },
  {
    id: 'meteora-dlmm',
    name: 'Meteora DLMM',
    program: address('LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo'),
    vaultOwner: 'pool',
    minBytes: 904,
    mints: [88, 120],
    vaults: [152, 184],
    status: always,
    liquidity: positions,
  },
  {
    id: 'pump-swap',
    name: 'PumpSwap',
    program: PUMP_SWAP_PROGRAM,
    vaultOwner: 'pool',
    minBytes: 211,
    mints: [43, 75],
    vaults: [139, 171],
    status: always,
    liquidity: lpToken(107, 203),
  },
  {
    id: 'example-amm',
    name: 'Example AMM',
    program: EXAMPLE_AMM_PROGRAM,
    vaultOwner: 'pool',
    minBytes: 192,
    exactBytes: 192,
    mints: [8, 40],
    vaults: [72, 104],
    status: (data, unixTime) =>
      u8(data, 178) === 0 ? 'closed' : openFrom(viewOf(data).getBigInt64(184, true), unixTime),
    liquidity: lpToken(136, 168),
  },
]

/**
 * The launch curve of pump.fun, which is found by the mint: its reserves stand in the curve, its
 * coins on the curve itself.
 */
export const PUMP_CURVE = {
  id: 'pump-curve',
  name: 'pump.fun',
  program: address('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P'),
  minBytes: 49,
  addressOf: (mint: SolanaAddress) => findProgramAddress(PUMP_CURVE.program, [CURVE_SEED, addressBytes(mint)]),
  isComplete: (data: Uint8Array) => u8(data, 48) === 1,
  realTokens: (data: Uint8Array) => u64(data, 24),
  realLamports: (data: Uint8Array) => u64(data, 32),
  /**
   * What moves the price: reserves as the curve reckons with them, which begin above what it holds.
   */
  virtualQuote: (data: Uint8Array) => u64(data, 16),
  creator: (data: Uint8Array) => (data.length < 81 ? undefined : addressAt(data, 49)),
  isMayhem: (data: Uint8Array) => data[81] === 1,
  /**
   * What a curve is priced in: coins, for which its account holds no mint, or one of the tokens
   * that pump admits.
   */
  quoteOf(data: Uint8Array): SolanaAddress {
    const named = data.length < 115 ? SYSTEM_PROGRAM : addressAt(data, 83)
    return named === SYSTEM_PROGRAM ? WRAPPED_SOL : named
  },
} as const

const bytes = (words: string) => new TextEncoder().encode(words)
const CURVE_SEED = bytes('bonding-curve')
const FIRST_INDEX = Uint8Array.of(0, 0)

/**
 * Pools whose addresses follow from the mint, so that they are found without a node's word: the one
 * that pump opens when a curve has sold out (pump-public-docs, `pool_authority` and `pool`), and
 * that of the example exchange.
 */
export function usualPoolsOf(mint: SolanaAddress): SolanaAddress[] {
  const creator = findProgramAddress(PUMP_CURVE.program, [bytes('pool-authority'), addressBytes(mint)])
  const keys = creator && [creator, mint, WRAPPED_SOL].map(addressBytes)
  return [
    keys && findProgramAddress(PUMP_SWAP_PROGRAM, [bytes('pool'), FIRST_INDEX, ...keys]),
    findProgramAddress(EXAMPLE_AMM_PROGRAM, [bytes('pool'), addressBytes(mint)]),
  ].filter((pool) => pool !== undefined)
}

/** By program. */
export const LAYOUT_OF_PROGRAM: ReadonlyMap<SolanaAddress, PoolLayout> = new Map(
  POOL_LAYOUTS.map((layout) => [layout.program, layout]),
)

/** By the address that signs for the vaults of all pools of an exchange. */
export const LAYOUT_OF_VAULT_OWNER: ReadonlyMap<SolanaAddress, PoolLayout> = new Map(
  POOL_LAYOUTS.flatMap((layout) => (layout.vaultOwner === 'pool' ? [] : [[layout.vaultOwner, layout] as const])),
)

/** What an exchange is called. */
export const venueName = (id: VenueId): string =>
  id === PUMP_CURVE.id ? PUMP_CURVE.name : (POOL_LAYOUTS.find((layout) => layout.id === id)?.name ?? id)

/** Pools hold something; the system program owns no pool. */
export const isPoolProgram = (program: SolanaAddress) =>
  program !== SYSTEM_PROGRAM && (LAYOUT_OF_PROGRAM.has(program) || program === PUMP_CURVE.program)
