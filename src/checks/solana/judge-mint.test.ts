import { describe, expect, test } from 'vitest'
import { address, addressAt, type SolanaAddress } from '../../solana/address.js'
import { TOKEN_2022_PROGRAM, USDC, WRAPPED_SOL } from '../../solana/programs.js'
import type { Mint } from '../../solana/token/mint.js'
import { byDepth } from './find-pools.js'
import type { GroupStanding } from './group-standing.js'
import { judgeExtensions, judgeFeeUntried, judgeHolders, judgePowers } from './judge-mint.js'
import { judgePools } from './judge-pools.js'
import type { PowerFacts } from './play/play-facts.js'
import { FINDINGS } from './solana-findings.js'
import type { Holder, PoolReport } from './solana-report.js'

const mint = addressAt(new Uint8Array(32).fill(8))
const ownSol = addressAt(new Uint8Array(32).fill(9))

function poolOf(quoteMint: SolanaAddress, quote: bigint, lockedBps: number, token = 10n ** 15n): PoolReport {
  const pool: PoolReport['pool'] = {
    venue: 'raydium-cpmm',
    ...{ address: mint, program: mint, mints: [mint, quoteMint], vaults: [mint, mint], vaultOwner: mint },
    ...{ status: 'open', liquidity: { kind: 'lp-token', mint, issued: 1n } },
  }
  const { liquidity } = pool
  return {
    pool,
    name: 'a pool',
    reserves: { token, quote },
    isQuoteFrozen: false,
    quoteDecimals: 9,
    price: undefined,
    quoteMint,
    liquidity,
    lockedBps,
    positions: [],
  }
}

const BONK = address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263')

const withLiquidity = (report: PoolReport, liquidity: PoolReport['liquidity']): PoolReport => ({
  ...report,
  liquidity,
  pool: { ...report.pool, liquidity },
})

/** Of a price of one. */
const concentrated = (quote: bigint, liquidity: bigint) =>
  withLiquidity(poolOf(WRAPPED_SOL, quote, 10_000), {
    ...{ kind: 'positions', sqrtPrice: 1n << 64n, atPrice: { liquidity, tick: 0 } },
  })

const onCurve = (quote: bigint) => withLiquidity(poolOf(WRAPPED_SOL, quote, 10_000), { kind: 'curve' })

const idsOf = (...pools: PoolReport[]) => judgePools(pools).map(({ id }) => id)
const SOL = 1_000_000_000n

describe('judgePools', () => {
  test.each<[string, PoolReport[], string[]]>([
    ['a deep pool that is locked', [poolOf(WRAPPED_SOL, 50n * SOL, 10_000)], []],
    ['a young pool of two coins', [poolOf(WRAPPED_SOL, 2n * SOL, 10_000)], []],
    ['a small pool in dollars', [poolOf(USDC, 50_000_000n, 10_000)], []],
    ['two dollars', [poolOf(USDC, 2_000_000n, 10_000)], ['thin-market']],
    ['a hundredth of a coin', [poolOf(WRAPPED_SOL, 10_000_000n, 10_000)], ['thin-market']],
    ['less than a hundredth of a coin', [poolOf(WRAPPED_SOL, 9_999_999n, 10_000)], ['liquidity-gone']],
    ['less than a dollar', [poolOf(USDC, 999_999n, 10_000)], ['liquidity-gone']],
    ['a few units of a known token', [poolOf(BONK, 100_000n, 10_000)], ['liquidity-gone']],
    ['much of a known token', [poolOf(BONK, 10n ** 12n, 10_000)], []],
    ["the author's own coins", [poolOf(ownSol, 10n ** 18n, 10_000)], ['no-pool', 'thin-market']],
    [
      "the author's own coins beside a hundredth of a coin",
      [poolOf(WRAPPED_SOL, 10_000_000n, 10_000), poolOf(ownSol, 10n ** 18n, 10_000)],
      ['thin-market'],
    ],
    [
      "the author's own coins beside a few coins",
      [poolOf(WRAPPED_SOL, 3n * SOL, 10_000), poolOf(ownSol, 10n ** 18n, 10_000)],
      [],
    ],
    [
      'small pools that are enough together',
      [poolOf(WRAPPED_SOL, SOL / 4n, 10_000), poolOf(USDC, 30_000_000n, 10_000)],
      [],
    ],
    ['coins that lie far below the price', [concentrated(50n * SOL, SOL / 100n)], ['thin-market']],
    ['coins that lie at the price', [concentrated(50n * SOL, 50n * SOL)], []],
    ['a launch curve that has just begun', [onCurve(0n)], []],
    [
      'a locked pool beside a deeper one that is not',
      [poolOf(WRAPPED_SOL, 50n * SOL, 0), poolOf(WRAPPED_SOL, SOL, 10_000)],
      ['liquidity-not-locked'],
    ],
    [
      'an open pool beside a deeper one that is locked',
      [poolOf(WRAPPED_SOL, 50n * SOL, 10_000), poolOf(WRAPPED_SOL, SOL, 0)],
      [],
    ],
    ['no pool', [], ['no-pool']],
    ['a pool that cannot pay', [{ ...poolOf(WRAPPED_SOL, 50n * SOL, 10_000), isQuoteFrozen: true }], ['quote-frozen']],
  ])('%s', (_, pools, expected) => {
    expect(idsOf(...pools)).toEqual(expected)
  })
})

