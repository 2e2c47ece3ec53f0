import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RENT, type SolanaChain } from '../../src/devnet/solana/cluster.js'
import { addressFor, placeMultisig, placeToken, readProgram } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import type { SolanaAddress } from '../../src/solana/address.js'
import { TOKEN_PROGRAM } from '../../src/solana/programs.js'
import { ALL, placeGovernance, placeSquad, placeStakePool } from './group-accounts.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/**
 * Who makes new tokens, and who can freeze them: one person weighs as one, however it looks,
 * several weigh half of that, and a program weighs by what is known of its rules.
 */
type Place = (chain: SolanaChain, name: string) => SolanaAddress
interface Case {
  name: string
  place: Place
  mint: number
  freeze: number
}

const [ann, bob, cid, dan, eve] = ['ann', 'bob', 'cid', 'dan', 'eve'].map((each) => addressFor(each)) as [
  SolanaAddress,
  SolanaAddress,
  SolanaAddress,
  SolanaAddress,
  SolanaAddress,
]
const ONE = { mint: 61, freeze: 80 }
const SEVERAL = { mint: 30, freeze: 40 }

const multisig =
  (required: number, ...members: (SolanaAddress | Place)[]): Place =>
  (chain, name) => {
    const keys = members.map((each, i) => (typeof each === 'string' ? each : each(chain, `${name} ${i}`)))
    return placeMultisig(chain, name, TOKEN_PROGRAM, { required, members: keys })
  }
const vault =
  (threshold: number, ...members: SolanaAddress[]): Place =>
  (chain, name) =>
    placeSquad(chain, name, { version: 4, threshold, members: members.map((key) => [key, ALL] as const) })
const accountOfProgram =
  (upgradeAuthority?: SolanaAddress): Place =>
  (chain, name) => {
    const program = addressFor(`program of ${name}`, 'program')
    const holder = addressFor(`account of the program of ${name}`, 'program')
    chain.deploy(program, readProgram('hook-allow'), upgradeAuthority)
    chain.set(holder, { lamports: RENT, owner: program, executable: false, data: new Uint8Array(8) })
    return holder
  }
const community =
  (...wallets: bigint[]): Place =>
  (chain, name) =>
    placeGovernance(chain, name, { community: { supply: 1_000n, wallets, threshold: 60 } })

const CASES: readonly Case[] = [
  { name: 'one key', ...ONE, place: () => ann },
  { name: 'three of five, one key in three places', ...ONE, place: multisig(3, ann, bob, ann, cid, ann) },
  { name: 'three of five keys', ...SEVERAL, place: multisig(3, ann, bob, cid, dan, eve) },
  { name: 'two of three, two of them vaults of one', ...ONE, place: multisig(2, vault(1, ann), vault(1, ann), bob) },
  { name: 'two of three, a key and its own vault', ...ONE, place: multisig(2, ann, vault(1, ann), bob) },
  { name: 'two of two, a key and a vault of others', ...SEVERAL, place: multisig(2, ann, vault(2, bob, cid)) },
  { name: 'a vault of two of three', ...SEVERAL, place: vault(2, ann, bob, cid) },
  { name: 'a community', ...SEVERAL, place: community(300n, 300n, 200n, 200n) },
  { name: 'a community of which one has most votes', ...ONE, place: community(700n, 300n) },
  { name: 'a stake pool', mint: 24, freeze: 68, place: placeStakePool },
  {
    name: 'a copy of a stake pool',
    ...{ mint: 51, freeze: 68 },
    place: (chain, name) => placeStakePool(chain, name, { program: addressFor('a copy of stake pools', 'program') }),
  },
  { name: 'an account of a program for ever', mint: 42, freeze: 56, place: accountOfProgram() },
  { name: 'an account of a program of one wallet', ...ONE, place: accountOfProgram(ann) },
]

const nameOf = (power: string, name: string) => `${power}: ${name}`
const examples = CASES.flatMap(({ name, place }): SolanaExample[] =>
  (['mintAuthority', 'freezeAuthority'] as const).map((power) => ({
    name: nameOf(power, name),
    summary: name,
    expect: { trustStatus: 'Medium Risk' },
    place: (chain) => placeToken(chain, nameOf(power, name), { [power]: place(chain, nameOf(power, name)) }).mint,
  })),
)

let stage: SolanaStage
beforeAll(async () => {
  stage = await createSolanaStage({ examples })
})
afterAll(() => stage.close())

async function scoreOf(name: string) {
  const report = await stage.check({ address: stage.addressOf(name) })
  if (report.kind !== 'token') throw new Error(`${name} is no token`)
  expect(report.gaps).toEqual([])
  return report.score
}

describe('a power weighs by who can use it', () => {
  test.each(CASES)('$name makes tokens: $mint', async ({ name, mint }) => {
    expect(await scoreOf(nameOf('mintAuthority', name))).toBe(mint)
  })

  test.each(CASES)('$name freezes: $freeze', async ({ name, freeze }) => {
    expect(await scoreOf(nameOf('freezeAuthority', name))).toBe(freeze)
  })
})

test('a stake pool whose program one wallet can replace is that wallet', async () => {
  const name = 'a stake pool for now'
  const place: SolanaExample['place'] = (chain) =>
    placeToken(chain, name, { mintAuthority: placeStakePool(chain, name, { upgradeAuthority: ann }) }).mint
  const own = await createSolanaStage({
    examples: [{ name, summary: name, expect: { trustStatus: 'Medium Risk' }, place }],
  })
  const report = await own.check({ address: own.addressOf(name) })
  await own.close()
  expect(report.score).toBe(ONE.mint)
})
