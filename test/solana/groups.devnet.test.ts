import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SolanaChain } from '../../src/devnet/solana/cluster.js'
import { addressFor, placeToken } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import type { SolanaAddress } from '../../src/solana/address.js'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { ALL, NO_VOTE, placeGovernance, placeSquad, type SquadOrder } from './group-accounts.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/**
 * Who is behind the account that can freeze a token: several persons by Squads or SPL governance,
 * one person who looks like several, or not known.
 */
type Kind = 'group' | 'wallet' | 'program'
interface Case {
  name: string
  kind: Kind
  place(chain: SolanaChain, name: string): SolanaAddress
  threshold?: string
  delaySeconds?: number
}

const people = ['ann', 'bob', 'cid', 'dan', 'eve'].map((each) => addressFor(each))
const [ann = people[0] as SolanaAddress] = people
const voting = (count: number) => people.slice(0, count).map((key) => [key, ALL] as const)
const pda = (words: string) => [addressFor(words, 'program'), ALL] as const
const squad =
  (order: Omit<SquadOrder, 'version'> & { version?: 3 | 4 }): Case['place'] =>
  (chain, name) =>
    placeSquad(chain, name, { version: 4, ...order })

/** A member that is a multisig itself; `by` are its own members. */
type Inner = Omit<SquadOrder, 'version' | 'members'> & { by: readonly (SolanaAddress | Inner)[] }
const nested =
  ({ by, ...order }: Inner): Case['place'] =>
  (chain, name) => {
    const members = by.map((each, i) => (typeof each === 'string' ? each : nested(each)(chain, `${name} ${i}`)))
    return placeSquad(chain, name, { version: 4, ...order, members: members.map((key) => [key, ALL] as const) })
  }
const [, bob, cid, dan, eve] = people as [SolanaAddress, SolanaAddress, SolanaAddress, SolanaAddress, SolanaAddress]
const withCommunity =
  (wallets: readonly bigint[]): Case['place'] =>
  (chain, name) => {
    const community = { supply: 1_000n, wallets, threshold: 60 }
    const member = placeGovernance(chain, `${name}, a member`, { community })
    return placeSquad(chain, name, {
      ...{ version: 4, threshold: 2 },
      members: [
        [ann, ALL],
        [member, ALL],
      ],
    })
  }
const managedBy =
  (manager: Inner): Case['place'] =>
  (chain, name) =>
    placeSquad(chain, name, {
      ...{ version: 4, threshold: 2, members: voting(3) },
      manager: nested(manager)(chain, `${name}, its manager`),
    })

const SPREAD = { supply: 1_000n, wallets: [100n, 100n, 100n, 100n], records: [150n, 150n, 150n, 150n] }

