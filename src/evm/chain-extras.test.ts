import { expect, test } from 'vitest'
import { type Address, type Hex, toPaddedHex } from '../hex.js'
import { UnsupportedExecutionError } from './chain-extras.js'
import { createEvm } from './create-evm.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from './testing.js'

const CONTRACT: Address = '0x00000000000000000000000000000000000c0de1'
const B20_TOKEN: Address = '0xb200000000000000000000000000000000000001'

/** Passes four bytes to `target` and returns the word that comes back. */
const asking = (target: bigint, selector: string): Hex =>
  `0x63${selector}60e01b5f5260205f60045f73${toPaddedHex(target, 20).slice(2)}5afa5060205ff3`

function ask(chainId: number, target: bigint, selector = 'a3b1b31d') {
  const state = createTestState({
    [CONTRACT]: { code: asking(target, selector) },
    [B20_TOKEN]: { code: '0xfe' },
    '0x0000000000000000000000000000000000057115': { code: '0xeff00001' },
  })
  const block = { ...TEST_BLOCK, chainId, l2Number: 300_000_000n }
  return createEvm({ state, block, hardfork: 'osaka' }).read({ from: TEST_SENDER, to: CONTRACT, data: '0x' })
}

test('ArbSys answers with the height and the number of the chain', () => {
  expect(BigInt(ask(42161, 0x64n).output)).toBe(300_000_000n)
  expect(BigInt(ask(42161, 0x64n, 'd127f54a').output)).toBe(42_161n)
})

test.each([
  { chainId: 42161, target: 0x64n, selector: '2405d6d8', what: 'ArbSys function 0x2405d6d8' },
  { chainId: 42161, target: 0x6cn, selector: '00000000', what: 'ArbOS precompile 0x6c (ArbGasInfo)' },
  { chainId: 42161, target: 0xffn, selector: '00000000', what: 'ArbOS precompile 0xff (ArbDebug)' },
  { chainId: 42161, target: 0x57115n, selector: '00000000', what: 'Stylus program' },
  { chainId: 56, target: 0x66n, selector: '00000000', what: 'BSC precompile 0x66 (blsSignatureVerify)' },
  { chainId: 8453, target: BigInt(B20_TOKEN), selector: '00000000', what: `native token contract ${B20_TOKEN}` },
])('declines what only the node can run: $what', ({ chainId, target, selector, what }) => {
  const error = (() => {
    try {
      return ask(chainId, target, selector)
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(UnsupportedExecutionError)
  expect(error).toMatchObject({ shortMessage: `Cannot be simulated locally: ${what}` })
})

test('an address that only begins like a native token is an ordinary one', () => {
  expect(ask(8453, 0xb200_0000_0000_0000_0001_0000_0000_0000_0000_0001n).status).toBe('success')
})

test('the same addresses are ordinary accounts on Ethereum', () => {
  expect(ask(1, 0x64n).status).toBe('success')
  expect(ask(1, BigInt(B20_TOKEN)).status).toBe('success')
})

test.each([
  [1, 2n ** 24n, 2n ** 24n + 1n],
  [42161, 32_000_000n, 32_000_001n],
])('a transaction on chain %d may ask for its cap of gas and no more', (chainId, most, tooMuch) => {
  const evm = createEvm({ state: createTestState({}), block: { ...TEST_BLOCK, chainId }, hardfork: 'osaka' })
  expect(evm.transact({ from: TEST_SENDER, to: CONTRACT, gasLimit: most }).status).toBe('success')
  expect(() => evm.transact({ from: TEST_SENDER, to: CONTRACT, gasLimit: tooMuch })).toThrow('is above the cap')
})

test.each([
  [1, 7n],
  [8453, 7n],
  [42161, 5n],
])('on chain %d GASPRICE answers %d where two wei of tip are offered above a base fee of five', (chainId, price) => {
  const state = createTestState({ [CONTRACT]: { code: '0x3a5f5260205ff3' } })
  const block = { ...TEST_BLOCK, chainId, baseFeePerGas: 5n }
  const evm = createEvm({ state, block, hardfork: 'osaka' })
  const fees = { maxFeePerGas: 20n, maxPriorityFeePerGas: 2n }
  const { output, gasUsed } = evm.transact({ from: TEST_SENDER, to: CONTRACT, gasLimit: 100_000n, ...fees })
  expect(BigInt(output)).toBe(price)
  expect(evm.account(TEST_SENDER).balance).toBe(10n ** 24n - gasUsed * price)
  expect(evm.account(block.coinbase).balance).toBe(gasUsed * (price - 5n))
})

test('there is no cap where the rules have none yet', () => {
  const evm = createEvm({ state: createTestState({}), block: { ...TEST_BLOCK, chainId: 42161 }, hardfork: 'prague' })
  expect(evm.transact({ from: TEST_SENDER, to: CONTRACT, gasLimit: 33_000_000n }).status).toBe('success')
})
