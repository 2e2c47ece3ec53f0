import type { ContractFacts } from '../../bytecode/facts.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { type BalanceChange, readTokenFacts } from '../../bytecode/token-facts.js'

/**
 * Whether the change counts one thing that has a number (ERC-721): the function writes down beside
 * it whose the thing is now. A count of such things is no balance that could be sold into a pool,
 * and whose they are is asked of that record.
 */
export function isNumbered(facts: ContractFacts, { fn, amount }: BalanceChange): boolean {
  if (amount?.op !== 'const' || amount.value !== 1n) return false
  const accounts = readTokenFacts(facts).balanceChanges.flatMap((change) => (change.fn === fn ? [change.account] : []))
  return fn.effects.some((effect) => {
    if (effect.kind !== 'write') return false
    const { id, keys } = classifyKey(effect.key)
    const [number] = keys
    if (number === undefined || keys.length > 1 || accounts.includes(number) || facts.roles.holdings.has(id))
      return false
    return accounts.includes(effect.value) || (effect.value.op === 'const' && effect.value.value === 0n)
  })
}
