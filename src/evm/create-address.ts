import { toAddressWord, type Word, wordFromBytes, wordToBytes } from '../instructions/word.js'
import { keccak256 } from './keccak-words.js'

/** EIP-161 era CREATE: the hash of the RLP list of sender and nonce. */
export function createAddress(sender: Word, nonce: bigint): Word {
  const digits = nonce.toString(16)
  const nonceBytes =
    nonce === 0n ? Buffer.alloc(0) : Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const encodedNonce =
    nonceBytes.length === 1 && (nonceBytes[0] as number) < 0x80
      ? nonceBytes
      : Buffer.concat([Buffer.of(0x80 + nonceBytes.length), nonceBytes])
  const payload = Buffer.concat([Buffer.of(0x94), addressBytes(sender), encodedNonce])
  return addressFromHash(keccak256(Buffer.concat([Buffer.of(0xc0 + payload.length), payload])))
}

/** EIP-1014. */
export function createAddress2(sender: Word, salt: Word, initCode: Uint8Array): Word {
  const preimage = Buffer.concat([Buffer.of(0xff), addressBytes(sender), wordToBytes(salt), keccak256(initCode)])
  return addressFromHash(keccak256(preimage))
}

function addressBytes(address: Word): Uint8Array {
  return wordToBytes(address).subarray(12)
}

function addressFromHash(hash: Uint8Array): Word {
  return toAddressWord(wordFromBytes(hash))
}