const CASES: readonly Case[] = [
  { name: 'two of three', kind: 'group', threshold: '2 of 3', place: squad({ threshold: 2, members: voting(3) }) },
  {
    name: 'three of five with a time lock, second vault',
    kind: 'group',
    threshold: '3 of 5',
    delaySeconds: 86_400,
    place: squad({ threshold: 3, members: voting(5), timeLock: 86_400, vault: 1 }),
  },
  {
    name: 'two of three, version 3',
    kind: 'group',
    threshold: '2 of 3',
    place: squad({ version: 3, threshold: 2, members: voting(3) }),
  },
  {
    name: 'three of four, one of them an address of a program',
    kind: 'group',
    threshold: '3 of 4',
    place: squad({ threshold: 3, members: [...voting(3), pda('another vault')] }),
  },
  { name: 'one of three', kind: 'wallet', threshold: '1 of 3', place: squad({ threshold: 1, members: voting(3) }) },
  {
    name: 'one of three with a time lock',
    kind: 'wallet',
    delaySeconds: 3_600,
    place: squad({ threshold: 1, members: voting(3), timeLock: 3_600 }),
  },
  {
    name: 'one of three, version 3',
    kind: 'wallet',
    place: squad({ version: 3, threshold: 1, members: voting(3) }),
  },
  {
    name: 'one key twice',
    kind: 'wallet',
    threshold: '2 of 1',
    place: squad({ threshold: 2, members: [...voting(1), ...voting(1)] }),
  },
  {
    name: 'one key twice, version 3',
    kind: 'wallet',
    place: squad({ version: 3, threshold: 2, members: [...voting(1), ...voting(1)] }),
  },
  {
    name: 'one who votes among three members',
    kind: 'wallet',
    place: squad({ threshold: 1, members: [[ann, ALL], ...people.slice(1, 3).map((key) => [key, NO_VOTE] as const)] }),
  },
  {
    name: 'two of three, two of them addresses of programs',
    kind: 'wallet',
    place: squad({ threshold: 2, members: [[ann, ALL], pda('puppet one'), pda('puppet two')] }),
  },
  {
    name: 'two of three, managed by a wallet',
    kind: 'wallet',
    place: squad({ threshold: 2, members: voting(3), manager: ann }),
  },
  {
    name: 'two of three, managed by an unknown program',
    kind: 'program',
    place: squad({ threshold: 2, members: voting(3), manager: addressFor('a manager', 'program') }),
  },
  {
    name: 'two of three of a program that looks like it',
    kind: 'program',
    place: squad({ threshold: 2, members: voting(3), program: addressFor('an imitation', 'program') }),
  },
  {
    name: 'a community',
    kind: 'group',
    threshold: '4 of 8',
    delaySeconds: 172_800,
    place: (chain, name) => placeGovernance(chain, name, { community: { ...SPREAD, threshold: 60 }, holdUp: 172_800 }),
  },
  {
    name: 'the treasury of a community',
    kind: 'group',
    threshold: '4 of 8',
    place: (chain, name) => placeGovernance(chain, name, { community: { ...SPREAD, threshold: 60 }, isTreasury: true }),
  },
  {
    name: 'a council of three',
    kind: 'group',
    threshold: '2 of 3',
    place: (chain, name) =>
      placeGovernance(chain, name, {
        community: SPREAD,
        council: { supply: 3n, records: [1n, 1n, 1n], threshold: 60 },
      }),
  },
  {
    name: 'a community of which one has most votes',
    kind: 'wallet',
    threshold: '1 of 3',
    place: (chain, name) =>
      placeGovernance(chain, name, { community: { supply: 1_000n, wallets: [700n, 200n, 100n], threshold: 60 } }),
  },
  {
    name: 'a community of which one has put in most votes',
    kind: 'wallet',
    place: (chain, name) =>
      placeGovernance(chain, name, { community: { supply: 1_000n, records: [700n], wallets: [300n], threshold: 60 } }),
  },
  {
    name: 'a community where a hundredth is enough',
    kind: 'wallet',
    place: (chain, name) => placeGovernance(chain, name, { community: { ...SPREAD, threshold: 1 } }),
  },
  {
    name: 'a community beside a council of one',
    kind: 'wallet',
    place: (chain, name) =>
      placeGovernance(chain, name, {
        community: { ...SPREAD, threshold: 60 },
        council: { supply: 1n, records: [1n], threshold: 60 },
      }),
  },
  {
    name: 'a council whose votes one wallet makes',
    kind: 'wallet',
    place: (chain, name) =>
      placeGovernance(chain, name, {
        community: SPREAD,
        council: { supply: 3n, records: [1n, 1n, 1n], threshold: 60, mintAuthority: ann },
      }),
  },
  {
    name: 'a community whose rules one wallet changes',
    kind: 'wallet',
    place: (chain, name) => placeGovernance(chain, name, { community: { ...SPREAD, threshold: 60 }, authority: ann }),
  },
  {
    name: 'a community whose votes a program weighs',
    kind: 'program',
    place: (chain, name) =>
      placeGovernance(chain, name, {
        community: { ...SPREAD, threshold: 60 },
        addin: addressFor('an addin', 'program'),
      }),
  },
  {
    name: 'two of two, both multisigs of one person',
    kind: 'wallet',
    threshold: '2 of 2',
    place: nested({
      threshold: 2,
      by: [
        { threshold: 1, by: [ann] },
        { threshold: 1, by: [ann] },
      ],
    }),
  },
  {
    name: 'two of two, both multisigs of one person below multisigs',
    kind: 'wallet',
    place: nested({
      threshold: 2,
      by: [
        { threshold: 1, by: [{ threshold: 1, by: [ann] }] },
        { threshold: 1, by: [ann] },
      ],
    }),
  },
  {
    name: 'two of three multisigs, in two of which one person is enough',
    kind: 'wallet',
    place: nested({
      threshold: 2,
      by: [
        { threshold: 1, by: [ann, bob] },
        { threshold: 1, by: [ann, cid] },
        { threshold: 2, by: [dan, eve] },
      ],
    }),
  },
  {
    name: 'a person and a community of which one has most votes',
    kind: 'wallet',
    place: withCommunity([700n, 300n]),
  },
  { name: 'two of three, managed by a multisig of one', kind: 'wallet', place: managedBy({ threshold: 1, by: [dan] }) },
  {
    name: 'one of three, managed by an unknown program',
    kind: 'wallet',
    place: squad({ threshold: 1, members: voting(3), manager: addressFor('another manager', 'program') }),
  },
  {
    name: 'two of two, both unknown addresses of programs',
    kind: 'program',
    place: squad({ threshold: 2, members: [pda('unknown one'), pda('unknown two')] }),
  },
  {
    name: 'two of three multisigs of several',
    kind: 'group',
    threshold: '2 of 3',
    place: nested({
      threshold: 2,
      by: [
        { threshold: 2, by: [ann, bob] },
        { threshold: 2, by: [bob, cid] },
        { threshold: 2, by: [dan, eve] },
      ],
    }),
  },
  {
    name: 'two of three, two of them multisigs of one person each',
    kind: 'group',
    place: nested({ threshold: 2, by: [ann, { threshold: 1, by: [bob] }, { threshold: 1, by: [cid] }] }),
  },
  {
    name: 'one of one, a multisig of several',
    kind: 'group',
    threshold: '1 of 1',
    place: nested({ threshold: 1, by: [{ threshold: 2, by: [ann, bob, cid] }] }),
  },
  { name: 'a person and a community', kind: 'group', place: withCommunity([300n, 300n, 200n, 200n]) },
  {
    name: 'two of three, managed by a multisig of several',
    kind: 'group',
    place: managedBy({ threshold: 2, by: [dan, eve] }),
  },
  {
    name: 'a community of a copy of the program',
    kind: 'program',
    place: (chain, name) =>
      placeGovernance(chain, name, {
        community: { ...SPREAD, threshold: 60 },
        program: addressFor('a copy of governance', 'program'),
      }),
  },
]

