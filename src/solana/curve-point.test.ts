import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { expect, test } from 'vitest'
import { isPoint } from './curve-point.js'

/** As the library takes the root. */
function hasRoot(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes, true)
    return true
  } catch {
    return false
  }
}

const filled = (...bytes: number[]) => Uint8Array.from({ length: 32 }, (_, i) => bytes[i] ?? bytes.at(-1) ?? 0)

test.each<[string, Uint8Array]>([
  ['nil', filled(0)],
  ['one, whose x is nil', filled(1, 0)],
  ['two', filled(2, 0)],
  ['all ones, which is above the prime', filled(0xff)],
  ['the prime itself', Uint8Array.from(filled(0xed, 0xff)).fill(0x7f, 31)],
  ['one above the prime', Uint8Array.from(filled(0xee, 0xff)).fill(0x7f, 31)],
])('%s', (_, bytes) => {
  expect(isPoint(bytes)).toBe(hasRoot(bytes))
})

test('of a thousand hashes, about half of which are points', () => {
  const hashes = Array.from({ length: 1_000 }, (_, i) => new Uint8Array(createHash('sha256').update(`${i}`).digest()))
  const points = hashes.filter(isPoint)
  expect(points).toEqual(hashes.filter(hasRoot))
  expect(points.length).toBeGreaterThan(400)
  expect(points.length).toBeLessThan(600)
})
