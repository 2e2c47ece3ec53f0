import { expect, test } from 'vitest'
import { isLure } from './lure-text.js'

test.each([
  'Visit https://x.example',
  'www.usdc.claims',
  'claim at rewards-eth.com',
  't.me/pump',
  'US\u202eDC',
  'U\u200bSDC',
])('%j is a lure', (text) => expect(isLure(text)).toBe(true))

test.each(['yearn.finance', 'USD Coin', 'Curve.fi DAI/USDC', 'Dr. Who?', '💰🏳️‍🌈', ''])('%j is a name', (text) =>
  expect(isLure(text)).toBe(false),
)
