import type { Address } from '../hex.js'

/**
 * Who a user is: the wallet that signed in. One name for one holder of keys:
 * - `eip155:0x…`: an account with a key of its own (lower case). The same person holds it on
 *   every chain.
 * - `eip155:1:0x…`: a contract that answered for the signature (ERC-1271). Another chain may have
 *   another owner's contract at the same address.
 * - `solana:…`: an account of Solana, base 58.
 */
export type Wallet = `eip155:${Address}` | `eip155:${number}:${Address}` | `solana:${string}`

export const ethereumAccount = (address: Address): Wallet => `eip155:${address}`
export const contractWallet = (chainId: number, address: Address): Wallet => `eip155:${chainId}:${address}`
export const solanaAccount = (address: string): Wallet => `solana:${address}`

/** What a person knows his wallet by. */
export function addressOf(wallet: string): string {
  return wallet.slice(wallet.lastIndexOf(':') + 1)
}
