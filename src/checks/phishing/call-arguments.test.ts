import fc from 'fast-check'
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { type Hex, toPaddedHex } from '../../hex.js'
import { parseArguments } from './call-arguments.js'

/** What is appended behind the arguments for code that reads on. */
const SPARE = [1n, 2n, 3n]

/**
 * A value of a type for each leaf in order, as viem wants them: numbers for words, nested as the
 * type is.
 */
test.each([
  ['uint256', [7n]],
  ['address,bytes', [9n, '0x1234']],
  ['(address,uint256,bytes)[]', [[[9n, 5n, '0xabcdef']]]],
  ['(uint256,(bytes,uint8)),uint256[]', [[4n, ['0x01', 3n]], [8n]]],
  ['uint256[2],bytes', [[1n, 2n], '0x']],
  ['bytes[]', [['0xff']]],
])('%s is encoded as the ABI says', (types, values) => {
  const template = parseArguments(types)
  const flat = (values as unknown[]).flat(9) as (bigint | Hex)[]
  const args = `${types},uint256,uint256,uint256`
  const named = args.replaceAll('address', 'uint160')
  const expected = encodeAbiParameters(parseAbiParameters(named), [...values, ...SPARE] as never)
  expect(template?.encode([...flat, ...SPARE])).toBe(expected)
})

test('no arguments are spare words alone', () => {
  expect(parseArguments('')?.encode(SPARE)).toBe(`0x${SPARE.map((word) => toPaddedHex(word, 32).slice(2)).join('')}`)
})

test.each([
  '(',
  'uint256,',
  'uint256[0]',
  'uint256[99]',
  `${'('.repeat(40)}uint8${')'.repeat(40)}`,
  'uint8,'.repeat(400),
])('refuses %s', (types) => expect(parseArguments(types)).toBeUndefined())

test('whatever a finder says, it is read or refused', () => {
  const text = fc.string({ unit: fc.constantFrom(...'(),[]uint8address bytes12'.split('')) })
  fc.assert(
    fc.property(text, (types) => {
      const template = parseArguments(types)
      if (template === undefined) return
      const values = template.leaves.map(({ type }) => (type === 'bytes' ? '0x' : 1n) as bigint | Hex)
      expect((template.encode(values).length - 2) % 64).toBe(0)
    }),
  )
})

test('fills lists with as many elements as are asked for, or with bytes', () => {
  const template = parseArguments('uint256,uint256[]')
  const list = template?.withItems?.(2)
  expect(list?.leaves.map(({ isItem }) => isItem)).toEqual([false, true, true, false, false, false])
  const words = [7n, 5n * 32n, 1n, 2n, 3n, 2n, 8n, 9n]
  expect(list?.encode([7n, 8n, 9n, 1n, 2n, 3n])).toBe(
    `0x${words.map((word) => toPaddedHex(word, 32).slice(2)).join('')}`,
  )
  expect(template?.withItems?.('bytes')?.leaves.map(({ type }) => type)).toEqual([
    ...['uint256', 'bytes', 'uint256', 'uint256', 'uint256'],
  ])
  expect(template?.withItems?.(100)).toBeUndefined()
})
