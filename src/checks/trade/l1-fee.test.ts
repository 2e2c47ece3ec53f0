import { describe, expect, test } from 'vitest'
import { findChain } from '../../chains/index.js'
import { ARBOS_SLOTS, ARBOS_STATE } from '../../evm/arb-fees.js'
import { createEvm } from '../../evm/create-evm.js'
import { L1_BLOCK } from '../../evm/op-fees.js'
import { createTestState, TEST_BLOCK } from '../../evm/testing.js'
import { type Address, hexToBytes } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import { createSeededRandom } from '../../simulation/random.js'
import { createTrader, send } from '../../simulation/trader.js'
import { l1FeeOf } from './l1-fee.js'

const TARGET: Address = '0x00000000000000000000000000000000000f71e4'
/** As OP Mainnet had them on 2025-03-05, and an operator's fee, which it had not. */
const SCALARS = (5_227n << 96n) | (1_014_213n << 64n)
const storage = { 1: 942_800_250n, 3: SCALARS, 7: 10_647_957_237n }

function feeOn(chainId: number, data: `0x${string}`, operator = 0n, arbos: Record<string, bigint> = {}) {
  const chain = findChain(chainId) ?? expect.unreachable()
  const block = { ...TEST_BLOCK, chainId, timestamp: 1_770_000_000n, baseFeePerGas: chainId === 42_161 ? BASE_FEE : 0n }
  const words = { ...storage, 8: operator }
  const state = createTestState({ [L1_BLOCK]: { storage: words }, [ARBOS_STATE]: { storage: arbos } })
  const fork = { chain, evm: createEvm({ state, block, hardfork: 'prague' }) }
  const trader = createTrader(fork, createSeededRandom(`0x${'5e'.repeat(32)}`), 'trader', 10n ** 18n)
  const sent = send(fork, trader, { to: TARGET, data })
  return { fee: l1FeeOf(fork, [sent]), twice: l1FeeOf(fork, [sent, sent]), gasUsed: sent.result.gasUsed }
}

const BASE_FEE = 20_000_000n

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
})

describe('Arbitrum', () => {
  const [LEVEL = 0n, PRICE = 0n] = ARBOS_SLOTS
  const arbos = (level: bigint, pricePerUnit: bigint) => ({ [String(LEVEL)]: level, [String(PRICE)]: pricePerUnit })
  const fee = (data: `0x${string}`, level = 1n, price = 1_000_000n) =>
    feeOn(42_161, data, 0n, arbos(level, price)).fee ?? expect.unreachable('a fee')

  test('takes sixteen units for each byte that is left of the data, as whole gas', () => {
    const hashes = Array.from({ length: 20 }, (_, i) => keccak256(Uint8Array.of(i)).slice(2))
    const noise: `0x${string}` = `0x${hashes.join('')}`
    for (const data of ['0x', noise] as const) expect(fee(data) % BASE_FEE).toBe(0n)
    // What does not compress costs a byte for each of its 640.
    expect(fee(noise) - fee('0x')).toBeGreaterThan(630n * 16n * 1_000_000n)
    expect(fee(noise) - fee('0x')).toBeLessThan(660n * 16n * 1_000_000n)
    expect(fee(`0x${'00'.repeat(600)}`) - fee('0x')).toBeLessThan(60n * 16n * 1_000_000n)
    expect(fee(noise, 1n, 3_000_000n)).toBeGreaterThan((29n * fee(noise)) / 10n)
  })

  test('compresses at the level that ArbOS names', () => {
    const text: `0x${string}` = `0x${Array.from({ length: 400 }, (_, i) => `${'00'.repeat(28)}${(i % 37).toString(16).padStart(8, '0')}`).join('')}`
    expect(fee(text, 11n)).toBeLessThan(fee(text, 0n))
  })

  test('is not guessed at where ArbOS has no price, or a level that Brotli has not', () => {
    expect(feeOn(42_161, NOISE).fee).toBeUndefined()
    expect(feeOn(42_161, NOISE, 0n, arbos(12n, 1_000_000n)).fee).toBeUndefined()
    expect(feeOn(1, NOISE, 0n, arbos(1n, 1_000_000n)).fee).toBeUndefined()
  })

  test('the words lie where the layout of ArbOS puts them', () => {
    const place = (key: Uint8Array) =>
      BigInt(`${keccak256(Uint8Array.from([...key, ...new Uint8Array(31)])).slice(0, -2)}07`)
    expect(ARBOS_SLOTS).toEqual([place(new Uint8Array(0)), place(hexToBytes(keccak256(Uint8Array.of(0))))])
  })
})
