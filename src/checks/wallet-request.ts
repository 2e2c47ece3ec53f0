import type { Address, Hex } from '../hex.js'

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

/** One of several calls that a wallet is asked for in one go (EIP-5792). */
export interface WalletCall {
  to: Address
  /** Wei. */
  value?: bigint
  data?: Hex
}

/** Code that an account is asked to take for its own (EIP-7702). */
export interface WalletAuthorization {
  address: Address
  /** 0: on every chain. Absent: on the chain that is asked about. */
  chainId?: bigint
  nonce?: bigint
  /** Who signed, where a signature came along; else the wallet itself. */
  authority?: Address
}

/** What a website asks a wallet to send or to sign: judged along with the contract. */
export interface WalletRequest {
  /** Whose wallet; an account made up for the purpose if absent. */
  from?: Address
  /** Where `calldata` and `value` go; the target if absent. */
  to?: Address
  /** Wei. */
  value?: bigint
  calldata?: Hex
  /** Played in order, after each other, in place of `calldata`. */
  calls?: readonly WalletCall[]
  typedData?: TypedData
  authorizationList?: readonly WalletAuthorization[]
}
