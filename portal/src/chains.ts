/** The chains that can be asked, in the order in which they are offered. */
export const CHAINS = [
  { id: '1', name: 'Ethereum', coin: 'ETH' },
  { id: '56', name: 'BNB Smart Chain', coin: 'BNB' },
  { id: '8453', name: 'Base', coin: 'ETH' },
  { id: '42161', name: 'Arbitrum', coin: 'ETH' },
  { id: '10', name: 'OP Mainnet', coin: 'ETH' },
  { id: 'SOL', name: 'Solana', coin: 'SOL' },
] as const

export const findChain = (id: string) => CHAINS.find((chain) => chain.id === id)
export const coinOf = (id: string) => findChain(id)?.coin ?? 'coin'
