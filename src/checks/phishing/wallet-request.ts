import type { Address, Hex } from '../../hex.js'

/** A value of JSON: typed data is kept as it came, because what is signed is its own words. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/**
 * What a website asks a wallet to sign (EIP-712). Only its shape is checked; every value in it is
 * the stranger's own.
 */
export interface TypedData {
  domain: Readonly<Record<string, Json>>
  types: Readonly<Record<string, readonly { name: string; type: string }[]>>
  primaryType: string
  message: Readonly<Record<string, Json>>
}

/** What a website asks a wallet to send or to sign: judged along with the contract. */
export interface WalletRequest {
  /** Whose wallet; an account made up for the purpose if absent. */
  from?: Address
  /** Wei. */
  value?: bigint
  /** Sent to the target. */
  calldata?: Hex
  typedData?: TypedData
}
