import { sell } from '../../dex/legs.js'
import { createDecisionsInspector, type Decision } from '../../evm/inspectors/decisions.js'
import { isSmall, type Slot } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { conditionsOf, leavesOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import type { Stage } from './stage.js'

/**
 * Storage that a sale depends on and does not write itself: balances, allowances and counts are
 * left out.
 */
export interface DecisiveWords {
  /** By the branch, or the comparison, that asks for them. */
  conditions: readonly Decision[]
  words: readonly Slot[]
  /** Contracts besides the token whose storage is among them. */
  foreign: readonly Address[]
}

/** Contracts that a token asks at each transfer. */
const MAX_FOREIGN = 3

/**
 * Looks at every branch of the buyer's sale, at what went into the words that it stored, and at the
 * contracts that it asked. Leaves the fork as it is.
 */
export function readDecisiveWords({ buyer, fork, token, effort, exchange }: Stage): DecisiveWords {
  const decisions = createDecisionsInspector()
  effort.trades += 1
  onBranch({ fork }, () => sell({ ...buyer.context, watch: () => [decisions] }, buyer.held))
  const found = decisions.finish()
  const isOurs = isCodeOfToken(buyer.context)
  const stored = new Set(found.stores.map(({ address, slot }) => `${address} ${slot}`))
  const conditions = conditionsOf(buyer.context, found)
  const computed = found.stores
    .filter(({ codeAddress }) => isOurs(codeAddress))
    .map(({ value }) => value)
    .filter(isSmall)
  const words = new Map<string, Slot>()
  // Who is asked decides as well as what is answered.
  const asked = found.calls.filter(({ codeAddress }) => isOurs(codeAddress)).map(({ target }) => target)
  for (const term of [...conditions.map(({ condition }) => condition), ...computed, ...asked.filter(isSmall)])
    for (const leaf of leavesOf(term)) {
      if (leaf.kind !== 'slot' || exchange.has(leaf.address)) continue
      const name = `${leaf.address} ${leaf.slot}`
      if (!stored.has(name)) words.set(name, leaf)
    }
  const owners = new Set([...words.values()].map(({ address }) => address))
  owners.delete(token)
  return { conditions, words: [...words.values()], foreign: [...owners].slice(0, MAX_FOREIGN) }
}
