import { readEquality } from '../../../bytecode/entry.js'
import { ERC20 } from '../../../bytecode/roles.js'
import { environmentSource } from '../../../bytecode/source.js'
import { isStored, type Term } from '../../../bytecode/terms.js'
import { findFunction } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'

/**
 * Flags a `balanceOf` whose answer depends on who asks, when, or on whether the account is a
 * special one.
 */
export const lyingBalance = defineDetector({
  id: 'lying-balance',
  title: 'Balance Display Can Lie',
  description:
    'The balance that the token shows depends on who asks, on the time, or on whether the account is a special one.',
  confidence: 'medium',
  detect: ({ facts }) => {
    const fn = findFunction(facts, ERC20.balanceOf)
    if (fn === undefined) return []
    return fn.conditions.flatMap(({ term, fails, pc }): Finding[] => {
      if (fails !== undefined) return []
      const pill = term.taint.sources.find((source) => PILLS.has(source))
      const special = namesAccount(facts.store, term)
      if (pill === undefined && special === undefined) return []
      const note = pill === undefined ? 'answers differently for one account' : `depends on ${pill.slice(4)}`
      return [
        { pc, ...(fn.selector && { selector: fn.selector }), severity: pill === undefined ? 'medium' : 'high', note },
      ]
    })
  },
})

const PILLS: ReadonlySet<string> = new Set(
  ['CALLER', 'ORIGIN', 'COINBASE', 'GASPRICE', 'PREVRANDAO', 'BLOCKHASH', 'BASEFEE'].map((name) =>
    environmentSource(name),
  ),
)

/** `account == x` for a stored or constant x other than zero and the token itself. */
function namesAccount(store: Parameters<typeof readEquality>[0], condition: Term): Term | undefined {
  const equality = readEquality(store, condition)
  if (equality === undefined) return undefined
  const { a, b } = equality
  const [account, other] = a.op === 'calldata' ? [a, b] : [b, a]
  if (account.op !== 'calldata' || account.value !== 4n) return undefined
  return isStored(other) || (other.op === 'const' && other.value > 0xffffn) ? other : undefined
}
