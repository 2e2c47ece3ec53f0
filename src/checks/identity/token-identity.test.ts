import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chains, findChain } from '../../chains/index.js'
import type { TokenMetadata } from '../../dex/token-metadata.js'
import type { Address } from '../../hex.js'
import { describeIdentity } from './token-identity.js'

const OTHER: Address = '0x00000000000000000000000000000000000000aa'
const USDC: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const describeAs = (fields: Partial<TokenMetadata>, address = OTHER, chainId = 1) =>
  describeIdentity(
    { chain: findChain(chainId) ?? expect.unreachable(), address },
    { name: '', symbol: '', decimals: 18, totalSupply: 1n, ...fields },
  )

describe('a name that imitates', () => {
  test.each([
    ['the symbol', { symbol: 'USDC' }, false],
    ['another case', { symbol: 'usdc' }, false],
    ['a letter of another script', { symbol: 'USDС' }, false],
    ['a digit for a letter', { symbol: 'U5DC' }, false],
    ['wide letters', { symbol: 'ＵＳＤＣ' }, false],
    ['dots between', { symbol: 'U.S.D.C' }, false],
    ['an invisible character', { symbol: 'US\u200bDC' }, false],
    ['the name', { name: 'USD Coin', symbol: 'X' }, false],
    ['both', { name: 'USD Coin', symbol: 'USDC' }, true],
  ])('%s', (_, fields, isExact) => {
    expect(describeAs(fields)?.imitates).toEqual({ symbol: 'USDC', address: USDC, isExact })
  })

  test.each([
    ['another name', { name: 'My Coin', symbol: 'MINE' }],
    ['a longer symbol', { symbol: 'USDCX' }],
    ['a wrapped one', { name: 'Aave USDC', symbol: 'aUSDC' }],
    ['an empty one', { name: '', symbol: '' }],
    ['pictures alone', { symbol: '🚀' }],
  ])('is not %s', (_, fields) => {
    expect(describeAs(fields)?.imitates).toBeUndefined()
  })

  test('the original and its bridged sister imitate none', () => {
    expect(describeAs({ name: 'USD Coin', symbol: 'USDC' }, USDC)?.imitates).toBeUndefined()
    const bridged = '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8'
    expect(describeAs({ name: 'USD Coin (Arb1)', symbol: 'USDC' }, bridged, 42161)?.imitates).toBeUndefined()
  })

  test('a name that is known on another chain alone is free here', () => {
    expect(describeAs({ symbol: 'CAKE' })?.imitates).toBeUndefined()
    expect(describeAs({ symbol: 'CAKE' }, OTHER, 56)?.imitates?.symbol).toBe('CAKE')
  })

  test('the tokens that a chain watches are well known on it', () => {
    for (const { id, watchedTokens, wellKnownTokens } of chains) {
      const known = wellKnownTokens?.map(({ address }) => address)
      expect(known, `chain ${id}`).toEqual(expect.arrayContaining(watchedTokens.map(({ address }) => address)))
    }
  })
})

describe('what is odd about a text', () => {
  test.each([
    ['a direction mark', 'USD\u202eC', ['hidden']],
    ['a zero-width character', 'US\u200bDC', ['hidden']],
    ['a control character', 'A\u0007B', ['hidden']],
    ['two scripts in one word', 'Теthеr', ['mixed-scripts']],
    ['too long', 'x'.repeat(65), ['cut']],
    ['plain', 'Tether USD', []],
    ['accents', 'Café Crème', []],
    ['one script for each word', 'Рубль RUB', []],
    ['Chinese beside Latin', '比特币 BTC', []],
    ['joined pictures', 'Family 👨‍👩‍👧', []],
  ])('%s', (_, name, marks) => {
    expect(describeAs({ name })?.marks).toEqual(marks)
  })
})

test('what answers nothing about itself is no token', () => {
  expect(describeAs({ decimals: undefined, totalSupply: undefined })).toBeUndefined()
})

test('whatever a token says, what is shown is one bounded line of visible characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: 'binary', maxLength: 400 }),
      (name, symbol) => {
        const identity = describeAs({ name, symbol })
        for (const [text, most] of [
          [identity?.name ?? '', 64],
          [identity?.symbol ?? '', 32],
        ] as const) {
          expect([...text].length).toBeLessThanOrEqual(most)
          expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u)
        }
      },
    ),
  )
})
