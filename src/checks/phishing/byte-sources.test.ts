import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSources, type Produce, solveBytes } from './byte-sources.js'

const OUT = 40
/** Bytes of which no piece is small. */
const given = Uint8Array.from({ length: 96 }, (_, i) => ((i * 37) % 251) + 1)
const wanted = Array.from({ length: OUT }, (_, i) => (i * 91 + 5) & 0xff)

/** What comes out when a byte is read at a place, and made another there. */
const reading =
  (placeOf: (at: number) => number, make: (byte: number, at: number) => number = (byte) => byte): Produce =>
  (bytes) =>
    Uint8Array.from({ length: OUT }, (_, at) => make(bytes[placeOf(at)] ?? 0, at) & 0xff)

const solve = (produce: Produce) => {
  const sources = findSources(given, produce)
  const solved = solveBytes(given, wanted, { sources, produce })
  return solved && [...(produce(solved) ?? [])]
}

test.each([
  ['moved', reading((at) => at + 30)],
  ['turned', reading((at) => 95 - at)],
  [
    'under a mask',
    reading(
      (at) => at * 2,
      (byte) => byte ^ 0x5a,
    ),
  ],
  [
    'raised',
    reading(
      (at) => at + 3,
      (byte, at) => byte + 7 * at,
    ),
  ],
  [
    'taken from a number',
    reading(
      (at) => at,
      (byte, at) => 200 + at - byte,
    ),
  ],
  [
    'looked up',
    reading(
      (at) => at + 9,
      (byte) => byte * 77 + 13,
    ),
  ],
])('bytes that come out %s are chosen', (_, produce) => expect(solve(produce)).toEqual(wanted))

test('bytes that come out as the sums of words are chosen', () => {
  const words = Uint8Array.from(given)
  const numberAt = (bytes: Uint8Array, at: number) =>
    BigInt(`0x${Buffer.from(bytes.subarray(at, at + 20)).toString('hex')}`)
  const write = (number: bigint) => Buffer.from((number % 2n ** 160n).toString(16).padStart(40, '0'), 'hex')
  const sums: Produce = (bytes) =>
    Uint8Array.from([...write(numberAt(bytes, 12)), ...write(numberAt(bytes, 12) + numberAt(bytes, 44))])
  const sources = findSources(words, sums)
  const solved = solveBytes(words, wanted, { sources, produce: sums })
  expect(solved && [...(sums(solved) ?? [])]).toEqual(wanted)
})

test('what comes out whatever is given is not chosen', () => {
  expect(
    solve((bytes) => Uint8Array.from({ length: OUT }, (_, at) => (at === 7 ? 1 : (bytes[at] ?? 0)))),
  ).toBeUndefined()
})

test('bytes by which others are read stay what they are', () => {
  // The first byte says where the rest begins.
  const produce: Produce = (bytes) => {
    const from = bytes[0] ?? 0
    return from + OUT > bytes.length ? undefined : bytes.slice(from, from + OUT)
  }
  const headed = Uint8Array.from(given)
  headed[0] = 17
  const sources = findSources(headed, produce)
  const solved = solveBytes(headed, wanted, { sources, produce })
  expect(solved && [...(produce(solved) ?? [])]).toEqual(wanted)
})

test('whatever the code does, what is called solved comes out', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(95), fc.nat(255), fc.nat(2)), { minLength: OUT, maxLength: OUT }), (rules) => {
      const produce: Produce = (bytes) =>
        Uint8Array.from(rules, ([place, key, kind]) => {
          const byte = bytes[place] ?? 0
          return kind === 0 ? byte ^ key : kind === 1 ? byte + key : key
        })
      const sources = findSources(given, produce)
      const solved = solveBytes(given, wanted, { sources, produce })
      if (solved !== undefined) expect([...(produce(solved) ?? [])]).toEqual(wanted)
    }),
  )
})
