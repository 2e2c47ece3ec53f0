import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operation, type Slot, type Term } from '../../evm/inspectors/term.js'
import { fieldsIn, readField, withField } from './word-fields.js'

const constant = (value: bigint): Term => ({ kind: 'constant', value })
const word: Slot = { kind: 'slot', address: `0x${'00'.repeat(20)}`, slot: 0n, value: 0n, entry: undefined }
const mask = (bits: bigint) => (1n << bits) - 1n
const bordersOf = (term: Term) => fieldsIn(term).map(({ from }) => from)

test('a word is cut where masks and shifts of its formula cut it', () => {
  const low = operation('AND', [word, constant(mask(80n))])
  const high = operation('SHL', [constant(80n), operation('AND', [word, constant(mask(96n))])])
  expect(bordersOf(operation('OR', [low, high]))).toEqual([0n, 80n, 96n])
  const kept = operation('AND', [word, constant(mask(256n) - (mask(64n) << 128n))])
  expect(bordersOf(kept)).toEqual([0n, 128n, 192n])
  expect(bordersOf(operation('MUL', [constant(1n << 160n), word]))).toEqual([0n, 160n])
})

test('masks of no whole field cut nothing', () => {
  expect(bordersOf(operation('AND', [word, constant(0b101n)]))).toEqual([0n])
  expect(bordersOf(operation('ADD', [word, constant(mask(80n))]))).toEqual([0n])
})

test('fields of any masks cover the word, and writing one leaves the others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 0n, max: mask(256n) }), { maxLength: 8 }),
      fc.bigInt(0n, mask(256n)),
      (masks, value) => {
        const term = masks.reduce<Term>((inner, each) => operation('AND', [inner, constant(each)]), word)
        const fields = fieldsIn(term)
        expect(fields.reduce((sum, { from, to }) => sum + (to - from), 0n)).toBe(256n)
        for (const field of fields) {
          const written = withField(value, field, 1n)
          expect(readField(written, field)).toBe(1n)
          for (const other of fields)
            if (other !== field) expect(readField(written, other)).toBe(readField(value, other))
        }
      },
    ),
  )
})
