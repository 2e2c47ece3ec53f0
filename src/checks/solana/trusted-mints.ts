import { address, type SolanaAddress } from '../../solana/address.js'
import { USDC, USDT, WRAPPED_SOL } from '../../solana/programs.js'
import { skeletonOf } from '../identity/skeleton.js'

export interface TrustedMint {
  symbol: string
  /** In lower case. */
  names: readonly string[]
  /** Base units that are worth a dollar, to the order of magnitude: prices move. */
  unitsOfDollar: number
}

export type TrustedMints = ReadonlyMap<SolanaAddress, TrustedMint>

/** A coin has nine decimals and has cost 20 to 300 dollars since 2023. */
const OF_COIN = 1e7

/**
 * Tokens of mainnet whose powers (freeze, mint, fees) are publicly known and belong to who issues
 * them. A short list on purpose: it lowers what powers weigh, and never what was seen to happen.
 * State of 2026-11, from the issuers' own pages.
 */
export const TRUSTED_MINTS: TrustedMints = new Map<SolanaAddress, TrustedMint>([
  [WRAPPED_SOL, { symbol: 'SOL', names: ['wrapped sol'], unitsOfDollar: OF_COIN }],
  [USDC, { symbol: 'USDC', names: ['usd coin'], unitsOfDollar: 1e6 }],
  [USDT, { symbol: 'USDT', names: ['usdt', 'tether usd'], unitsOfDollar: 1e6 }],
  [
    address('HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr'),
    { symbol: 'EURC', names: ['eurc', 'euro coin'], unitsOfDollar: 1e6 },
  ],
  [
    address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'),
    { symbol: 'PYUSD', names: ['paypal usd'], unitsOfDollar: 1e6 },
  ],
  [
    address('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'),
    { symbol: 'mSOL', names: ['marinade staked sol'], unitsOfDollar: OF_COIN },
  ],
  [
    address('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'),
    { symbol: 'JitoSOL', names: ['jito staked sol'], unitsOfDollar: OF_COIN },
  ],
  [address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'), { symbol: 'JUP', names: ['jupiter'], unitsOfDollar: 2e6 }],
  [address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'), { symbol: 'BONK', names: ['bonk'], unitsOfDollar: 5e9 }],
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