/** Addresses of which no transaction tells anything, as far as a node says: one person may act. */
const UNTOLD: readonly Pick<Case, 'name' | 'place'>[] = [
  { name: 'a vault that never did anything', place: squad({ threshold: 1, members: voting(3), isUsed: false }) },
  {
    name: 'two of two, both vaults that never did anything',
    place: nested({
      threshold: 2,
      by: [
        { threshold: 1, by: [ann], isUsed: false },
        { threshold: 1, by: [ann], isUsed: false },
      ],
    }),
  },
]

const exampleOf = ({ name, place }: Pick<Case, 'name' | 'place'>): SolanaExample => ({
  name,
  summary: name,
  expect: { trustStatus: 'Medium Risk' },
  place: (chain) => placeToken(chain, name, { freezeAuthority: place(chain, name) }).mint,
})

async function ask(stage: SolanaStage, name: string) {
  const report = await stage.check({ address: stage.addressOf(name) })
  if (report.kind !== 'token') throw new Error(`${name} is no token`)
  const { authority, group } = report.authorities.find(({ power }) => power === 'freeze') ?? {}
  const threshold = group && `${group.threshold.required} of ${group.threshold.of}`
  return { ...report, held: authority?.kind, threshold, delaySeconds: group?.delaySeconds ?? 0 }
}

describe('behind an address', () => {
  let stage: SolanaStage
  let proxy: FaultProxy
  beforeAll(async () => {
    stage = await createSolanaStage({
      examples: [...CASES, ...UNTOLD].map(exampleOf),
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

  test.each(CASES)('$name: $kind', async ({ name, kind, threshold, delaySeconds }) => {
    const told = await ask(stage, name)
    expect(told.gaps).toEqual([])
    expect(told.held).toBe(kind)
    expect(told.level).toBe(kind === 'wallet' ? 'High Risk' : 'Medium Risk')
    if (threshold !== undefined) expect(told.threshold).toBe(threshold)
    if (delaySeconds !== undefined) expect(told.delaySeconds).toBe(delaySeconds)
  })

  test.each(UNTOLD)('$name: not known, and no better than a wallet', async ({ name }) => {
    const { gaps, level } = await ask(stage, name)
    expect(gaps).toEqual([expect.stringContaining('no node said who is behind')])
    expect(level).toBe('High Risk')
  })

  test.each([
    ['getSignaturesForAddress', 'one of three'],
    ['getTransaction', 'one of three'],
    ['getSignaturesForAddress', 'two of two, both multisigs of one person'],
    ['getProgramAccounts', 'a community of which one has put in most votes'],
  ])('a node that refuses %s leaves a gap', async (method, name) => {
    proxy.inject({
      name: 'refused',
      method,
      answer: (honest) => ({ ...honest, result: undefined, error: { code: -32601, message: 'not here' } }),
    })
    const { gaps, level } = await ask(stage, name)
    proxy.inject()
    expect(gaps).toContainEqual(expect.stringContaining('no node said who is behind'))
    expect(level).toBe('High Risk')
  })
})

test('a multisig whose program one wallet can replace is that wallet', async () => {
  const name = 'two of three, for now'
  const place = squad({ threshold: 2, members: voting(3), upgradeAuthority: ann })
  const stage = await createSolanaStage({ examples: [exampleOf({ name, place })] })
  const { held, level } = await ask(stage, name)
  await stage.close()
  expect(held).toBe('wallet')
  expect(level).toBe('High Risk')
})
