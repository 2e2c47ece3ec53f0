import type { FunctionFacts } from '../../bytecode/facts.js'
import { findReachable } from '../../bytecode/graph.js'
import { UNKNOWN_VARIABLE } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { readTokenFacts } from '../../bytecode/token-facts.js'
import { APPROVE, TRANSFER, TRANSFER_FROM } from './hidden-entries.js'
import type { TokenCode } from './read-contracts.js'

/**
 * Whether a standard function may do more than its name says, by its code: write an allowance that
 * is not the caller's to give, take from another account than the caller, or take from one without
 * asking for its allowance; or, where it moves nothing, write a balance. What was not read to its
 * end may do anything.
 */
export function hasSpecialPath({ facts }: TokenCode, fn: FunctionFacts): boolean {
  const { roles, gaps } = facts
  if (gaps.length > 0 || roles.allowances.size === 0 || roles.balances.size === 0) return true
  const writes = fn.effects.filter((effect) => effect.kind === 'write')
  if (writes.some(({ key }) => classifyKey(key).id === UNKNOWN_VARIABLE)) return true
  const given = writes.filter(({ key }) => roles.allowances.has(classifyKey(key).id))
  const isOfOthers = given.some(({ key }) => classifyKey(key).keys[0]?.op !== 'CALLER')
  if (fn.selector === TRANSFER) return given.length > 0 || takesFromOthers(facts, fn)
  const isOfBalances = writes.some(({ key }) => roles.balances.has(classifyKey(key).id))
  if (fn.selector !== TRANSFER_FROM)
    return isOfOthers || isOfBalances || (fn.selector !== APPROVE && given.length === 0)
  const asked = new Set(
    fn.effects
      .filter((effect) => effect.kind === 'read' && roles.allowances.has(classifyKey(effect.key).id))
      .map(nodeOf),
  )
  const unasked = findReachable(fn.run, ({ to }) => !asked.has(to))
  return writes.some(({ key, node }) => unasked.has(node) && roles.balances.has(classifyKey(key).id))
}

const nodeOf = ({ node }: FunctionFacts['effects'][number]) => node

const takesFromOthers = (facts: TokenCode['facts'], fn: FunctionFacts) =>
  readTokenFacts(facts).balanceChanges.some(
    (change) => change.fn === fn && change.kind === 'subtract' && change.account.op !== 'CALLER',
  )
