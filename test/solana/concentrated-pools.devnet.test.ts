import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RENT, type SolanaChain } from '../../src/devnet/solana/cluster.js'
import { addressFor, placeToken, placeWrappedSol } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import { mintAccount, tokenAccount } from '../../src/devnet/solana/token-data.js'
import { viewOf } from '../../src/solana/account.js'
import { addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import type { VenueId } from '../../src/solana/pools/pool.js'
import { POSITION_LAYOUTS } from '../../src/solana/pools/positions.js'
import { layoutOf } from '../../src/solana/pools/sample-pool.conformance.js'
import { INCINERATOR, WRAPPED_SOL } from '../../src/solana/programs.js'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/** Who can take the liquidity out of a concentrated pool: by the owners of its positions. */
const RAYDIUM_LOCKER = 'kN1kEznaF5Xbd8LYuqtEFcxzWSBk5Fv6ygX6SqEGJVy' as SolanaAddress
const COINS = 500_000_000_000n
const TOKENS = 600_000_000_000_000n
/** Of all ticks, where the price is one: as much of the one as of the other. */
const WIDE = [-443_580, 443_580] as const
const NARROW = [-60, 60] as const

interface Placed {
  liquidity: bigint
  ticks: readonly [number, number]
  /** Whose the token of the position is; burnt without. */
  owner?: SolanaAddress
  /** Orca's own note that it is locked. */
  isNoted?: boolean
}

const wide = (owner?: SolanaAddress): Placed => ({ liquidity: COINS, ticks: WIDE, ...(owner && { owner }) })
const person = addressFor('provider of liquidity')

const CASES: readonly { name: string; venue: VenueId; positions: readonly Placed[]; isLocked: boolean }[] = [
  { name: 'whirlpool of one wallet', venue: 'orca-whirlpool', positions: [wide(person)], isLocked: false },
  { name: 'CLMM pool of one wallet', venue: 'raydium-clmm', positions: [wide(person)], isLocked: false },
  {
    name: 'much that is locked in a narrow range, beside what is free',
    venue: 'raydium-clmm',
    positions: [wide(person), { liquidity: COINS * 20n, ticks: NARROW, owner: RAYDIUM_LOCKER }],
    isLocked: false,
  },
  {
    name: 'a position that is locked, above the price',
    venue: 'orca-whirlpool',
    positions: [wide(person), { liquidity: COINS * 20n, ticks: [600, 1_200], owner: INCINERATOR }],
    isLocked: false,
  },
  { name: 'whirlpool without positions', venue: 'orca-whirlpool', positions: [], isLocked: false },
  { name: 'burnt position of a whirlpool', venue: 'orca-whirlpool', positions: [wide()], isLocked: true },
  {
    name: 'whirlpool locked by its exchange',
    venue: 'orca-whirlpool',
    positions: [{ ...wide(person), isNoted: true }],
    isLocked: true,
  },
  { name: 'CLMM pool in the locker', venue: 'raydium-clmm', positions: [wide(RAYDIUM_LOCKER)], isLocked: true },
  { name: 'CLMM pool in the incinerator', venue: 'raydium-clmm', positions: [wide(INCINERATOR)], isLocked: true },
  {
    name: 'locked whirlpool with a little that is free',
    venue: 'orca-whirlpool',
    positions: [wide(), { ...wide(person), liquidity: COINS / 10n }],
    isLocked: true,
  },
]

const SQRT_PRICE_AT: Partial<Record<VenueId, number>> = { 'orca-whirlpool': 65, 'raydium-clmm': 253 }

function placePool(chain: SolanaChain, name: string, venue: VenueId, positions: readonly Placed[]): SolanaAddress {
  const { mint } = placeToken(chain, name, { distribution: { pool: 0, wallets: 20, burnt: 20 } })
  const layout = layoutOf(venue)
  const pool = addressFor(`pool of ${name}`, 'program')
  const vaults = [addressFor(`vault of ${name}`, 'program'), addressFor(`coins of ${name}`, 'program')] as const
  const wrapped = chain.get(WRAPPED_SOL) ?? placeWrappedSol(chain)
  const account = chain.get(mint) ?? mintAccount({ supply: 0n })
  chain.set(vaults[0], tokenAccount({ mint, mintAccount: account, owner: pool, amount: TOKENS }))
  const coins = { mint: WRAPPED_SOL, mintAccount: wrapped, owner: pool, nativeReserve: RENT }
  chain.set(vaults[1], tokenAccount({ ...coins, amount: COINS }))
  const data = new Uint8Array(layout.minBytes + 200)
  for (const [i, each] of [mint, WRAPPED_SOL].entries()) data.set(addressBytes(each), layout.mints[i])
  for (const [i, each] of vaults.entries()) data.set(addressBytes(each), layout.vaults[i])
  // A price of one, in 64.64 bits.
  viewOf(data).setBigUint64((SQRT_PRICE_AT[venue] ?? 0) + 8, 1n, true)
  chain.set(pool, { lamports: RENT, owner: layout.program, executable: false, data })
  for (const [i, each] of positions.entries()) placePosition(chain, `${name} ${i}`, { pool, venue, ...each })
  return mint
}

function placePosition(
  chain: SolanaChain,
  name: string,
  { pool, venue, liquidity, ticks, owner, isNoted }: Placed & { pool: SolanaAddress; venue: VenueId },
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

const examples = CASES.map(
  ({ name, venue, positions, isLocked }): SolanaExample => ({
    name,
    summary: name,
    expect: { trustStatus: isLocked ? 'Safe' : 'Medium Risk' },
    place: (chain) => placePool(chain, name, venue, positions),
  }),
)

let stage: SolanaStage
let proxy: FaultProxy
beforeAll(async () => {
  stage = await createSolanaStage({
    examples,
    nodeUrls: async (url) => {
      proxy = await startFaultProxy(url)
      return [proxy.url]
    },
  })
})
afterAll(async () => {
  await stage.close()
  await proxy.close()
})

async function ask(name: string) {
  const report = await stage.check({ address: stage.addressOf(name) })
  if (report.kind !== 'token') throw new Error(`${name} is no token`)
  const { level, gaps, pools, findings } = report
  return { level, gaps, pools, ids: findings.map(({ id }) => id), report }
}

describe.each(CASES)('$name', ({ name, isLocked, positions }) => {
  test(isLocked ? 'stays' : 'can be taken out', async () => {
    const { level, gaps, ids, pools, report } = await ask(name)
    // A pool that holds something belongs to some: a node that lists none has said nothing.
    const isTold = positions.length > 0
    expect(gaps).toEqual(isTold ? [] : [expect.stringContaining('no node said who can take the liquidity out')])
    expect(ids.includes('liquidity-not-locked')).toBe(isTold && !isLocked)
    expect(level).toBe(isLocked ? 'Safe' : 'Medium Risk')
    expect(pools[0]?.positions.map(({ hold }) => hold).sort()).toEqual(
      positions.map(({ owner, isNoted }) => (owner === person && !isNoted ? 'free' : 'locked')).sort(),
    )
    const free = positions.some(({ owner, isNoted }) => owner === person && !isNoted)
    if (!isLocked && free) {
      const finding = report.findings.find(({ id }) => id === 'liquidity-not-locked')
      expect(finding?.detail).toContain(person)
    }
  })
})

const LOCKED = 'CLMM pool in the locker'
const FREE = 'CLMM pool of one wallet'

describe('a node', () => {
  test.each(['getProgramAccounts', 'getTokenLargestAccounts'])('that refuses %s leaves a gap', async (method) => {
    const positionsOf = (params: readonly unknown[]) => params[0] !== stage.addressOf(LOCKED)
    proxy.inject({
      name: 'refused',
      method,
      answer: (honest, { params }) =>
        positionsOf(params) ? { ...honest, result: undefined, error: { code: -32601, message: 'not here' } } : honest,
    })
    const { gaps, level } = await ask(LOCKED)
    proxy.inject()
    expect(gaps).toEqual([expect.stringContaining('no node said who can take the liquidity out of Raydium CLMM')])
    expect(level).toBe('Medium Risk')
  })

  test('that leaves positions out locks nothing', async () => {
    proxy.inject({
      name: 'empty',
      method: 'getProgramAccounts',
      answer: (honest) => ({ ...honest, result: [] }),
    })
    const told = await Promise.all([LOCKED, FREE].map(ask))
    proxy.inject()
    for (const { gaps, level } of told) {
      expect(gaps).toEqual([expect.stringContaining('no node said who can take the liquidity out')])
      expect(level).toBe('Medium Risk')
    }
  })

  test('that lists a position that is locked again and again locks no more', async () => {
    proxy.inject({
      name: 'again and again',
      method: 'getProgramAccounts',
      answer: (honest) => ({ ...honest, result: Array.from({ length: 40 }, () => honest.result).flat() }),
    })
    const { ids } = await ask('a position that is locked, above the price')
    const { positions } = (await ask(LOCKED)).pools[0] ?? { positions: [] }
    proxy.inject()
    expect(ids).toContain('liquidity-not-locked')
    expect(positions).toHaveLength(1)
  })

  test('that names an account of its own as a position locks nothing', async () => {
    proxy.inject({
      name: 'another one',
      method: 'getProgramAccounts',
      answer: (honest) => ({
        ...honest,
        result: (honest.result as { pubkey: string }[]).map((each) => ({ ...each, pubkey: stage.addressOf(LOCKED) })),
      }),
    })
    const { ids } = await ask(FREE)
    proxy.inject()
    expect(ids).toContain('liquidity-not-locked')
  })
})
