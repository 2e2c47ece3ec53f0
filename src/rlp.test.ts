import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hexToBytes } from './hex.js'
import { decodeRlp, encodeRlp, quantityBytes, type RlpItem } from './rlp.js'

const bytes = fc.oneof(fc.uint8Array({ maxLength: 4 }), fc.uint8Array({ minLength: 54, maxLength: 300 }))
const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, bytes, fc.array(tie('item'), { maxLength: 6 })),
}))

describe('RLP', () => {
  test('writes what another encoder writes, and reads it back', () => {
    fc.assert(
      fc.property(item, (value) => {
        const encoded = encodeRlp(value)
        expect(Buffer.from(encoded)).toEqual(Buffer.from(RLP.encode(value as never)))
        expect(encodeRlp(decodeRlp(encoded))).toEqual(encoded)
      }),
    )
  })

  test('reads nothing that it would not write', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (noise) => {
        let read: RlpItem
        try {
          read = decodeRlp(noise)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
          return
        }
        expect(Buffer.from(encodeRlp(read))).toEqual(Buffer.from(noise))
      }),
    )
  })

  test.each([
    ['nothing', '0x'],
    ['a short string that is cut off', '0x83aabb'],
    ['a long string that is cut off', '0xb838aa'],
    ['one byte as a string', '0x8105'],
    ['a short string in long form', '0xb801aa'],
    ['a length with a leading zero', '0xb90001aa'],
    ['a length of eight bytes', '0xbfffffffffffffffff'],
    ['bytes behind the item', '0x0505'],
    ['an item longer than its list', '0xc183aabbcc'],
    ['lists in lists without end', `0x${Array.from({ length: 40 }, (_, i) => (0xc0 + 39 - i).toString(16)).join('')}`],
  ])('refuses %s', (_, hex) => expect(() => decodeRlp(hexToBytes(hex))).toThrow(RangeError))

  test('numbers have no leading zeroes', () => {
    expect([0n, 1n, 0x80n, 0x100n].map((value) => [...quantityBytes(value)])).toEqual([[], [1], [0x80], [1, 0]])
  })
})
