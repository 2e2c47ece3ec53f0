import type { Finding } from '../../checks/finding.js'
import type { TokenIdentity } from '../../checks/identity/token-identity.js'

/**
 * A symbol may be carried by two tokens in good faith; both name and symbol, or a trick of writing,
 * are meant to be mistaken.
 */
const SAME_NAME_SCORE = 40
const DECEIVING_SCORE = 75

/** Whether it wants to be taken for another token. The original's symbol is from our own list. */
export function findInIdentity({ imitates, marks }: TokenIdentity): Finding[] {
  if (imitates === undefined) return []
  const isDeceiving = imitates.isExact || marks.includes('hidden') || marks.includes('mixed-scripts')
  return [
    {
      ...{ id: 'identity/imitates', basis: 'observed', score: isDeceiving ? DECEIVING_SCORE : SAME_NAME_SCORE },
      headline: `It looks like ${imitates.symbol}, and is another token.`,
      reason: `Its name or symbol is that of ${imitates.symbol}, a well-known token at another address.`,
    },
  ]
}
