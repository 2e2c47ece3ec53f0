import { checksumAddress } from '../checksum-address.js'
import type { Address } from '../hex.js'
import type { SolanaAddress } from './address.js'

/** A token or an account of any chain. Base58 has no zero: none is mistaken for the other. */
export type TokenAddress = Address | SolanaAddress

/** As people and clients read it. */
export const showAddress = (address: string): string => (isEvmAddress(address) ? checksumAddress(address) : address)

const ADDRESS_CHARS = 42

export const isEvmAddress = (address: string): address is Address =>
  address.startsWith('0x') && address.length === ADDRESS_CHARS
