import { expect, test } from 'vitest'
import type { Address, Hex } from '../hex.js'
import { createEvm } from './create-evm.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from './testing.js'

const ASKER: Address = '0x00000000000000000000000000000000000000a5'
const TARGET: Address = '0x000000000000000000000000000000000000007a'
const OTHER: Address = '0x000000000000000000000000000000000000007b'

/** Returns what a CALL to `TARGET` costs that passes no gas on. */
const MEASURE: Hex = '0x5a60006000600060006000607a6000f1505a90035f5260205ff3'
/** Seven PUSH1, a POP and a GAS. */
const AROUND = 7 * 3 + 2 + 2
const COLD = 2_600
const WARM = 100

function costOf(code: Hex, hardfork: 'cancun' | 'prague'): number {
  const state = createTestState({ [ASKER]: { code: MEASURE }, [TARGET]: { code }, [OTHER]: { code: '0x00' } })
  const evm = createEvm({ state, block: TEST_BLOCK, hardfork })
  return Number(BigInt(evm.read({ from: TEST_SENDER, to: ASKER, data: '0x' }).output)) - AROUND
}

const designator = (address: Address): Hex => `0xef0100${address.slice(2)}`

test.each([
  ['without a delegation', '0x00', COLD],
  ['that is delegated', designator(OTHER), 2 * COLD],
  ['that is delegated to itself', designator(TARGET), COLD + WARM],
] satisfies [string, Hex, number][])('a call to an account %s costs its accesses', (_, code, cost) => {
  expect(costOf(code, 'prague')).toBe(cost)
})

test('before EIP-7702 no code is a delegation', () => {
  expect(costOf(designator(OTHER), 'cancun')).toBe(COLD)
})
