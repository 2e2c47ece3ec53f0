import { createHash } from 'node:crypto'
import { RENT, type SolanaChain } from '../../src/devnet/solana/cluster.js'
import { addressFor, placeToken, placeWrappedSol } from '../../src/devnet/solana/scene.js'
import { mintAccount, tokenAccount } from '../../src/devnet/solana/token-data.js'
import { viewOf } from '../../src/solana/account.js'
import { addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import { binArrayAddress } from '../../src/solana/pools/bin-positions.js'
import type { VenueId } from '../../src/solana/pools/pool.js'
import { POSITION_LAYOUTS } from '../../src/solana/pools/positions.js'
import { layoutOf } from '../../src/solana/pools/sample-pool.conformance.js'
import { WRAPPED_SOL } from '../../src/solana/programs.js'

/** Of each side of a pool, in base units. */
export const COINS = 500_000_000_000n
const TOKENS = 600_000_000_000_000n

export interface PlacedPosition {
  liquidity: bigint
  ticks: readonly [number, number]
  /** Whose the token of the position is; burnt without. */
  owner?: SolanaAddress
  /** Orca's own note that it is locked. */
  isNoted?: boolean
}

/** Where the account of a pool says what it has at its price. */
const PRICED: Partial<Record<VenueId, { liquidityAt: number; sqrtPriceAt: number }>> = {
  'orca-whirlpool': { liquidityAt: 49, sqrtPriceAt: 65 },
  'raydium-clmm': { liquidityAt: 237, sqrtPriceAt: 253 },
}

/** A token in a concentrated pool at a price of one, with its positions; gives the mint. */
export function placeConcentratedPool(
  chain: SolanaChain,
  name: string,
  venue: VenueId,
  positions: readonly PlacedPosition[],
): SolanaAddress {
  const layout = layoutOf(venue)
  const { mint, pool, data } = placeVaults(chain, name, venue, layout.minBytes + 200)
  const { liquidityAt = 0, sqrtPriceAt = 0 } = PRICED[venue] ?? {}
  // Of 64.64 bits.
  viewOf(data).setBigUint64(sqrtPriceAt + 8, 1n, true)
  const atPrice = positions.filter(({ ticks: [lower, upper] }) => lower <= 0 && 0 < upper)
  const liquidity = atPrice.reduce((sum, each) => sum + each.liquidity, 0n)
  viewOf(data).setBigUint64(liquidityAt, liquidity, true)
  chain.set(pool, { lamports: RENT, owner: layout.program, executable: false, data })
  for (const [i, each] of positions.entries()) placePosition(chain, `${name} ${i}`, { pool, venue, ...each })
  return mint
}

function placeVaults(chain: SolanaChain, name: string, venue: VenueId, bytes: number) {
  const layout = layoutOf(venue)
  const { mint } = placeToken(chain, name, { distribution: { pool: 0, wallets: 20, burnt: 20 } })
  const pool = addressFor(`pool of ${name}`, 'program')
  const vaults = [addressFor(`vault of ${name}`, 'program'), addressFor(`coins of ${name}`, 'program')] as const
  const wrapped = chain.get(WRAPPED_SOL) ?? placeWrappedSol(chain)
  const account = chain.get(mint) ?? mintAccount({ supply: 0n })
  chain.set(vaults[0], tokenAccount({ mint, mintAccount: account, owner: pool, amount: TOKENS }))
  const coins = { mint: WRAPPED_SOL, mintAccount: wrapped, owner: pool, nativeReserve: RENT }
  chain.set(vaults[1], tokenAccount({ ...coins, amount: COINS }))
  const data = new Uint8Array(bytes)
  for (const [i, each] of [mint, WRAPPED_SOL].entries()) data.set(addressBytes(each), layout.mints[i])
  for (const [i, each] of vaults.entries()) data.set(addressBytes(each), layout.vaults[i])
  return { mint, pool, data }
}

function placePosition(
  chain: SolanaChain,
  name: string,
  { pool, venue, liquidity, ticks, owner, isNoted }: PlacedPosition & { pool: SolanaAddress; venue: VenueId },
): void {
  const layout = POSITION_LAYOUTS.get(venue)
  const { program } = layoutOf(venue)
  if (layout === undefined) throw new RangeError(venue)
  const [nft, address] = [addressFor(`nft of ${name}`, 'program'), addressFor(`position ${name}`, 'program')]
  const minted = mintAccount({ supply: owner ? 1n : 0n, decimals: 0 })
  chain.set(nft, minted)
  if (owner) {
    const holding = tokenAccount({ mint: nft, mintAccount: minted, owner, amount: 1n })
    chain.set(addressFor(`holding of ${name}`, 'program'), holding)
  }
  const data = new Uint8Array(layout.bytes)
  data.set(addressBytes(pool), layout.poolAt)
  data.set(addressBytes(nft), layout.nftAt)
  const view = viewOf(data)
  view.setInt32(layout.ticksAt, ticks[0], true)
  view.setInt32(layout.ticksAt + 4, ticks[1], true)
  view.setBigUint64(layout.liquidityAt, liquidity, true)
  chain.set(address, { lamports: RENT, owner: program, executable: false, data })
  const lock = isNoted && layout.lockOf?.(address, program)
  if (!lock) return
  const note = new Uint8Array(241)
  note.set(addressBytes(address), 8)
  chain.set(lock, { lamports: RENT, owner: program, executable: false, data: note })
}

export interface PlacedBins {
  owner: SolanaAddress
  /** Shares in bins, from this one on. */
  from: number
  shares: readonly bigint[]
  release?: bigint
  /** Of another kind of account at the same place. */
  kind?: string
}

export interface BinPoolOrder {
  /** Coins in each bin from -2 on, and how many shares there are of it. */
  bins: readonly (readonly [coins: bigint, shares: bigint])[]
  positions: readonly PlacedBins[]
}

const DLMM = layoutOf('meteora-dlmm')
const put = (chain: SolanaChain, at: SolanaAddress, data: Uint8Array) =>
  chain.set(at, { lamports: RENT, owner: DLMM.program, executable: false, data })
const headOf = (kind: string) => createHash('sha256').update(`account:${kind}`).digest().subarray(0, 8)

/** A token in a pool of bins; gives the mint. */
export function placeBinPool(chain: SolanaChain, name: string, { bins, positions }: BinPoolOrder): SolanaAddress {
  const { mint, pool, data } = placeVaults(chain, name, 'meteora-dlmm', DLMM.minBytes)
  put(chain, pool, data)
  const array = new Uint8Array(56 + 70 * 144)
  array.set(addressBytes(pool), 24)
  for (const [i, [amount, shares]] of bins.entries()) {
    // Bins -2 and on are the last ones of the array before nil.
    const at = 56 + (68 + i) * 144
    viewOf(array).setBigUint64(at + 8, amount, true)
    viewOf(array).setBigUint64(at + 32, shares, true)
  }
  const arrayAt = binArrayAddress({ address: pool, program: DLMM.program }, -1)
  if (arrayAt) put(chain, arrayAt, array)
  for (const [i, position] of positions.entries()) placeBins(chain, `position ${i} of ${name}`, pool, position)
  return mint
}

function placeBins(
  chain: SolanaChain,
  name: string,
  pool: SolanaAddress,
  { owner, from, shares, release = 0n, kind = 'PositionV2' }: PlacedBins,
) {
  const data = new Uint8Array(8_120 + Math.max(0, shares.length - 70) * 112)
  data.set(headOf(kind))
  data.set(addressBytes(pool), 8)
  data.set(addressBytes(owner), 40)
  const view = viewOf(data)
  for (const [bin, share] of shares.entries()) {
    view.setBigUint64(bin < 70 ? 72 + bin * 16 : 8_120 + (bin - 70) * 112, share, true)
  }
  view.setInt32(7_912, from, true)
  view.setInt32(7_916, from + shares.length - 1, true)
  view.setBigUint64(7_992, release, true)
  put(chain, addressFor(name, 'program'), data)
}
