import { address } from '@solana/kit'
import type { SolanaAddress } from '../../solana/address.js'
import { USDC, USDT, WRAPPED_SOL } from '../../solana/programs.js'

export interface TrustedMint {
  symbol: string
  /** In lower case. */
  names: readonly string[]
}

export type TrustedMints = ReadonlyMap<SolanaAddress, TrustedMint>

/**
 * Tokens of mainnet whose powers (freeze, mint, fees) are publicly known and belong to who issues them. A short list on purpose: it
 * lowers what powers weigh, and never what was seen to happen. State of 2026-11, from the issuers' own pages.
 */
export const TRUSTED_MINTS: TrustedMints = new Map<SolanaAddress, TrustedMint>([
  [WRAPPED_SOL, { symbol: 'SOL', names: ['wrapped sol'] }],
  [USDC, { symbol: 'USDC', names: ['usd coin'] }],
  [USDT, { symbol: 'USDT', names: ['usdt', 'tether usd'] }],
  [address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'), { symbol: 'PYUSD', names: ['paypal usd'] }],
  [address('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'), { symbol: 'mSOL', names: ['marinade staked sol'] }],
  [address('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'), { symbol: 'JitoSOL', names: ['jito staked sol'] }],
  [address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'), { symbol: 'JUP', names: ['jupiter'] }],
  [address('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'), { symbol: 'BONK', names: ['bonk'] }],
])

/**
 * The trusted token whose name or symbol this one carries without being it; `undefined` when it copies none. Letters that look alike
 * are taken for each other, because that is how names are copied.
 */
export function findOriginal(
  mint: SolanaAddress,
  { name, symbol }: { name: string; symbol: string },
  trusted: TrustedMints,
): SolanaAddress | undefined {
  if (trusted.has(mint)) return undefined
  const [plainName, plainSymbol] = [skeleton(name), skeleton(symbol)]
  for (const [original, known] of trusted) {
    const isSymbol = plainSymbol !== '' && plainSymbol === skeleton(known.symbol)
    const isName = known.names.some((each) => plainName === skeleton(each))
    if (isSymbol || isName) return original
  }
  return undefined
}

/** Longest name that is compared. */
const MAX_NAME = 64

function skeleton(text: string): string {
  return [...text.slice(0, MAX_NAME).normalize('NFKD').toLowerCase()]
    .map((letter) => LOOK_ALIKES.get(letter) ?? letter)
    .filter((letter) => /[a-z0-9]/.test(letter))
    .join('')
}

/** Cyrillic and Greek letters, and digits, that are drawn like Latin ones (Unicode TR 39, the usual ones). */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map([
  ...[...'аеорсухіјѕԁ'].map((letter, i) => [letter, 'aeopcyxijsd'[i] ?? ''] as const),
  ...[...'αοτνκ'].map((letter, i) => [letter, 'aotvk'[i] ?? ''] as const),
  ['ѵ', 'v'],
  ['0', 'o'],
  ['1', 'l'],
  ['5', 's'],
  ['$', 's'],
])