test('pools are put in order by what they hold of coins and dollars, and not by the token', () => {
  const coins = poolOf(WRAPPED_SOL, 50n * SOL, 10_000, 10n ** 12n)
  const dollars = poolOf(USDC, 20_000_000n, 10_000, 10n ** 16n)
  const more = poolOf(USDC, 90_000_000_000n, 10_000, 1n)
  expect([dollars, coins].sort(byDepth)).toEqual([coins, dollars])
  expect([coins, more].sort(byDepth)).toEqual([more, coins])
})

const SUPPLY = 10n ** 12n
const plain: Mint = {
  address: mint,
  tokenProgram: TOKEN_2022_PROGRAM,
  supply: SUPPLY,
  decimals: 6,
  mintAuthority: undefined,
  freezeAuthority: undefined,
  extensions: {},
  extensionNames: [],
  unknownExtensions: [],
  malformed: false,
}

describe('judgeHolders', () => {
  const wallets = (count: number, percent: bigint): Holder[] =>
    Array.from({ length: count }, (_, i) => {
      const owner = addressAt(new Uint8Array(32).fill(i + 1))
      return { account: owner, owner, amount: (SUPPLY * percent) / 100n, frozen: false, kind: 'wallet' }
    })
  test.each<[string, Holder[], string[]]>([
    ['nineteen wallets of 4 %', wallets(19, 4n), ['concentrated-supply']],
    ['ten wallets of 6 %', wallets(10, 6n), ['concentrated-supply']],
    ['twenty wallets of 3 %', wallets(20, 3n), []],
    ['nineteen wallets of 1 %', wallets(19, 1n), []],
  ])('%s', (_, holders, expected) => {
    expect(judgeHolders(plain, holders).map(({ id }) => id)).toEqual(expected)
  })
})

describe('what wallets show', () => {
  const NOW = 1_800_000_000n
  const scaled = (multiplier: number, newMultiplier: number, newTime: bigint): Mint => ({
    ...plain,
    extensions: { scaledUiAmount: { authority: undefined, multiplier, newMultiplier, newTime } },
  })
  const interest = (rateBps: number): Mint => ({
    ...plain,
    extensions: { interestBearing: { authority: undefined, rateBps } },
  })
  test.each<[string, Mint, string[]]>([
    ['a factor as it is', scaled(10, 10, 0n), ['scaled-display']],
    ['a factor that grew long ago', scaled(1, 10, NOW - 1n), ['scaled-display']],
    ['dividends that come', scaled(10, 10.2, NOW + 1n), ['scaled-display']],
    ['a factor that will be a thousand', scaled(1, 1_000, NOW + 1n), ['distorted-display']],
    ['a factor that will be nothing', scaled(1, 0, NOW + 1n), ['distorted-display']],
    ['a factor that will be no number', scaled(1, Number.NaN, NOW + 1n), ['distorted-display']],
    ['interest of 5 %', interest(500), ['interest-display']],
    ['interest of 300 %', interest(30_000), ['distorted-display']],
  ])('%s', (_, of, expected) => {
    expect(judgeExtensions(of, undefined, NOW).map(({ id }) => id)).toEqual(expected)
  })
})

