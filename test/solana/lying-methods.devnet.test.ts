import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TRUST_STATUSES } from '../../src/checks/levels.js'
import type { SolanaChain } from '../../src/devnet/solana/cluster.js'
import { CONDITIONS } from '../../src/devnet/solana/examples/hook-conditions.js'
import { MARKETS } from '../../src/devnet/solana/examples/markets.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { addressFor, placeToken } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import type { SolanaAddress } from '../../src/solana/address.js'
import { INCINERATOR } from '../../src/solana/programs.js'
import { SolanaUnavailableError } from '../../src/solana/rpc/solana-rpc-client.js'
import type { SvmEngine } from '../../src/solana/svm/engine.js'
import { SvmUnavailableError } from '../../src/solana/svm/load-litesvm.js'
import { type FaultProxy, type ProxyAnswer, type ProxyCall, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { launchInPool } from '../feed/solana-launches.js'
import { someOf } from '../some-of.js'
import { ALL, placeGovernance, placeSquad } from './group-accounts.js'
import { LIES } from './lies.js'
import { COINS, placeBinPool, placeConcentratedPool } from './pool-accounts.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/**
 * The only node there is, and each question to it answered with each kind of lie: whatever comes of
 * it is the honest verdict, a gap that is named, or no answer at all. Never is it kinder, and never
 * guilt. The methods are those that the checks were seen to call.
 */
const person = addressFor('a person')
const people = ['ann', 'bob', 'cid'].map((each) => addressFor(each))
const freezableBy = (name: string, place: (chain: SolanaChain, name: string) => SolanaAddress): SolanaExample => ({
  name,
  summary: name,
  expect: { trustStatus: 'Medium Risk' },
  place: (chain) => placeToken(chain, name, { freezeAuthority: place(chain, name) }).mint,
})
const squad = (threshold: number) => (chain: SolanaChain, name: string) =>
  placeSquad(chain, name, { version: 4, threshold, members: people.map((key) => [key, ALL] as const) })
const governance = (wallets: readonly bigint[], records: readonly bigint[]) => (chain: SolanaChain, name: string) =>
  placeGovernance(chain, name, { community: { supply: 1_000n, wallets, records, threshold: 60 } })
const TICKS = [-443_580, 443_580] as const
const BINS = [
  [COINS / 2n, 1_000n],
  [COINS / 2n, 10n],
] as const

const PLACED: readonly SolanaExample[] = [
  freezableBy('two of three', squad(2)),
  freezableBy('one of three', squad(1)),
  freezableBy('a multisig of one in a multisig', (chain, name) =>
    placeSquad(chain, name, {
      ...{ version: 4, threshold: 2 },
      members: [0, 1].map((i) => [
        placeSquad(chain, `${name} ${i}`, { version: 4, threshold: 1, members: [[person, ALL]] }),
        ALL,
      ]),
    }),
  ),
  freezableBy('a community', governance([100n, 100n, 100n, 100n], [150n, 150n, 150n, 150n])),
  freezableBy('a community of one wallet', governance([700n, 200n, 100n], [])),
  freezableBy('a community of one voter', governance([300n], [600n, 100n])),
  ...(['raydium-clmm', 'orca-whirlpool'] as const).flatMap((venue) => [
    {
      ...{ name: `${venue} locked`, summary: venue, expect: { trustStatus: 'Safe' as const } },
      place: (chain: SolanaChain) =>
        placeConcentratedPool(chain, `${venue} locked`, venue, [
          { liquidity: COINS, ticks: TICKS, owner: INCINERATOR },
          { liquidity: COINS / 10n, ticks: TICKS, owner: person },
        ]),
    },
    {
      ...{ name: `${venue} free`, summary: venue, expect: { trustStatus: 'Medium Risk' as const } },
      place: (chain: SolanaChain) =>
        placeConcentratedPool(chain, `${venue} free`, venue, [
          { liquidity: COINS, ticks: TICKS, owner: person },
          { liquidity: COINS / 2n, ticks: TICKS, owner: INCINERATOR },
        ]),
    },
  ]),
  {
    ...{ name: 'bins locked', summary: 'bins', expect: { trustStatus: 'Safe' } },
    place: (chain) =>
      placeBinPool(chain, 'bins locked', {
        bins: BINS,
        positions: [{ owner: INCINERATOR, from: -2, shares: [1_000n, 10n] }],
      }),
  },
  {
    ...{ name: 'bins free', summary: 'bins', expect: { trustStatus: 'Medium Risk' } },
    place: (chain) =>
      placeBinPool(chain, 'bins free', { bins: BINS, positions: [{ owner: person, from: -2, shares: [1_000n, 10n] }] }),
  },
  {
    ...{ name: 'a pool that a node must name', summary: 'cpmm', expect: { trustStatus: 'Safe' } },
    place: (chain) => launchInPool(chain, 'a pool that a node must name').mint,
  },
]
const OF_DEVNET = [
  ...['plain', 'immutable hook', 'hook that counts sales', 'trusted dollar', 'launch curve', 'fixed Metaplex name'],
  ...['scheduled fee', 'fee of 3 %', 'freezable', 'hook that denies sales', 'hook with a switch', 'one wallet'],
  ...['liquidity in one hand', 'copycat', 'frozen holders'],
]
const examples = [
  ...[...RULES, ...HOOKS, ...CONDITIONS, ...MARKETS].filter(({ name }) => OF_DEVNET.includes(name)),
  ...PLACED,
]
/** Where nothing can be played, a node tries a trade. */
const OF_TRIALS = ['plain', 'immutable hook', 'scheduled fee', 'freezable', 'hook that denies sales', 'fee of 99 %']
const tried = [...RULES, ...HOOKS].filter(({ name }) => OF_TRIALS.includes(name))

/** Those that the checks call, by what can be played. Each is lied about. */
const ALWAYS = ['getAccountInfo', 'getGenesisHash', 'getMultipleAccounts']
const LISTS = ['getSignaturesForAddress', 'getTokenLargestAccounts']
const METHODS: Readonly<Record<string, readonly string[]>> = {
  'played here': [...ALWAYS, 'getProgramAccounts', ...LISTS, 'getTransaction'],
  'tried by the node': [...ALWAYS, ...LISTS, 'simulateTransaction'],
}

/** One token in so many, other ones for each method. */
const SHARE = 5

interface Told {
  level: string
  gaps: readonly string[]
  isGuilty: boolean
  /** What a verdict stands on. */
  words: string
}

async function ask({ check }: Pick<SolanaStage, 'check'>, address: SolanaAddress): Promise<Told | undefined> {
  try {
    const report = await check({ address })
    if (report.kind !== 'token') return { level: report.level, gaps: ['no token'], words: '', isGuilty: false }
    const { level, gaps, isHoneypot, isTimeHoneypot, windows, findings } = report
    const taxes = windows.map(({ buyTaxBps, sellTaxBps }) => [buyTaxBps, sellTaxBps])
    const ids = findings.map(({ id, weight }) => [id, weight])
    const words = JSON.stringify([level, isHoneypot, isTimeHoneypot, taxes, ids])
    return { level, gaps, words, isGuilty: isHoneypot || isTimeHoneypot || level === 'Critical Risk' }
  } catch (error) {
    if (error instanceof SolanaUnavailableError) return undefined
    throw error
  }
}

const withoutMachine: SvmEngine = {
  play: () => Promise.reject(new SvmUnavailableError()),
  queued: () => 0,
  close: async () => {},
}

/** What is wrong with an answer to a lie; empty where nothing is. */
function wrongWith(told: Told, honest: Told): string[] {
  const isKinder = rankOf(told.level) < rankOf(told.gaps.length > 0 ? least(honest.level) : honest.level)
  return [
    ...(told.words !== honest.words && told.gaps.length === 0 ? ['says something else, and names no gap'] : []),
    ...(isKinder ? ['is kinder'] : []),
    ...(told.isGuilty && !honest.isGuilty ? ['is guilty'] : []),
  ]
}

const LEVELS: readonly string[] = TRUST_STATUSES
const rankOf = (level: string) => LEVELS.indexOf(level)
/** What is not known is Medium Risk at least, which no one takes for an acquittal. */
const least = (level: string) => (rankOf(level) > rankOf('Medium Risk') ? 'Medium Risk' : level)

interface Row {
  name: string
  address: SolanaAddress
  honest: Told
  calls: readonly { call: ProxyCall; answer: ProxyAnswer }[]
}

describe.each<[string, readonly SolanaExample[], () => SvmEngine | undefined]>([
  ['played here', examples, () => undefined],
  ['tried by the node', tried, () => withoutMachine],
])('%s', (where, placed, engine) => {
  let stage: SolanaStage
  let proxy: FaultProxy
  let rows: Row[]
  beforeAll(async () => {
    const given = engine()
    stage = await createSolanaStage({
      examples: placed,
      ...(given && { engine: given }),
      maxHeadAgeMs: 300_000,
      nodeUrls: async (url) => {
        proxy = await startFaultProxy(url)
        return [proxy.url]
      },
    })
    rows = []
    for (const { name } of placed) {
      const address = stage.addressOf(name)
      const calls: { call: ProxyCall; answer: ProxyAnswer }[] = []
      const record = (answer: ProxyAnswer, call: ProxyCall) => {
        calls.push({ call, answer: structuredClone(answer) })
        return answer
      }
      proxy.inject({ name: 'recorded', answer: record })
      const service = stage.fresh()
      const honest = await ask(service, address)
      await service.close()
      if (honest) rows.push({ name, address, honest, calls })
    }
    proxy.inject()
  })
  afterAll(async () => {
    await stage.close()
    await proxy.close()
  })

  test('the methods that decide are asked', () => {
    const methods = new Set(rows.flatMap(({ calls }) => calls.map(({ call }) => call.method)))
    expect(rows).toHaveLength(placed.length)
    expect([...methods].sort()).toEqual(METHODS[where])
  })

  test.each(someOf(Object.entries(LIES), 12))('answered with: %s', async (kind, lie) => {
    stage.devnet.chain.setTime(BigInt(Math.floor(Date.now() / 1_000)))
    const wrong: string[] = []
    for (const [turn, method] of (METHODS[where] ?? []).entries()) {
      const isTold = ({ calls }: Row) =>
        calls.some(({ call, answer }) => {
          const changed = call.method === method && lie(answer, call.params)
          return changed && JSON.stringify(changed) !== JSON.stringify(answer)
        })
      const service = stage.fresh()
      proxy.inject({ name: kind, method, answer: (answer, { params }) => lie(answer, params) })
      const lied = someOf(rows.filter(isTold), SHARE, turn)
      const answers = await Promise.all(lied.map(({ address }) => ask(service, address)))
      proxy.inject()
      await service.close()
      for (const [i, { name, honest }] of lied.entries()) {
        const told = answers[i]
        if (told) wrong.push(...wrongWith(told, honest).map((words) => `${method}: ${name} (${told.level}) ${words}`))
      }
    }
    expect(wrong).toEqual([])
  })

  test('nothing of it was kept', async () => {
    stage.devnet.chain.setTime(BigInt(Math.floor(Date.now() / 1_000)))
    const service = stage.fresh()
    const told = await Promise.all(rows.map(({ address }) => ask(service, address)))
    await service.close()
    expect(told.map((each) => each?.words)).toEqual(rows.map(({ honest }) => honest.words))
  })
})
