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
    const [r, s] = [toBigint(bytes.subarray(64, 96)), toBigint(bytes.subarray(96, 128))]
    const signer = recoverSigner(bytes.subarray(0, 32), { r, s, yParity: v - 27n })
    return signer === undefined ? NO_OUTPUT : Uint8Array.from([...LEFT_OF_ADDRESS, ...signer])
  },
}

const LEFT_OF_ADDRESS = new Uint8Array(12)

/** The 20 bytes of the address that signed a hash; `undefined` where no key can have. */
export function recoverSigner(
  hash: Uint8Array,
  { r, s, yParity }: { r: bigint; s: bigint; yParity: bigint },
): Uint8Array | undefined {
  return orInvalid(() => {
    const point = new secp256k1.Signature(r, s).addRecoveryBit(Number(yParity)).recoverPublicKey(hash)
    return keccak256(point.toBytes(false).subarray(1)).subarray(12)
  })
}
