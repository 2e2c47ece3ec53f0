import type { Chain, WellKnownToken } from '../../chains/chain.js'
import type { TokenMetadata } from '../../dex/token-metadata.js'
import type { Address } from '../../hex.js'
import { plainText } from '../../untrusted-text.js'
import { skeletonOf } from './skeleton.js'
import { markText, type TextMark } from './text-marks.js'

/** What a token says that it is, made safe to show. Untrusted all the same. */
export interface TokenIdentity {
  /** One line of visible characters; empty when the token does not say. */
  name: string
  symbol: string
  /** EIP-20's uint8; `undefined` when the token does not say, or says something else. */
  decimals: number | undefined
  /** Base units; `undefined` when the token does not say. */
  totalSupply: bigint | undefined
  /** What is odd about the two texts. */
  marks: readonly TextMark[]
  /** The well-known token whose name or symbol it carries without being it. */
  imitates: (Pick<WellKnownToken, 'symbol' | 'address'> & { isExact: boolean }) | undefined
}

const MAX_NAME_LENGTH = 64
const MAX_SYMBOL_LENGTH = 32

/**
 * Describes a token by what it answered about itself. `undefined` where it answered nothing: it is
 * no token.
 */
export function describeIdentity(
  { chain, address }: { chain: Pick<Chain, 'wellKnownTokens'>; address: Address },
  { name, symbol, decimals, totalSupply }: TokenMetadata,
): TokenIdentity | undefined {
  if (name === '' && symbol === '' && decimals === undefined && totalSupply === undefined) return undefined
  const marks = [...markText(name, MAX_NAME_LENGTH), ...markText(symbol, MAX_SYMBOL_LENGTH)]
  return {
    name: plainText(name, MAX_NAME_LENGTH),
    symbol: plainText(symbol, MAX_SYMBOL_LENGTH),
    decimals,
    totalSupply,
    marks: [...new Set(marks)],
    imitates: findOriginal(chain.wellKnownTokens ?? [], address, { name, symbol }),
  }
}

/**
 * The token whose name or symbol looks like this one's; `isExact` where both do. The originals
 * imitate none.
 */
function findOriginal(
  known: readonly WellKnownToken[],
  address: Address,
  { name, symbol }: Pick<TokenMetadata, 'name' | 'symbol'>,
): TokenIdentity['imitates'] {
  if (known.some((token) => token.address === address)) return undefined
  const looks = { name: skeletonOf(name), symbol: skeletonOf(symbol) }
  const isLike = (own: string, original: string) => own !== '' && own === skeletonOf(original)
  for (const token of known) {
    const [isSymbol, isName] = [isLike(looks.symbol, token.symbol), isLike(looks.name, token.name)]
    if (isSymbol || isName) return { symbol: token.symbol, address: token.address, isExact: isSymbol && isName }
  }
  return undefined
}
