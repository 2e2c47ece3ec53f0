import { describe, expect, test } from 'vitest'
import { describeFinding } from './describe.js'
import type { PhishingFinding } from './phishing-facts.js'

const TOKEN = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const TAKER = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'

const taken = (more: Partial<PhishingFinding>): string =>
  describeFinding({
    ...{ id: 'allowance-puller', check: 'allowance', selector: undefined, by: 'anyone', caller: undefined },
    ...{ asset: undefined, amount: undefined, to: TAKER, grantedTo: undefined, trace: undefined, text: undefined },
    ...more,
  })

const asset = (more: Partial<NonNullable<PhishingFinding['asset']>> = {}) =>
  ({ token: TOKEN, symbol: 'USDC', decimals: 6, kind: 'erc20', ...more }) as const

describe('what was taken', () => {
  test.each([
    [
      'whole tokens',
      { asset: asset(), amount: 1_500_000n },
      '1.5 USDC (0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48) that',
    ],
    [
      'base units where it says no decimals',
      { asset: asset({ decimals: undefined }), amount: 7n },
      '7 base units of USDC (0xA0',
    ],
    ['base units where it says absurd ones', { asset: asset({ decimals: 255 }), amount: 7n }, '7 base units of USDC'],
    [
      'its address alone where it has no symbol',
      { asset: asset({ symbol: '' }), amount: 2_000_000n },
      '2 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    ],
    ['a symbol on one line', { asset: asset({ symbol: 'A\n\u202eB' }), amount: 1_000_000n }, '1 A B (0xA0'],
    ['the native coin', { amount: 10n ** 18n }, 'took 1 native coin'],
    ['an NFT', { asset: asset({ kind: 'nft' }), amount: 1n }, 'took 1 NFT'],
  ] as const)('%s', (_, finding, words) => expect(taken(finding)).toContain(words))

  test('an account is written with its checksum', () =>
    expect(taken({})).toContain('it went to 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'))
})
