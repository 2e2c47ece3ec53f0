import { expect, test } from 'vitest'
import { findChain } from '../../chains/index.js'
import { createEvm } from '../../evm/create-evm.js'
import { L1_BLOCK } from '../../evm/op-fees.js'
import { createTestState, TEST_BLOCK } from '../../evm/testing.js'
import type { Address } from '../../hex.js'
import { createSeededRandom } from '../../simulation/random.js'
import { createTrader, send } from '../../simulation/trader.js'
import { l1FeeOf } from './l1-fee.js'

const TARGET: Address = '0x00000000000000000000000000000000000f71e4'
/** As OP Mainnet had them on 2025-03-05, and an operator's fee, which it had not. */
const SCALARS = (5_227n << 96n) | (1_014_213n << 64n)
const storage = { 1: 942_800_250n, 3: SCALARS, 7: 10_647_957_237n }

function feeOn(chainId: number, data: `0x${string}`, operator = 0n) {
  const chain = findChain(chainId) ?? expect.unreachable()
  const block = { ...TEST_BLOCK, chainId, timestamp: 1_770_000_000n }
  const words = { ...storage, 8: operator }
  const state = createTestState({ [L1_BLOCK]: { storage: words } })
  const fork = { chain, evm: createEvm({ state, block, hardfork: 'prague' }) }
  const trader = createTrader(fork, createSeededRandom(`0x${'5e'.repeat(32)}`), 'trader', 10n ** 18n)
  const sent = send(fork, trader, { to: TARGET, data })
  return { fee: l1FeeOf(fork, [sent]), twice: l1FeeOf(fork, [sent, sent]), gasUsed: sent.result.gasUsed }
}

const NOISE =
  `0x${Array.from({ length: 600 }, (_, i) => ((i * 7_919) % 251).toString(16).padStart(2, '0')).join('')}` as const

test('short data costs the least that the chain takes, longer data more, and each transaction its own', () => {
  const { fee: least = 0n, twice } = feeOn(10, '0x')
  // A hundred bytes by the formula of Fjord.
  expect(least).toBe((100_000_000n * (16n * 5_227n * 942_800_250n + 1_014_213n * 10_647_957_237n)) / 10n ** 12n)
  expect(twice).toBe(2n * least)
  expect(feeOn(10, NOISE).fee).toBeGreaterThan(2n * least)
  // A page of zeros compresses to next to nothing.
  expect(feeOn(10, `0x${'00'.repeat(600)}`).fee).toBe(least)
})

test('the operator counts gas', () => {
  const { fee = 0n, gasUsed } = feeOn(8453, '0x', (3n << 64n) | 17n)
  expect(fee - (feeOn(8453, '0x').fee ?? 0n)).toBe(gasUsed * 300n + 17n)
})

test('a chain that does not live on L1 takes nothing, whatever stands there', () => {
  expect(feeOn(1, NOISE).fee).toBeUndefined()
  expect(feeOn(42_161, NOISE).fee).toBeUndefined()
})
