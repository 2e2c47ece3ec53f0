import { describe, expect, test } from 'vitest'
import { isDeadAddress } from './dead-address.js'

describe('a dead address', () => {
  test.each([
    '0x0000000000000000000000000000000000000000',
    '0x0000000000000000000000000000000000000009',
    '0x000000000000000000000000000000000000dead',
    '0xdead000000000000000042069420694206942069',
    '0xffffffffffffffffffffffffffffffffffffffff',
    '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead',
    '0xdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
  ])('is known: %s', (address) => {
    expect(isDeadAddress(BigInt(address))).toBe(true)
  })

  test.each([
    ['a bridge that a chain was born with', '0x4200000000000000000000000000000000000010'],
    ['a contract at a short address', '0x0000000000000068f116a894984e2db1123eb395'],
    ['Permit2', '0x000000000022d473030f116ddee9f6b43ac78ba3'],
  ])('is not %s', (_, address) => {
    expect(isDeadAddress(BigInt(address))).toBe(false)
  })
})
