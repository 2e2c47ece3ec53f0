import { afterEach, describe, expect, test } from 'vitest'
import type { SolanaTokenReport } from '../../src/checks/solana/solana-report.js'
import { MARKETS } from '../../src/devnet/solana/examples/markets.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import { packed } from '../../src/solana/instruction.js'
import { associatedTokenAddress, findProgramAddress } from '../../src/solana/pda.js'
import { LAYOUT_OF_VAULT_OWNER } from '../../src/solana/pools/layouts.js'
import { ATA_PROGRAM, CLOCK_SYSVAR, EPOCH_SCHEDULE_SYSVAR, TOKEN_PROGRAM } from '../../src/solana/programs.js'
import { SolanaUnavailableError } from '../../src/solana/rpc/solana-rpc-client.js'
import { type Fault, type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { someOf } from '../some-of.js'
import { createSolanaStage, type Judged } from './solana-stage.js'

/** A node that answers each question, but one of them wrongly, all the time. */

const HARMLESS = ['plain', 'immutable hook']
const HOSTILE = ['scheduled fee', 'freezable', 'hook that denies sales']
const examples = [...RULES, ...HOOKS, ...MARKETS].filter(({ name }) => [...HARMLESS, ...HOSTILE].includes(name))
const ORDER = ['Safe', 'Low Risk', 'Medium Risk', 'High Risk', 'Critical Risk']

interface AccountAnswer {
  data: [string, string]
  owner: string
  executable: boolean
}

/** Changes what a node says of the accounts that were asked for. */
const account = (name: string, change: (account: AccountAnswer, address: string) => AccountAnswer | null): Fault => ({
  name,
  method: 'getMultipleAccounts',
  answer(honest, { params }) {
    const { value } = honest.result as { value: (AccountAnswer | null)[] }
    const addresses = params[0] as string[]
    value.forEach((each, i) => {
      value[i] = each && change(each, addresses[i] ?? '')
    })
    return honest
  },
})

const bytesOf = ({ data }: AccountAnswer) => Buffer.from(data[0], 'base64')
const withBytes = (of: AccountAnswer, bytes: Buffer): AccountAnswer => ({
  ...of,
  data: [bytes.toString('base64'), 'base64'],
})
const only =
  (address: string, change: (account: AccountAnswer) => AccountAnswer | null) => (each: AccountAnswer, at: string) =>
    at === address ? change(each) : each

/** An epoch that never ends. */
const LONG_EPOCHS = Buffer.from(packed([64, 10n ** 12n], [64, 10n ** 12n], [8, 0], [64, 0], [64, 0]))
const longEpochs = only(EPOCH_SCHEDULE_SYSVAR, (each) => withBytes(each, LONG_EPOCHS))
const FEATURE_PROGRAM = 'Feature111111111111111111111111111111111111'
const isFeature = ({ owner }: AccountAnswer) => owner === FEATURE_PROGRAM

const FORGED_CODE = 'all programs are empty'

/**
 * What a node is found out by, also where it is the only one: it contradicts itself, asked by
 * another method, or what is true of all clusters.
 */
const FOUND_OUT: readonly Fault[] = [
  account('an epoch that never ends', longEpochs),
  account(
    'no schedule of epochs',
    only(EPOCH_SCHEDULE_SYSVAR, () => null),
  ),
  account('an epoch that never ends, and a clock that agrees', (each, at) => {
    if (at !== CLOCK_SYSVAR) return longEpochs(each, at)
    const bytes = bytesOf(each)
    bytes.writeBigUInt64LE(0n, 16)
    return withBytes(each, bytes)
  }),
  account(
    'the token program is nowhere',
    only(TOKEN_PROGRAM, () => null),
  ),
  account(
    'the token program is data',
    only(TOKEN_PROGRAM, (each) => ({ ...each, executable: false })),
  ),
  account(
    'the program for accounts is nowhere',
    only(ATA_PROGRAM, () => null),
  ),
  account('no change of rules but one is on', (each, at) => (isFeature(each) && !at.startsWith('A') ? null : each)),
  {
    name: 'the largest account is left out',
    method: 'getTokenLargestAccounts',
    answer(honest) {
      ;(honest.result as { value: unknown[] }).value.shift()
      return honest
    },
  },
  {
    name: 'the largest accounts are none',
    method: 'getTokenLargestAccounts',
    answer: (honest) => ({ ...honest, result: { ...(honest.result as object), value: [] } }),
  },
  account(FORGED_CODE, (each) =>
    each.owner === 'BPFLoaderUpgradeab1e11111111111111111111111' && !each.executable
      ? withBytes(each, bytesOf(each).fill(0, 45))
      : each,
  ),
  account('all tokens lie with one wallet', (each) => {
    const bytes = bytesOf(each)
    return bytes.length < 165 || !each.owner.startsWith('Token') || bytes[45] === 1
      ? each
      : withBytes(each, bytes.fill(7, 32, 64))
  }),
  account(
    'a day ago',
    only(CLOCK_SYSVAR, (each) => {
      const bytes = bytesOf(each)
      bytes.writeBigInt64LE(bytes.readBigInt64LE(32) - 86_400n, 32)
      return withBytes(each, bytes)
    }),
  ),
]

/** One lie in so many, other ones each day. */
const SHARE = 6

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

type Nodes = 'one node' | 'a lying node before an honest one'

/** A check that has remembered nothing yet. */
async function setUp(nodes: Nodes) {
  let proxy: FaultProxy | undefined
  const stage = await createSolanaStage({
    examples,
    nodeUrls: async (url) => {
      proxy = await startFaultProxy(url)
      return nodes === 'one node' ? [proxy.url] : [proxy.url, url]
    },
  })
  open.push(stage.close, async () => proxy?.close())
  const ask = async (name: string, ...lies: Fault[]): Promise<Judged<SolanaTokenReport>> => {
    proxy?.inject(...lies)
    const report = await stage.check({ address: stage.addressOf(name) })
    if (report.kind !== 'token') throw new Error(`${name} is no token`)
    return report
  }
  return { stage, ask }
}

const expectedOf = (name: string) => examples.find((each) => each.name === name)?.expect.trustStatus ?? ''
const isAtLeast = (level: string, least: string) => ORDER.indexOf(level) >= ORDER.indexOf(least)

describe.each<[Nodes, readonly Fault[]]>([
  ['one node', FOUND_OUT],
  ['a lying node before an honest one', FOUND_OUT],
])('%s', (nodes, lies) => {
  test.each(someOf(lies, SHARE).map((lie) => [lie.name, lie] as const))('that says: %s', async (_name, lie) => {
    const { ask } = await setUp(nodes)
    for (const name of HARMLESS) {
      const { level, isHoneypot, gaps } = await ask(name, lie)
      expect({ name, level, isHoneypot }).toEqual({ name, level: 'Medium Risk', isHoneypot: false })
      expect(gaps, name).not.toEqual([])
    }
    for (const name of HOSTILE) {
      const { level, gaps } = await ask(name, lie)
      // Of code that two sources give differently, neither is run.
      const least = lie.name === FORGED_CODE ? 'Medium Risk' : expectedOf(name)
      expect(isAtLeast(level, least), `${name}: ${level}`).toBe(true)
      expect(gaps, name).not.toEqual([])
    }
    // Nothing of it is kept.
    for (const name of [...HARMLESS, ...HOSTILE]) {
      expect(await ask(name), name).toMatchObject({ gaps: [], level: expectedOf(name) })
    }
  })
})

test.each([
  ['30 days ahead', 30n * 86_400n],
  ['an hour ahead', 3_600n],
])('a clock that is %s is no answer', async (_, seconds) => {
  const lie = account(
    'ahead',
    only(CLOCK_SYSVAR, (each) => {
      const bytes = bytesOf(each)
      bytes.writeBigInt64LE(bytes.readBigInt64LE(32) + seconds, 32)
      return withBytes(each, bytes)
    }),
  )
  const alone = await setUp('one node')
  await expect(alone.ask('plain', lie)).rejects.toThrow(SolanaUnavailableError)
  const second = await setUp('a lying node before an honest one')
  expect(await second.ask('plain', lie)).toMatchObject({ gaps: [], level: 'Safe' })
})

/** Has a stranger put tokens into an account in the name of an exchange, more than its pool has. */
async function giveToExchange({ stage, ask }: Awaited<ReturnType<typeof setUp>>, place: Place): Promise<void> {
  const { chain } = stage.devnet
  const mint = stage.addressOf('plain')
  const [authority] = [...LAYOUT_OF_VAULT_OWNER.keys()]
  const vault = (await ask('plain')).play?.vault
  const held = vault && chain.get(vault.address)
  const supply = chain.get(mint)
  if (!authority || !vault || !held || !supply) throw new Error('no vault')
  const amount = vault.amount + 30_000_000_000_000n
  const data = Uint8Array.from(held.data)
  data.set(addressBytes(authority), 32)
  data.set(packed([64, amount]), 64)
  chain.set(place(authority, mint), { ...held, data })
  const grown = Uint8Array.from(supply.data)
  grown.set(packed([64, 1_000_000_000_000_000n + amount]), 36)
  chain.set(mint, { ...supply, data: grown })
}

type Place = (authority: SolanaAddress, mint: SolanaAddress) => SolanaAddress
const asWallets: Place = (authority, mint) => associatedTokenAddress(authority, mint, TOKEN_PROGRAM)
/** Of a program of the stranger's own: vaults of exchanges are such addresses, too. */
const asVaults: Place = (_, mint) => findProgramAddress(ATA_PROGRAM, [addressBytes(mint)]) ?? mint

const refusesToList: Fault = {
  name: 'refuses getProgramAccounts',
  method: 'getProgramAccounts',
  answer: ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }),
}

test('an account that anyone opened in the name of an exchange hides no pool', async () => {
  const nodes = await setUp('one node')
  await giveToExchange(nodes, asWallets)
  expect((await nodes.ask('plain', refusesToList)).gaps).toEqual([])
})

test('nor does one that could be a vault, where two nodes know of no pool', async () => {
  const nodes = await setUp('a lying node before an honest one')
  await giveToExchange(nodes, asVaults)
  expect(await nodes.ask('plain')).toMatchObject({ gaps: [], level: 'Safe' })
})

test('what one node alone knows no pool of may be hidden', async () => {
  const nodes = await setUp('one node')
  await giveToExchange(nodes, asVaults)
  const { gaps, level } = await nodes.ask('plain')
  expect([gaps, level]).toEqual([['a pool of a known exchange could not be looked up'], 'Medium Risk'])
})
