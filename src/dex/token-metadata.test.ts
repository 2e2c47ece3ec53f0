import fc from 'fast-check'
import { encodeAbiParameters, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../hex.js'
import { decodeText } from './token-metadata.js'

const abiString = (text: string) => encodeAbiParameters([{ type: 'string' }], [text])

describe('decodeText', () => {
  test('reads an ABI string', () => expect(decodeText(abiString('USDT'))).toBe('USDT'))
  test('reads a bytes32, as MKR returns it', () => expect(decodeText(stringToHex('MKR', { size: 32 }))).toBe('MKR'))
  test('reads nothing from nothing', () => expect(decodeText('0x')).toBe(''))
  test('does not follow an offset elsewhere', () => expect(decodeText(`0x${'f'.repeat(192)}`)).toBe(''))
  test('does not believe an absurd length', () => {
    expect(decodeText(`0x${32n.toString(16).padStart(64, '0')}${'f'.repeat(64)}${'0'.repeat(64)}`)).toBe('')
  })
  test('reads back whatever fits', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(decodeText(abiString(text))).toBe(text)
      }),
    )
  })
  test('never throws on hostile bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(typeof decodeText(`0x${Buffer.from(bytes).toString('hex')}` as Hex)).toBe('string')
      }),
    )
  })
})
