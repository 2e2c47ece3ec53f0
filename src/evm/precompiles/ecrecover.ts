import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak256 } from '../keccak-words.js'
import { NO_OUTPUT, orInvalid, type Precompile, padded, toBigint } from './precompile.js'

/** 0x01: the address that signed a hash, or nothing. Yellow Paper, appendix F. */
export const ecrecover: Precompile = {
  microsPerGas: 0.5,
  gas: () => 3_000,
  run(input) {
    const bytes = padded(input, 0, 128)
    const v = toBigint(bytes.subarray(32, 64))
    if (v !== 27n && v !== 28n) return NO_OUTPUT
    const signer = orInvalid(() => {
      const signature = new secp256k1.Signature(toBigint(bytes.subarray(64, 96)), toBigint(bytes.subarray(96, 128)))
      const point = signature.addRecoveryBit(Number(v - 27n)).recoverPublicKey(bytes.subarray(0, 32))
      const address = new Uint8Array(32)
      address.set(keccak256(point.toBytes(false).subarray(1)).subarray(12), 12)
      return address
    })
    return signer ?? NO_OUTPUT
  },
}
