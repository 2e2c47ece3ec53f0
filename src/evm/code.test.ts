import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesToHex, type Hex, hexToBytes } from '../hex.js'
import { prepareCode } from './code.js'
import { createEvm } from './create-evm.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from './testing.js'

const TARGET = '0x00000000000000000000000000000000000c0de0'
/** MSTORE at 0, and return that word. */
const RETURN_TOP = '5f5260205ff3'

function topOf(body: string): bigint {
  const evm = createEvm({
    state: createTestState({ [TARGET]: { code: `0x${body}${RETURN_TOP}` } }),
    block: TEST_BLOCK,
    hardfork: 'osaka',
  })
  const { output } = evm.transact({ from: TEST_SENDER, to: TARGET, gasLimit: 1_000_000n })
  return BigInt(output.padEnd(3, '0'))
}

const constantAt = (code: Hex, pc: number) => {
  const { constants, constantIndex } = prepareCode('0x', hexToBytes(code))
  return constantIndex[pc] === 0 ? undefined : constants[constantIndex[pc] ?? 0]
}

test.each([
  { name: 'a complement', code: '0x6401000003d019', pc: 6, value: 2n ** 256n - 1n - 0x01000003d0n },
  { name: 'the largest value', code: '0x5f19', pc: 1, value: 2n ** 256n - 1n },
  { name: 'the mask of an address', code: '0x6001600160a01b03', pc: 7, value: 2n ** 160n - 1n },
] as const)('works out what is made of constants alone: $name', ({ code, pc, value }) => {
  expect(constantAt(code, pc)).toBe(value)
  expect(topOf(code.slice(2))).toBe(value)
})

test.each([
  { name: 'a value from elsewhere', code: '0x600130601903', pc: 6 },
  { name: 'a jump may arrive in between', code: '0x60016001605b5b1b', pc: 7 },
  { name: 'something was taken off the stack', code: '0x60016002506003f31b', pc: 8 },
] as const)('leaves alone what is not: $name', ({ code, pc }) => {
  expect(constantAt(code, pc)).toBeUndefined()
})

/** Pushes of any width, and the instructions that are folded or end folding. */
const instruction = fc.oneof(
  fc
    .uint8Array({ minLength: 0, maxLength: 32 })
    .map((bytes) => (0x5f + bytes.length).toString(16) + bytesToHex(bytes).slice(2)),
  fc.constantFrom('19', '03', '1b', '80', '90', '5b', '01', '16'),
)

test('a folded constant is what the instruction computes', () => {
  fc.assert(
    fc.property(fc.array(instruction, { minLength: 1, maxLength: 24 }), (parts) => {
      // The same program with a JUMPDEST before each instruction, which nothing is carried across.
      const apart = parts.map((part) => `5b${part}`).join('')
      expect(topOf(`60076005600360011919${parts.join('')}`)).toBe(topOf(`5b60075b60055b60035b60015b195b19${apart}`))
    }),
    { numRuns: 300 },
  )
})
