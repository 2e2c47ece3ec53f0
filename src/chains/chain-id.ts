/**
 * Solana where chains go by number: in stores, and among those that are followed. No chain with an
 * EVM has it (EIP-155), and files of chains refuse it.
 */
export const SOLANA_ID = 0

/** How requests and answers name Solana (specification, section 1). */
export const SOLANA_CHAIN_ID = 'SOL'

/** What `chainId` of a request or an answer is. */
export type WireChainId = number | typeof SOLANA_CHAIN_ID

export const toWireChainId = (id: number): WireChainId => (id === SOLANA_ID ? SOLANA_CHAIN_ID : id)

/** Reads a chain's id as people write it in a setting or an address; `undefined` for none. */
export function parseWireChainId(text: string): number | undefined {
  if (text === SOLANA_CHAIN_ID) return SOLANA_ID
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
