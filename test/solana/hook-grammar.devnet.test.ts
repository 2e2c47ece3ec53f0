import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SolanaChain } from '../../src/devnet/solana/cluster.js'
import {
  addressFor,
  hookEntry,
  placeData,
  placeHook,
  placeHookList,
  placeToken,
} from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import { extension, mintAccount, tokenAccount } from '../../src/devnet/solana/token-data.js'
import type { SolanaAddress } from '../../src/solana/address.js'
import { packed } from '../../src/solana/instruction.js'
import { WRAPPED_SOL } from '../../src/solana/programs.js'
import { someOf } from '../some-of.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/**
 * Every condition that a hook can put before a sale, on every market and with every other rule of
 * the token: each trap is High Risk at least, and each twin, which looks at the same, is Medium at
 * most.
 */
const HOUR = 3_600n
const DAY = 86_400n
const POOL = 600_000_000_000_000n
const word = (value: bigint) => packed([64, value])

interface Condition {
  name: string
  /** Of `contracts/solana/hook.c`. */
  behaviour: string
  /** Whether it hears which account is the market's. */
  seesVault?: boolean
  /** What stands in its own account; none without. */
  data?(chain: SolanaChain): Uint8Array
  writes?: boolean
}

const TRAPS: readonly Condition[] = [
  {
    name: 'six hours between the windows',
    behaviour: 'time-window',
    data: ({ clock }) => word(clock.unixTime + 30n * HOUR),
  },
  { name: 'six hours after day 7', behaviour: 'time-window', data: ({ clock }) => word(clock.unixTime + 11n * DAY) },
  { name: 'a month', behaviour: 'time-bomb', data: ({ clock }) => word(clock.unixTime + 30n * DAY) },
  { name: 'a slot', behaviour: 'slot-bomb', data: ({ clock }) => word(clock.slot + 5_000_000n) },
  { name: 'an epoch', behaviour: 'epoch-bomb', data: ({ clock }) => word(clock.epoch + 50n) },
  { name: 'the second sale', behaviour: 'sell-once', seesVault: true, data: () => new Uint8Array(32), writes: true },
  {
    name: 'the sixth sale',
    behaviour: 'sell-five-times',
    seesVault: true,
    data: () => new Uint8Array(32),
    writes: true,
  },
  { name: 'one seller in eight', behaviour: 'some-sellers', seesVault: true },
  { name: 'a switch', behaviour: 'switch', data: () => Uint8Array.of(0) },
  { name: 'a hash', behaviour: 'hashed-day' },
  { name: 'a small limit', behaviour: 'sell-limit', seesVault: true, data: () => word(POOL / 500n) },
  { name: 'a high minimum', behaviour: 'sell-minimum', seesVault: true, data: () => word(POOL / 20_000n) },
]

const TWINS: readonly Condition[] = [
  { name: 'nothing', behaviour: 'allow' },
  { name: 'a lock that is over', behaviour: 'time-lock', data: ({ clock }) => word(clock.unixTime - HOUR) },
  { name: 'a window that is over', behaviour: 'time-window', data: ({ clock }) => word(clock.unixTime - DAY) },
  { name: 'a slot that is over, as a lock', behaviour: 'time-lock', data: () => word(0n) },
  {
    name: 'sales that are counted',
    behaviour: 'count-sales',
    seesVault: true,
    data: () => new Uint8Array(32),
    writes: true,
  },
  { name: 'sellers that are looked at', behaviour: 'look-at-seller' },
  { name: 'a switch that is stuck', behaviour: 'blacklist', data: () => Uint8Array.of(0) },
  { name: 'a limit of half the market', behaviour: 'sell-limit', seesVault: true, data: () => word(POOL / 2n) },
  { name: 'a minimum of dust', behaviour: 'sell-minimum', seesVault: true, data: () => word(10n) },
]

const MARKETS = ['an exchange', 'an unknown program'] as const
const RULES: Readonly<Record<string, ReturnType<typeof extension.transferHook>[]>> = {
  'no other rule': [],
  'a display factor': [extension.scaledUiAmount(undefined, 2)],
}

function place(chain: SolanaChain, name: string, condition: Condition, market: string, rule: string): SolanaAddress {
  const { behaviour, seesVault, data, writes = false } = condition
  const hook = placeHook(chain, name, { behaviour })
  const isListed = market === 'an exchange'
  const extensions = [extension.transferHook(undefined, hook), ...(RULES[rule] ?? [])]
  const { mint, vault: listed } = placeToken(chain, name, {
    extensions,
    ...(!isListed && { distribution: { pool: 0, wallets: 20, burnt: 20 } }),
  })
  const vault = listed ?? addressFor(`vault of ${name}`, 'program')
  if (!isListed) {
    const owner = addressFor(`market of ${name}`, 'program')
    chain.set(
      vault,
      tokenAccount({ mint, mintAccount: chain.get(mint) ?? mintAccount({ supply: 0n }), owner, amount: POOL }),
    )
  }
  placeHookList(chain, hook, mint, [
    ...(seesVault ? [hookEntry.literal(vault)] : []),
    ...(data ? [hookEntry.literal(placeData(chain, name, hook, data(chain)), writes)] : []),
  ])
  return mint
}

/** One market and rule in so many of each condition. */
const SHARE = MARKETS.length * Object.keys(RULES).length

const all = [
  ...TRAPS.map((each) => ({ each, isTrap: true })),
  ...TWINS.map((each) => ({ each, isTrap: false })),
].flatMap(({ each, isTrap }) =>
  MARKETS.flatMap((market) =>
    Object.keys(RULES).map((rule) => {
      const name = `${each.name}, on ${market}, with ${rule}`
      const example: SolanaExample = {
        name,
        summary: name,
        expect: { trustStatus: isTrap ? 'High Risk' : 'Medium Risk' },
        place: (chain) => place(chain, name, each, market, rule),
      }
      return { name, isTrap, example }
    }),
  ),
)

const rows = someOf(all, SHARE)

let stage: SolanaStage
beforeAll(async () => {
  stage = await createSolanaStage({ examples: rows.map(({ example }) => example) })
})
afterAll(() => stage.close())

const GRAVE = ['High Risk', 'Critical Risk']

describe.each([
  ['traps', true],
  ['twins', false],
])('%s', (_, isTrap) => {
  test.each(rows.filter((row) => row.isTrap === isTrap))('$name', async ({ name }) => {
    const report = await stage.check({ address: stage.addressOf(name) })
    if (report.kind !== 'token') throw new Error('no token')
    expect(report.gaps).toEqual([])
    const ids = report.findings.map(({ id }) => id)
    expect(GRAVE.includes(report.level), `${report.level}: ${ids}`).toBe(isTrap)
  })
})

test('coins as a token are calm, whatever trades in them', async () => {
  const report = await stage.check({ address: WRAPPED_SOL })
  expect(GRAVE).not.toContain(report.level)
  expect(report).toMatchObject({ kind: 'token', isHoneypot: false, isTimeHoneypot: false, gaps: [] })
})
