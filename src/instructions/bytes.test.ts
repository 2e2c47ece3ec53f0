import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyInto, copyOf } from './bytes.js'

/** On both sides of the length from which a view is made. */
const size = fc.oneof(fc.nat(40), fc.integer({ min: 120, max: 300 }))

test('a copy has exactly the bytes of its part, and is its own', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(400), size, (bytes, from, wanted) => {
      const memory = Uint8Array.from(bytes)
      const start = Math.min(from, memory.length)
      const length = Math.min(wanted, memory.length - start)
      const copy = copyOf(memory, start, length)
      expect(copy).toEqual(memory.slice(start, start + length))
      memory.fill(1)
      expect(copy).toEqual(Uint8Array.from(bytes).slice(start, start + length))
    }),
  )
})

test('a part is written where it belongs, and nothing beside it', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 300, maxLength: 400 }),
      fc.nat(20),
      fc.nat(20),
      size,
      (from, start, at, n) => {
        const length = Math.min(n, from.length - start)
        const to = new Uint8Array(at + length + 5).fill(7)
        copyInto(to, at, from, start, length)
        expect(to).toEqual(
          Uint8Array.from([...new Array(at).fill(7), ...from.slice(start, start + length), ...new Array(5).fill(7)]),
        )
      },
    ),
  )
})
