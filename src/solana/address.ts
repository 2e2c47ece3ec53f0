import { type Address, getAddressDecoder, getAddressEncoder, isAddress } from '@solana/kit'

/**
 * A public key of 32 bytes in base58. Named apart from the EVM's `Address`, which it is never mixed
 * with.
 */
export type SolanaAddress = Address

/** Reads an address as people write it; `undefined` when it is not base58 of exactly 32 bytes. */
export function parseSolanaAddress(value: unknown): SolanaAddress | undefined {
  return typeof value === 'string' && value.length <= MAX_CHARACTERS && isAddress(value) ? value : undefined
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
  const bytes = encoder.encode(address) as Uint8Array
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
  const address = decoder.decode(bytes)
  remember(address, Uint8Array.from(bytes))
  return address
}

export const ADDRESS_BYTES = 32

const encoder = getAddressEncoder()
const decoder = getAddressDecoder()

/** A pure function's results, so that they are no state. */
const bytesOf = new Map<SolanaAddress, Uint8Array>()
const addressOf = new Map<string, SolanaAddress>()

/** About two megabytes. */
const MAX_REMEMBERED = 8_192

function remember(address: SolanaAddress, bytes: Uint8Array): void {
  if (bytesOf.size >= MAX_REMEMBERED) {
    bytesOf.clear()
    addressOf.clear()
  }
  bytesOf.set(address, bytes)
  addressOf.set(Buffer.from(bytes).toString('latin1'), address)
}
