import { expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from './hex.js'

test('bytes survive being written and read, with and without the prefix', () => {
  for (const hex of ['0x', '0x00', `0x${'00ff7f'.repeat(10_000)}`] as const) {
    expect(bytesToHex(hexToBytes(hex))).toBe(hex)
    expect(bytesToHex(hexToBytes(hex.slice(2)))).toBe(hex)
  }
})

test.each(['0x0', '0xabc', '0xzz', '0x00zz', '0x0z00', '0x00 '])('%s is no whole bytes of hex', (hex) => {
  expect(() => hexToBytes(hex)).toThrow(RangeError)
})
