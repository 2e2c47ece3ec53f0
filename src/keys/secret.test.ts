import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createId, createSecret, hashSecret, isWellFormedSecret, maskSecret } from './secret.js'

test('a key is a prefix, 43 digits and a checksum of 6, and no two are alike', () => {
  const secrets = Array.from({ length: 1_000 }, createSecret)
  expect(new Set(secrets).size).toBe(1_000)
  for (const secret of secrets) expect(secret).toMatch(/^assay_[0-9A-Za-z]{49}$/)
})

test('the checksum is right for a key that was made, and wrong after any one change', () => {
  const secret = createSecret()
  expect(isWellFormedSecret(secret)).toBe(true)
  fc.assert(
    fc.property(fc.nat(secret.length - 1), fc.constantFrom('0', 'A', 'z', '_', ' '), (at, character) => {
      fc.pre(secret[at] !== character)
      expect(isWellFormedSecret(secret.slice(0, at) + character + secret.slice(at + 1))).toBe(false)
    }),
  )
})

test('no other text is well-formed', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isWellFormedSecret(text)))
})

test('the mask shows the first seven and the last four characters', () => {
  const secret = createSecret()
  expect(maskSecret(secret)).toBe(`${secret.slice(0, 7)}****************************${secret.slice(-4)}`)
})

test('the hash is SHA-256 of the whole key', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('an id carries its prefix', () => {
  expect(createId('key')).toMatch(/^key_[0-9A-Za-z]{17}$/)
})
