import { type Address, hexToBytes, toPaddedHex } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'

/** Bytes that an account brings which a caller names. */
export interface Supplied {
  /**
   * As its code, as what it answers to every call, or as the one value of type `bytes` that it
   * answers.
   */
  how: 'code' | 'answer' | 'bytes'
  bytes: Uint8Array
}

/** Code that answers every call with the bytes that stand behind it. */
const replyingWith = (bytes: Uint8Array): Uint8Array => {
  const length = toPaddedHex(BigInt(bytes.length), 2).slice(2)
  return Uint8Array.from([...hexToBytes(`0x61${length}600e60003961${length}6000f3`), ...bytes])
}

const WORD_BYTES = 32
const word = (value: number) => hexToBytes(toPaddedHex(BigInt(value), WORD_BYTES))

/** As the ABI encodes one value of type `bytes`. */
const encoded = (bytes: Uint8Array): Uint8Array =>
  Uint8Array.from([...word(WORD_BYTES), ...word(bytes.length), ...bytes, ...new Uint8Array(-bytes.length & 31)])

const CODES: Readonly<Record<Supplied['how'], (bytes: Uint8Array) => Uint8Array>> = {
  code: (bytes) => bytes,
  answer: replyingWith,
  bytes: (bytes) => replyingWith(encoded(bytes)),
}

/** Has these accounts bring the bytes. */
export function supply({ evm }: Fork, accounts: Iterable<Address>, { how, bytes }: Supplied): void {
  const code = CODES[how](bytes)
  for (const account of accounts) evm.setCode(account, code)
}
