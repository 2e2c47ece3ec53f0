import { p256 } from '@noble/curves/nist.js'
import { flag, NO_OUTPUT, orInvalid, type Precompile } from './precompile.js'

const INPUT_BYTES = 160

/**
 * 0x100: whether a secp256r1 signature is valid (EIP-7951, and RIP-7212 before it on the layer-2
 * chains).
 */
export function createP256Verify(gas: number): Precompile {
  return {
    microsPerGas: 0.5,
    gas: () => gas,
    run(input) {
      if (input.length !== INPUT_BYTES) return NO_OUTPUT
      const publicKey = new Uint8Array(65)
      publicKey[0] = 4
      publicKey.set(input.subarray(96), 1)
      const isValid = orInvalid(() =>
        p256.verify(input.subarray(32, 96), input.subarray(0, 32), publicKey, { prehash: false, lowS: false }),
      )
      return isValid === true ? flag(true) : NO_OUTPUT
    },
  }
}
