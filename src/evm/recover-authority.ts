import { type Address, type Hex, hexToBytes } from '../hex.js'
import { encodeRlp, quantityBytes } from '../rlp.js'
import { keccak256 } from './keccak-words.js'
import { recoverSigner } from './precompiles/ecrecover.js'

/** A tuple of an EIP-7702 authorization list as it is signed. */
export interface SignedAuthorization {
  chainId: bigint
  address: Address
  nonce: bigint
  yParity: bigint
  r: bigint
  s: bigint
}

/** Who signed the tuple; `undefined` where the signature is not valid. */
export function recoverAuthority({ chainId, address, nonce, ...signature }: SignedAuthorization): Address | undefined {
  if (signature.s > HALF_ORDER || signature.yParity > 1n) return undefined
  const signed = encodeRlp([quantityBytes(chainId), hexToBytes(address), quantityBytes(nonce)])
  const hash = keccak256(Uint8Array.from([MAGIC, ...signed]))
  const signer = recoverSigner(hash, signature)
  return signer && (`0x${Buffer.from(signer).toString('hex')}` satisfies Hex)
}

const MAGIC = 0x05
/** EIP-2: half of the order of secp256k1. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
