import type { FunctionFacts } from '../../bytecode/facts.js'
import { readBalanceChanges } from '../../bytecode/read-balance-changes.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { APPROVE, type CodeEntry, type Place, TRANSFER, TRANSFER_FROM } from './hidden-entries.js'

type Effect = FunctionFacts['effects'][number]

/**
 * Where an entry writes balances and allowances in a way that its name does not tell: the fallback
 * and functions everywhere; `approve` a balance, or what another account allows; `transfer` an
 * allowance, more for its caller, or less for others.
 */
export function specialBooks({ code, fn, selector, books }: CodeEntry): readonly Place[] {
  if (selector !== APPROVE && selector !== TRANSFER && selector !== TRANSFER_FROM) return books
  // Whose allowance it uses, and how, is asked branch by branch.
  if (selector === TRANSFER_FROM || books.length === 0) return []
  const { roles } = code.facts
  const changes = new Map<Effect, ReturnType<typeof readBalanceChanges>[number]>(
    readBalanceChanges(code.facts, fn).map((change) => [change.effect, change]),
  )
  const isSpecial = (effect: Effect): boolean => {
    if (effect.kind !== 'write') return false
    const { id, keys } = classifyKey(effect.key)
    if (roles.allowances.has(id)) return selector === TRANSFER || keys[0]?.op !== 'CALLER'
    if (selector === APPROVE) return roles.balances.has(id)
    const change = changes.get(effect)
    if (change === undefined) return false
    if (change.account.op === 'CALLER') return change.kind === 'add'
    return change.kind === 'subtract' || (change.kind === 'set' && change.amount?.op === 'const')
  }
  const special = new Set(fn.effects.filter(isSpecial).map(({ node }) => node))
  return books
    .map((place) => ({ ...place, nodes: place.nodes.filter((node) => special.has(node)) }))
    .filter(({ nodes }) => nodes.length > 0)
}
