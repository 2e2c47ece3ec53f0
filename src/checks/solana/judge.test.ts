import { describe, expect, test } from 'vitest'
import { addressAt } from '../../solana/address.js'
import { USDC } from '../../solana/programs.js'
import { LEAST_SCORES } from '../levels.js'
import { beginsLater, judgeWindow } from './judge-trade.js'
import type { LegFacts, SwapFacts, WindowFacts } from './play/play-facts.js'
import { FINDINGS, type FindingId } from './solana-findings.js'
import { findOriginal, TRUSTED_MINTS } from './trusted-mints.js'

const leg = (taxBps = 0): LegFacts => ({
  ok: true,
  sent: 10_000n,
  received: BigInt(10_000 - taxBps),
  taxBps,
  units: 1n,
  reason: '',
})
const failed = (reason = 'no'): LegFacts => ({ ok: false, sent: 0n, received: 0n, taxBps: 10_000, units: 1n, reason })

function windowOf(changes: {
  plain?: [LegFacts, LegFacts]
  large?: [LegFacts, LegFacts]
  dust?: [LegFacts, LegFacts]
  held?: LegFacts
  swap?: SwapFacts
}): WindowFacts {
  const size = (name: 'plain' | 'large' | 'dust') => {
    const [buy, sell] = changes[name] ?? [leg(), leg()]
    return { size: name, amount: 10_000n, buy, sell }
  }
  return {
    label: 'Immediate',
    sizes: [size('plain'), size('large'), size('dust')],
    held: changes.held,
    swap: changes.swap,
  }
}

const idsOf = (facts: WindowFacts, mint: readonly FindingId[] = []) => judgeWindow(facts, mint).seen.map(({ id }) => id)
const swap = (lossBps: number, sell = leg()): SwapFacts => ({
  buy: leg(),
  sell,
  paid: 10_000n,
  returned: BigInt(10_000 - lossBps),
  quoteMint: USDC,
  lossBps,
})

describe('judgeWindow', () => {
  test.each<[string, WindowFacts, FindingId[]]>([
    ['free trade', windowOf({}), []],
    ['a tax of a tenth', windowOf({ plain: [leg(), leg(1_000)] }), ['tax']],
    ['a tax of more than a tenth', windowOf({ plain: [leg(), leg(1_001)] }), ['high-tax']],
    ['a tax of half', windowOf({ plain: [leg(5_000), leg()] }), ['confiscatory-tax']],
    ['a tax on large sales', windowOf({ large: [leg(), leg(200)] }), ['tax']],
    ['a tax on the smallest sales alone', windowOf({ dust: [leg(), leg(5_000)] }), ['tax']],
    ['rounding in the smallest sales', windowOf({ dust: [leg(), leg(1_000)] }), []],
    ['a sale that fails', windowOf({ plain: [leg(), failed()] }), ['sell-blocked']],
    ['a sale of what was bought that fails', windowOf({ held: failed() }), ['sell-blocked']],
    ['a purchase that fails', windowOf({ plain: [failed(), leg()] }), ['buy-blocked']],
    ['large sales that fail', windowOf({ large: [leg(), failed()] }), ['sell-limit']],
    ['the smallest sales that fail', windowOf({ dust: [leg(), failed()] }), ['minimum-sale']],
    ['a swap that fails to sell', windowOf({ swap: swap(10_000, failed()) }), ['sell-blocked']],
    ['a pool that takes one percent twice', windowOf({ swap: swap(200) }), []],
    ['a pool that takes nearly everything', windowOf({ swap: swap(9_999) }), ['confiscatory-tax']],
    ['a pool that takes a fifth', windowOf({ swap: swap(2_000) }), ['high-tax']],
  ])('%s', (_, facts, expected) => {
    expect(idsOf(facts)).toEqual(expected)
  })

  test("a sale that fails bears the mint's own word for it", () => {
    expect(idsOf(windowOf({ plain: [failed(), failed()] }), ['paused'])).toEqual(['paused'])
  })

  test('what a pool loses through the taxes of the token is not counted twice', () => {
    expect(judgeWindow(windowOf({ plain: [leg(1_000), leg(1_000)], swap: swap(1_950) }), []).sellTaxBps).toBe(1_000)
  })
})