describe('a fee that could not be tried', () => {
  const ofFee = (maximum: bigint): Mint => ({
    ...plain,
    extensions: {
      transferFee: {
        ...{ authority: undefined, withdrawAuthority: undefined, withheld: 0n },
        ...{ older: { epoch: 0n, bps: 0, maximum }, newer: { epoch: 9n, bps: 3_000, maximum } },
      },
    },
  })
  const NO_CAP = 2n ** 64n - 1n
  const idsOfFee = (of: Mint, amount?: bigint) => judgeFeeUntried(of, 7n, amount).map(({ id }) => id)

  test('counts as if it were tried', () => {
    expect(idsOfFee(ofFee(NO_CAP))).toEqual(['high-tax'])
    expect(idsOfFee(ofFee(NO_CAP), 10n ** 9n)).toEqual(['high-tax'])
  })

  test('is what its cap leaves of it', () => {
    expect(idsOfFee(ofFee(1_000n), 10n ** 9n)).toEqual([])
    expect(idsOfFee(ofFee(10n ** 7n), 10n ** 9n)).toEqual(['tax'])
    expect(idsOfFee(ofFee(1_000n))).toEqual(['tax'])
  })
})

describe('a power weighs by who holds it', () => {
  const holder = addressAt(new Uint8Array(32).fill(7))
  const held = (kind: PowerFacts['kind'], isFinal?: boolean): PowerFacts => ({
    ...{ id: 'mint', holder, kind, proven: true, detail: '' },
    ...(isFinal !== undefined && { isFinal }),
  })
  const standing = (changes: Partial<GroupStanding>) =>
    new Map([
      [
        holder,
        {
          ...{ kind: 'group', through: 'a program', threshold: { required: 2, of: 3 }, members: [], delaySeconds: 0 },
          ...changes,
        } as GroupStanding,
      ],
    ])
  const scoreOf = (power: PowerFacts, groups = new Map<SolanaAddress, GroupStanding>(), unseen: SolanaAddress[] = []) =>
    Math.floor(FINDINGS.mint.weight * (judgePowers([power], groups, unseen)[0]?.factor ?? 1))

  test.each<[string, number, number]>([
    ['one key', scoreOf(held('wallet')), 61],
    ['a program that may be replaced', scoreOf(held('program')), 51],
    ['a program for ever', scoreOf(held('program', true)), 42],
    ['several keys', scoreOf(held('multisig')), 30],
    ['several persons', scoreOf(held('program'), standing({})), 30],
    ['a stake pool', scoreOf(held('program'), standing({ kind: 'program', mintsByRule: true })), 24],
    ['a stake pool of a wallet', scoreOf(held('program'), standing({ kind: 'wallet', mintsByRule: true })), 61],
    ['several keys of one person', scoreOf(held('multisig'), standing({ kind: 'wallet' })), 61],
    ['several that nothing is told of', scoreOf(held('multisig'), new Map(), [holder]), 61],
  ])('%s', (_, score, expected) => {
    expect(score).toBe(expected)
  })

  test('rules of minting say nothing of freezing', () => {
    const [freeze] = judgePowers(
      [{ ...held('program'), id: 'freeze' }],
      standing({ kind: 'program', mintsByRule: true }),
    )
    expect(freeze?.factor).toBe(0.85)
  })
})
