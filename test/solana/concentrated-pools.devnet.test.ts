import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressFor } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import type { SolanaAddress } from '../../src/solana/address.js'
import type { VenueId } from '../../src/solana/pools/pool.js'
import { INCINERATOR } from '../../src/solana/programs.js'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { COINS, type PlacedPosition, placeConcentratedPool } from './pool-accounts.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/** Who can take the liquidity out of a concentrated pool: by the owners of its positions. */
const RAYDIUM_LOCKER = 'kN1kEznaF5Xbd8LYuqtEFcxzWSBk5Fv6ygX6SqEGJVy' as SolanaAddress
/** Of all ticks, where the price is one: as much of the one as of the other. */
const WIDE = [-443_580, 443_580] as const
const NARROW = [-60, 60] as const

const wide = (owner?: SolanaAddress): PlacedPosition => ({ liquidity: COINS, ticks: WIDE, ...(owner && { owner }) })
const person = addressFor('provider of liquidity')

const CASES: readonly { name: string; venue: VenueId; positions: readonly PlacedPosition[]; isLocked: boolean }[] = [
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

const examples = CASES.map(
  ({ name, venue, positions, isLocked }): SolanaExample => ({
    name,
    summary: name,
    expect: { trustStatus: isLocked ? 'Safe' : 'Medium Risk' },
    place: (chain) => placeConcentratedPool(chain, name, venue, positions),
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

  test('that leaves out a small one has not said who holds them', async () => {
    const name = 'locked whirlpool with a little that is free'
    const small = (bytes: Buffer) => bytes.readBigUInt64LE(72) < COINS
    proxy.inject({
      name: 'without the small ones',
      method: 'getProgramAccounts',
      answer: (honest) => ({
        ...honest,
        result: (honest.result as { account: { data: [string] } }[]).filter(
          ({ account }) => !small(Buffer.from(account.data[0], 'base64')),
        ),
      }),
    })
    const { gaps, level } = await ask(name)
    proxy.inject()
    expect(gaps).toEqual([expect.stringContaining('no node said who can take the liquidity out')])
    expect(level).toBe('Medium Risk')
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
    const { gaps, level } = await ask(FREE)
    proxy.inject()
    expect(gaps).toEqual([expect.stringContaining('no node said who can take the liquidity out')])
    expect(level).toBe('Medium Risk')
  })
})
