import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packed } from '../instruction.js'
import { readTlv, TLV_START } from './tlv.js'

const head = new Uint8Array(TLV_START)
const entry = (type: number, value: Uint8Array) => packed([16, type], [16, value.length], value)
const list = (...parts: readonly Uint8Array[]) => readTlv(packed(head, ...parts))

describe('readTlv', () => {
  test('reads entries in their order', () => {
    const { entries, malformed } = list(entry(1, Uint8Array.of(7)), entry(9, new Uint8Array()))
    expect(malformed).toBe(false)
    expect(entries).toEqual([
      { type: 1, value: Uint8Array.of(7) },
      { type: 9, value: new Uint8Array() },
    ])
  })

  test.each([
    ['nothing', []],
    ['padding', [new Uint8Array(7)]],
    ['one byte of padding', [entry(9, new Uint8Array()), new Uint8Array(1)]],
    ['the end in the middle', [entry(9, new Uint8Array()), new Uint8Array(40)]],
  ])('%s is well-formed', (_, parts) => {
    expect(list(...parts).malformed).toBe(false)
  })

  test.each([
    ['a value that runs past the end', [packed([16, 3], [16, 32], new Uint8Array(31))]],
    ['a type without a length', [packed([16, 3])]],
    ['half a length', [packed([16, 3], [8, 1])]],
    ['the same extension twice', [entry(9, new Uint8Array()), entry(9, new Uint8Array())]],
    ['something behind the end', [packed([16, 0], [16, 0]), entry(9, new Uint8Array())]],
    ['one odd byte', [Uint8Array.of(5)]],
    ['more extensions than there can be', Array.from({ length: 65 }, (_, i) => entry(100 + i, new Uint8Array()))],
  ])('%s is malformed', (_, parts) => {
    expect(list(...parts).malformed).toBe(true)
  })

  test('keeps what stands before the fault', () => {
    expect(list(entry(1, Uint8Array.of(7)), packed([16, 3], [16, 9])).entries).toHaveLength(1)
  })

  test('reads back whatever is written, whatever the types and values', () => {
    const entries = fc.uniqueArray(
      fc.record({ type: fc.integer({ min: 1, max: 0xffff }), value: fc.uint8Array({ maxLength: 60 }) }),
      { selector: ({ type }) => type, maxLength: 40 },
    )
    fc.assert(
      fc.property(entries, (written) => {
        const read = list(...written.map(({ type, value }) => entry(type, value)))
        expect(read).toEqual({ entries: written, malformed: false })
      }),
    )
  })

  test('never throws and never reads past the end, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        const { entries } = readTlv(bytes)
        const read = entries.reduce((sum, { value }) => sum + 4 + value.length, 0)
        expect(read).toBeLessThanOrEqual(Math.max(0, bytes.length - TLV_START))
      }),
      { numRuns: 1_000 },
    )
  })
})
