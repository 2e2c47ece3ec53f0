import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hex, toPaddedHex, WORD_MASK } from '../../hex.js'
import { argumentsIn, dataOf, selectorIn, wordsOf } from './call-data.js'

const entry = { selector: '0x12345678', template: { leaves: [], encode: () => '0x' as const } } as const
const edit = (offset: number) => ({ offset, mask: 0xffn << 248n, bits: 0xabn << 248n })

test('bits are written where they lie, also behind the end', () => {
  expect(dataOf(entry, [], [edit(4)])).toBe(`0x12345678ab${'00'.repeat(31)}`)
})

test('a place that no transaction reaches is left alone', () => {
  for (const offset of [2 ** 53 - 1, 2 ** 256, Number.POSITIVE_INFINITY])
    expect(dataOf(entry, [], [edit(offset)])).toBe('0x12345678')
})

test('words of call data are whole ones behind the selector', () => {
  const words = fc.array(fc.bigInt({ min: 0n, max: WORD_MASK }), { maxLength: 8 })
  const rest = fc.integer({ min: 0, max: 31 })
  fc.assert(
    fc.property(words, rest, fc.nat(10), (values, left, most) => {
      const data: Hex = `0x12345678${values.map((value) => toPaddedHex(value, 32).slice(2)).join('')}${'ff'.repeat(left)}`
      expect(wordsOf(data)).toEqual(values)
      expect(wordsOf(data, most)).toEqual(values.slice(0, most))
      expect([selectorIn(data), argumentsIn(data)]).toEqual(['0x12345678', `0x${data.slice(10)}`])
    }),
  )
})

test('what is shorter than a selector has no words', () => {
  for (const data of ['0x', '0x12', '0x1234567'] as const) expect(wordsOf(data)).toEqual([])
})
