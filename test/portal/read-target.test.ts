import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTarget } from '../../portal/src/parts/read-target.js'

const TOKEN = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const OTHER = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112'

describe('a link of', () => {
  test.each([
    ['Etherscan', `https://etherscan.io/token/${TOKEN}`, '1'],
    ['Etherscan, with what stands behind', `https://etherscan.io/token/${TOKEN}?a=${OTHER}#code`, '1'],
    ['BscScan', `https://www.bscscan.com/address/${TOKEN}`, '56'],
    ['BaseScan, without its scheme', `basescan.org/token/${TOKEN}`, '8453'],
    ['Arbiscan', `https://arbiscan.io/token/${TOKEN}`, '42161'],
    ['Etherscan of OP Mainnet', `https://optimistic.etherscan.io/token/${TOKEN}`, '10'],
    ['DEX Screener', `https://dexscreener.com/base/${TOKEN.toLowerCase()}`, '8453'],
    [
      'Uniswap, swapping',
      `https://app.uniswap.org/swap?chain=arbitrum&inputCurrency=${OTHER}&outputCurrency=${TOKEN}`,
      '42161',
    ],
    ['Uniswap, exploring', `https://app.uniswap.org/explore/tokens/ethereum/${TOKEN}`, '1'],
    ['Uniswap, in a fragment', `https://app.uniswap.org/#/swap?outputCurrency=${TOKEN}&chain=mainnet`, '1'],
    ['PancakeSwap', `https://pancakeswap.finance/swap?inputCurrency=BNB&outputCurrency=${TOKEN}`, '56'],
    ['GeckoTerminal', `https://www.geckoterminal.com/eth/pools/${TOKEN}`, '1'],
    ['DEXTools', `https://www.dextools.io/app/en/ether/pair-explorer/${TOKEN}`, '1'],
    ['Birdeye', `https://birdeye.so/token/${TOKEN}?chain=ethereum`, '1'],
    ['a site that names a chain by its number', `https://some.example/t/8453/${TOKEN}`, '8453'],
    ['a site that names none', `https://some.example/t/${TOKEN}`, undefined],
  ])('%s', (_site, link, chain) => {
    const read = readTarget(link)
    expect(read).toEqual({ kind: 'address', address: expect.any(String), chain })
    expect(read.kind === 'address' && read.address.toLowerCase()).toBe(TOKEN.toLowerCase())
  })

  test.each([
    ['Solscan', `https://solscan.io/token/${MINT}`],
    ['Birdeye', `https://birdeye.so/token/${MINT}?chain=solana`],
    ['pump.fun', `https://pump.fun/coin/${MINT}`],
    ['Raydium', `https://raydium.io/swap/?inputMint=sol&outputMint=${MINT}`],
    ['Jupiter', `https://jup.ag/swap/${WRAPPED_SOL}-${MINT}`],
    ['DEX Screener', `https://dexscreener.com/solana/${MINT}`],
    ['Solana Explorer', `https://explorer.solana.com/address/${MINT}?cluster=mainnet`],
  ])('%s names a mint', (_site, link) => {
    expect(readTarget(link)).toEqual({ kind: 'address', address: MINT, chain: 'SOL' })
  })
})

test.each([
  [TOKEN, { kind: 'address', address: TOKEN, chain: undefined }],
  [`  ${TOKEN}\n`, { kind: 'address', address: TOKEN, chain: undefined }],
  [`eip155:1:${TOKEN}`, { kind: 'address', address: TOKEN, chain: undefined }],
  [MINT, { kind: 'address', address: MINT, chain: 'SOL' }],
  ['Vitalik.eth', { kind: 'name', name: 'Vitalik.eth' }],
])('%j', (text, target) => {
  expect(readTarget(text)).toEqual(target)
})

test.each(['', '0x123', 'hello', 'https://etherscan.io/', `${TOKEN}00`, 'javascript:alert(1)', `0x${'g'.repeat(40)}`])(
  '%j holds no address',
  (text) => {
    expect(readTarget(text)).toEqual({ kind: 'none' })
  },
)

test('no text throws, and what is read as an address is one', () => {
  const part = fc.oneof(
    fc.constantFrom(TOKEN, MINT, '/', '?', '#', '=', '&', '.', 'https://', 'base', '%'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const read = readTarget(parts.join(''))
      if (read.kind === 'address') expect(read.address).toMatch(/^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/)
    }),
  )
})
