/** The chains that can be asked, in the order in which they are offered: npm run docs:chains. */
export const CHAINS = [
  { id: '1', name: 'Ethereum', coin: 'ETH' },
  { id: '56', name: 'BNB Smart Chain', coin: 'BNB' },
  { id: '8453', name: 'Base', coin: 'ETH' },
  { id: '42161', name: 'Arbitrum One', coin: 'ETH' },
  { id: '10', name: 'OP Mainnet', coin: 'ETH' },
  { id: 'SOL', name: 'Solana', coin: 'SOL' },
] as const
