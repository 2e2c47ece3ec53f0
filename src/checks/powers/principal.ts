import type { Effect } from '../../bytecode/effects.js'
import type { ReadStorage } from '../../bytecode/evaluate.js'
import type { ContractFacts, Located } from '../../bytecode/facts.js'
import type { Guard } from '../../bytecode/guards.js'
import { readHolder, readPrivilege, writersOfPrivilege } from '../../bytecode/privilege.js'
import type { Address } from '../../hex.js'

/**
 * The one account that a contract obeys, as OpenZeppelin's ProxyAdmin does: every way to make it
 * call out is guarded by that account alone, and so is every way to put another in its place.
 * `undefined` where it obeys several, anyone, a list, or code of others; or was not read to its
 * end.
 */
export function readPrincipal(facts: ContractFacts, read: ReadStorage): Address | undefined {
  if (facts.gaps.length > 0) return undefined
  const principals = new Set<Address>()
  for (const fn of facts.functions) {
    for (const effect of fn.effects) {
      if (!actsOnOthers(effect)) continue
      if (effect.kind !== 'call' || effect.op !== 'CALL') return undefined
      const principal = readOnly(facts, fn.guardsOf(effect.node), read)
      if (principal === undefined) return undefined
      principals.add(principal)
    }
  }
  const [only, second] = principals
  return second === undefined ? only : undefined
}

const actsOnOthers = (effect: Located<Effect>) =>
  effect.kind === 'create' || effect.kind === 'destruct' || (effect.kind === 'call' && effect.op !== 'STATICCALL')

function readOnly(facts: ContractFacts, guards: readonly Guard[], read: ReadStorage): Address | undefined {
  const [guard, second] = guards
  if (guard === undefined || second !== undefined) return undefined
  const privilege = readPrivilege(guard)
  const isHandedOnByHimself = writersOfPrivilege(facts, privilege).every(({ fn, effect }) => {
    const needed = fn.guardsOf(effect.node)
    return needed.length > 0 && needed.every(({ holder }) => holder === guard.holder)
  })
  return isHandedOnByHimself ? readHolder(facts, privilege, read) : undefined
}
