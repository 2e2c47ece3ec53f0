import { address, type SolanaAddress } from '../../solana/address.js'
import { USDC, USDT, WRAPPED_SOL } from '../../solana/programs.js'
import { skeletonOf } from '../identity/skeleton.js'

export interface TrustedMint {
  symbol: string
  /** In lower case. */
  names: readonly string[]
}

export type TrustedMints = ReadonlyMap<SolanaAddress, TrustedMint>

/**
 * Tokens of mainnet whose powers (freeze, mint, fees) are publicly known and belong to who issues
 * them. A short list on purpose: it lowers what powers weigh, and never what was seen to happen.
 * State of 2026-11, from the issuers' own pages.
 */
export const TRUSTED_MINTS: TrustedMints = new Map<SolanaAddress, TrustedMint>([
  [WRAPPED_SOL, { symbol: 'SOL', names: ['wrapped sol'] }],
  [USDC, { symbol: 'USDC', names: ['usd coin'] }],
  [USDT, { symbol: 'USDT', names: ['usdt', 'tether usd'] }],
  [address('HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr'), { symbol: 'EURC', names: ['eurc', 'euro coin'] }],
  [address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'), { symbol: 'PYUSD', names: ['paypal usd'] }],
  [address('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'), { symbol: 'mSOL', names: ['marinade staked sol'] }],
  [address('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'), { symbol: 'JitoSOL', names: ['jito staked sol'] }],
  [address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'), { symbol: 'JUP', names: ['jupiter'] }],
  [address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'), { symbol: 'BONK', names: ['bonk'] }],
])

/**
 * The trusted token whose name or symbol this one carries without being it; `undefined` when it
 * copies none. Letters that look alike are taken for each other, because that is how names are
 * copied.
 */
export function findOriginal(
  mint: SolanaAddress,
  { name, symbol }: { name: string; symbol: string },
  trusted: TrustedMints,
): SolanaAddress | undefined {
  if (trusted.has(mint)) return undefined
  const [plainName, plainSymbol] = [skeletonOf(name), skeletonOf(symbol)]
  for (const [original, known] of trusted) {
    const isSymbol = plainSymbol !== '' && plainSymbol === skeletonOf(known.symbol)
    const isName = known.names.some((each) => plainName === skeletonOf(each))
    if (isSymbol || isName) return original
  }
  return undefined
}
