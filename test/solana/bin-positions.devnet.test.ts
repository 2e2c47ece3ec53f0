import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressFor } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import type { SolanaAddress } from '../../src/solana/address.js'
import { INCINERATOR } from '../../src/solana/programs.js'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { type BinPoolOrder, COINS, type PlacedBins, placeBinPool } from './pool-accounts.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/** Who can take the liquidity out of a pool of bins: by the owners of positions, bin for bin. */
const FOR_EVER = 2n ** 64n - 1n
const person = addressFor('provider of bins')

interface Case extends BinPoolOrder {
  name: string
  isLocked: boolean
}

const HALF = COINS / 2n
const TWO: Case['bins'] = [
  [HALF, 1_000n],
  [HALF, 10n],
]
const all = (owner: SolanaAddress): PlacedBins => ({ owner, from: -2, shares: [1_000n, 10n] })
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

let stage: SolanaStage
let proxy: FaultProxy
beforeAll(async () => {
  stage = await createSolanaStage({
    examples: CASES.map(
      (each): SolanaExample => ({
        name: each.name,
        summary: each.name,
        expect: { trustStatus: each.isLocked ? 'Safe' : 'Medium Risk' },
        place: (chain) => placeBinPool(chain, each.name, each),
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