describe('beginsLater', () => {
  const taxed = (label: WindowFacts['label'], bps: number) =>
    judgeWindow({ ...windowOf({ plain: [leg(bps), leg(bps)] }), label }, [])
  const later = (now: number, tomorrow: number, nextWeek: number) =>
    beginsLater([taxed('Immediate', now), taxed('24 Hours', tomorrow), taxed('7 Days', nextWeek)], NO_EXTENSIONS, 7n)
  const NO_EXTENSIONS = { extensions: {} }

  test('a tax that rises is told once, with the window that it begins in', () => {
    expect(later(0, 3_000, 3_000)).toEqual([{ id: 'high-tax', detail: 'in 24 hours: 30 %', begins: '24 Hours' }])
  })

  test('a higher tax of the same kind is told beside that of now', () => {
    expect(later(1_200, 1_200, 3_000)).toEqual([{ id: 'high-tax', detail: 'in 7 days: 30 %' }])
  })

  test.each([
    ['a tax that stays', later(3_000, 3_000, 3_000)],
    ['a tax that falls', later(3_500, 0, 0)],
    ['a window that is hostile, which is told as such', later(0, 0, 6_000)],
  ])('%s adds nothing', (_, found) => {
    expect(found).toEqual([])
  })

  test('other losses of a later window count as well', () => {
    const then = judgeWindow({ ...windowOf({ large: [leg(), failed()] }), label: '7 Days' }, [])
    expect(beginsLater([taxed('Immediate', 0), then], NO_EXTENSIONS, 7n)).toMatchObject([{ id: 'sell-limit' }])
  })

  test('of a fee that the mint names, the epoch is told', () => {
    const fee = (epoch: bigint, bps: number) => ({ epoch, bps, maximum: 2n ** 64n - 1n })
    const transferFee = {
      ...{ authority: undefined, withdrawAuthority: undefined, withheld: 0n },
      ...{ older: fee(0n, 0), newer: fee(9n, 3_000) },
    }
    const windows = [taxed('Immediate', 0), taxed('7 Days', 3_000)]
    expect(beginsLater(windows, { extensions: { transferFee } }, 7n)).toMatchObject([
      { detail: 'in 7 days, from epoch 9 on: 30 %' },
    ])
  })
})

describe('weights', () => {
  test('no finding weighs nothing, and none more than there is', () => {
    for (const { weight } of Object.values(FINDINGS)) {
      expect(weight).toBeGreaterThanOrEqual(LEAST_SCORES['Low Risk'])
      expect(weight).toBeLessThanOrEqual(98)
    }
  })
})

describe('findOriginal', () => {
  const mint = addressAt(new Uint8Array(32).fill(8))
  const names = (symbol: string, name = '') => findOriginal(mint, { name, symbol }, TRUSTED_MINTS)

  test.each(['USDC', 'usdc', 'U.S.D.C', 'USDС', 'ＵＳＤＣ', '$USDC'.slice(1), 'U5DC', 'ᴜꜱᴅᴄ', 'ꓴꓢꓓꓚ', 'UᏚᎠᏟ'])(
    '%s copies',
    (symbol) => {
      expect(names(symbol)).toBe(USDC)
    },
  )

  test.each(['USDX', 'MUSDC', '', 'SOLAR'])('%s does not', (symbol) => {
    expect(names(symbol)).toBeUndefined()
  })

  test('a name copies too, and the original copies none', () => {
    expect(names('X', 'USD  Coin')).toBe(USDC)
    expect(findOriginal(USDC, { name: 'USD Coin', symbol: 'USDC' }, TRUSTED_MINTS)).toBeUndefined()
  })
})
