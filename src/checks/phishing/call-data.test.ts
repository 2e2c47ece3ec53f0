import { expect, test } from 'vitest'
import { dataOf } from './call-data.js'

const entry = { selector: '0x12345678', template: { leaves: [], encode: () => '0x' as const } } as const
const edit = (offset: number) => ({ offset, mask: 0xffn << 248n, bits: 0xabn << 248n })

test('bits are written where they lie, also behind the end', () => {
  expect(dataOf(entry, [], [edit(4)])).toBe(`0x12345678ab${'00'.repeat(31)}`)
})

test('a place that no transaction reaches is left alone', () => {
  for (const offset of [2 ** 53 - 1, 2 ** 256, Number.POSITIVE_INFINITY])
    expect(dataOf(entry, [], [edit(offset)])).toBe('0x12345678')
})
