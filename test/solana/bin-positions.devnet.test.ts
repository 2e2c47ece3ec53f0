import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RENT, type SolanaChain } from '../../src/devnet/solana/cluster.js'
import { addressFor, placeToken, placeWrappedSol } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import { mintAccount, tokenAccount } from '../../src/devnet/solana/token-data.js'
import { viewOf } from '../../src/solana/account.js'
import { addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import { binArrayAddress } from '../../src/solana/pools/bin-positions.js'
import { layoutOf } from '../../src/solana/pools/sample-pool.conformance.js'
import { INCINERATOR, WRAPPED_SOL } from '../../src/solana/programs.js'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/** Who can take the liquidity out of a pool of bins: by the owners of positions, bin for bin. */
const COINS = 500_000_000_000n
const TOKENS = 600_000_000_000_000n
const FOR_EVER = 2n ** 64n - 1n
const person = addressFor('provider of bins')
const layout = layoutOf('meteora-dlmm')

interface Placed {
  owner: SolanaAddress
  /** Shares in bins, from this one on. */
  from: number
  shares: readonly bigint[]
  release?: bigint
  /** Of another kind of account at the same place. */
  kind?: string
}

interface Case {
  name: string
  isLocked: boolean
  /** Coins in each bin from -2 on, and how many shares there are of it. */
  bins: readonly (readonly [coins: bigint, shares: bigint])[]
  positions: readonly Placed[]
}

const HALF = COINS / 2n
const TWO: Case['bins'] = [
  [HALF, 1_000n],
  [HALF, 10n],
]
const all = (owner: SolanaAddress): Placed => ({ owner, from: -2, shares: [1_000n, 10n] })
const WIDE = 75

const CASES: readonly Case[] = [
  { name: 'all with one wallet', isLocked: false, bins: TWO, positions: [all(person)] },
  { name: 'no positions', isLocked: false, bins: TWO, positions: [] },
  {
    name: 'many shares of a bin that holds little are locked',
    isLocked: false,
    bins: [
      [COINS / 100n, 1_000_000n],
      [(COINS * 99n) / 100n, 10n],
    ],
    positions: [
      { owner: INCINERATOR, from: -2, shares: [1_000_000n] },
      { owner: person, from: -1, shares: [10n] },
    ],
  },
  {
    name: 'a lock that ends tomorrow',
    isLocked: false,
    bins: TWO,
    positions: [{ ...all(person), release: BigInt(Math.floor(Date.now() / 1_000) + 86_400) }],
  },
  {
    name: 'more shares than there are',
    isLocked: false,
    bins: TWO,
    positions: [{ owner: INCINERATOR, from: -2, shares: [100_000n, 1_000n] }, all(person)],
  },
  {
    name: 'an order that looks like a position',
    isLocked: false,
    bins: TWO,
    positions: [{ ...all(INCINERATOR), kind: 'LimitOrder' }, all(person)],
  },
  { name: 'all with the incinerator', isLocked: true, bins: TWO, positions: [all(INCINERATOR)] },
  { name: 'all locked for ever', isLocked: true, bins: TWO, positions: [{ ...all(person), release: FOR_EVER }] },
  {
    name: 'a little that is free beside what is locked',
    isLocked: true,
    bins: TWO,
    positions: [
      { owner: INCINERATOR, from: -2, shares: [900n, 9n] },
      { owner: person, from: -2, shares: [100n, 1n] },
    ],
  },
  {
    name: 'a wide position, most of it in its last bins',
    isLocked: true,
    bins: TWO,
    positions: [
      { owner: INCINERATOR, from: -WIDE, shares: [...Array.from({ length: WIDE - 2 }, () => 0n), 1_000n, 10n] },
    ],
  },
]

const UNTOLD = ['no positions']

const put = (chain: SolanaChain, at: SolanaAddress, data: Uint8Array, owner = layout.program) =>
  chain.set(at, { lamports: RENT, owner, executable: false, data })
const headOf = (kind: string) => createHash('sha256').update(`account:${kind}`).digest().subarray(0, 8)

function placePool(chain: SolanaChain, { name, bins, positions }: Case): SolanaAddress {
  const { mint } = placeToken(chain, name, { distribution: { pool: 0, wallets: 20, burnt: 20 } })
  const pool = addressFor(`pool of ${name}`, 'program')
  const vaults = [addressFor(`vault of ${name}`, 'program'), addressFor(`coins of ${name}`, 'program')] as const
  const wrapped = chain.get(WRAPPED_SOL) ?? placeWrappedSol(chain)
  const account = chain.get(mint) ?? mintAccount({ supply: 0n })
  chain.set(vaults[0], tokenAccount({ mint, mintAccount: account, owner: pool, amount: TOKENS }))
  const coins = { mint: WRAPPED_SOL, mintAccount: wrapped, owner: pool, nativeReserve: RENT }
  chain.set(vaults[1], tokenAccount({ ...coins, amount: COINS }))
  const data = new Uint8Array(layout.minBytes)
  for (const [i, each] of [mint, WRAPPED_SOL].entries()) data.set(addressBytes(each), layout.mints[i])
  for (const [i, each] of vaults.entries()) data.set(addressBytes(each), layout.vaults[i])
  put(chain, pool, data)
  const array = new Uint8Array(56 + 70 * 144)
  array.set(addressBytes(pool), 24)
  for (const [i, [amount, shares]] of bins.entries()) {
    // Bins -2 and on are the last ones of the array before nil.
    const at = 56 + (68 + i) * 144
    viewOf(array).setBigUint64(at + 8, amount, true)
    viewOf(array).setBigUint64(at + 32, shares, true)
  }
  const arrayAt = binArrayAddress({ address: pool, program: layout.program }, -1)
  if (arrayAt) put(chain, arrayAt, array)
  for (const [i, position] of positions.entries()) placePosition(chain, `position ${i} of ${name}`, pool, position)
  return mint
}

function placePosition(
  chain: SolanaChain,
  name: string,
  pool: SolanaAddress,
  { owner, from, shares, release = 0n, kind = 'PositionV2' }: Placed,
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

let stage: SolanaStage
let proxy: FaultProxy
beforeAll(async () => {
  stage = await createSolanaStage({
    examples: CASES.map(
      (each): SolanaExample => ({
        name: each.name,
        summary: each.name,
        expect: { trustStatus: each.isLocked ? 'Safe' : 'Medium Risk' },
        place: (chain) => placePool(chain, each),
      }),
    ),
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
  return { ...report, ids: report.findings.map(({ id }) => id) }
}

describe.each(CASES)('$name', ({ name, isLocked, positions }) => {
  test(isLocked ? 'stays' : 'can be taken out', async () => {
    const { level, gaps, ids, findings, pools } = await ask(name)
    // A pool that holds something belongs to some: a node that names too little has said nothing.
    const isTold = gaps.length === 0
    expect(isTold).toBe(!UNTOLD.includes(name))
    expect(ids.includes('liquidity-not-locked')).toBe(isTold && !isLocked)
    expect(level).toBe(isLocked ? 'Safe' : 'Medium Risk')
    expect(pools[0]?.positions).toHaveLength(positions.filter(({ kind }) => kind === undefined).length)
    const isPersons = isTold && !isLocked && positions.some(({ owner }) => owner === person)
    const detail = findings.find(({ id }) => id === 'liquidity-not-locked')?.detail ?? ''
    if (isPersons) expect(detail).toContain(person)
  })
})

test('a node that does not list positions leaves a gap', async () => {
  proxy.inject({
    name: 'refused',
    method: 'getProgramAccounts',
    answer: (honest) => ({ ...honest, result: undefined, error: { code: -32601, message: 'not here' } }),
  })
  const { gaps, level } = await ask('all with the incinerator')
  proxy.inject()
  expect(gaps).toEqual([expect.stringContaining('no node said who can take the liquidity out of Meteora DLMM')])
  expect(level).toBe('Medium Risk')
})
