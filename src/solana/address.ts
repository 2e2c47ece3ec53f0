import type { Address } from '@solana/kit'
import { decodeBase58, encodeBase58 } from './base58.js'
import { createRemembered } from './remembered.js'

/**
 * A public key of 32 bytes in base58. Named apart from the EVM's `Address`, which it is never mixed
 * with.
 */
export type SolanaAddress = Address

/** A check names a few hundred; about a megabyte, in each thread. */
const MAX_REMEMBERED = 1_024
/** A pure function's results, so that they are no state. */
const bytesOf = createRemembered<SolanaAddress, Uint8Array>(MAX_REMEMBERED)
const addressOf = createRemembered<string, SolanaAddress>(MAX_REMEMBERED)

/** Reads an address as people write it; `undefined` when it is not base58 of exactly 32 bytes. */
export function parseSolanaAddress(value: unknown): SolanaAddress | undefined {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return undefined
  if (bytesOf.get(value as SolanaAddress) !== undefined) return value as SolanaAddress
  const bytes = decodeBase58(value)
  if (bytes?.length !== ADDRESS_BYTES) return undefined
  remember(value as SolanaAddress, bytes)
  return value as SolanaAddress
}

/** An address that is written down in code. Throws a `RangeError` for what is none. */
export function address(text: string): SolanaAddress {
  const parsed = parseSolanaAddress(text)
  if (parsed === undefined) throw new RangeError(`${text} is no address`)
  return parsed
}

/** 32 bytes never take more base58 digits than this. */
const MAX_CHARACTERS = 44

/**
 * The 32 bytes of an address. Base58 costs 50 µs, and the same programs and accounts come again and
 * again, so it remembers.
 */
export function addressBytes(address: SolanaAddress): Uint8Array {
  const known = bytesOf.get(address)
  if (known !== undefined) return known
  const bytes = decodeBase58(address)
  if (bytes?.length !== ADDRESS_BYTES) throw new RangeError(`${address} is no address`)
  remember(address, bytes)
  return bytes
}

/** The address that stands in `data` at `offset`. Throws a `RangeError` when it does not fit. */
export function addressAt(data: Uint8Array, offset = 0): SolanaAddress {
  if (offset < 0 || offset + ADDRESS_BYTES > data.length) throw new RangeError(`no address at ${offset}`)
  const bytes = data.subarray(offset, offset + ADDRESS_BYTES)
  const key = Buffer.from(bytes).toString('latin1')
  const known = addressOf.get(key)
  if (known !== undefined) return known
  const address = encodeBase58(bytes) as SolanaAddress
  remember(address, Uint8Array.from(bytes))
  return address
}

export const ADDRESS_BYTES = 32

function remember(address: SolanaAddress, bytes: Uint8Array): void {
  bytesOf.set(address, bytes)
  addressOf.set(Buffer.from(bytes).toString('latin1'), address)
}
