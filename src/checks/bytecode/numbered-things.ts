import type { ContractFacts } from '../../bytecode/facts.js'
import type { BalanceChange } from '../../bytecode/read-balance-changes.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { hasSource, type Term } from '../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../bytecode/token-facts.js'

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

/**
 * Whether the token is of numbered things (ERC-721): a transfer writes down whose the thing of that
 * number is now, and adds the number to no balance, so that there is no amount of it that a pool
 * could hold.
 */
export function isOfNumberedThings(facts: ContractFacts): boolean {
  const { balanceChanges, transfers } = readTokenFacts(facts)
  return transfers.some((fn) => {
    const { to, amount } = transferParties(fn)
    const isNumber = (term: Term) => term.op === 'calldata' && hasSource(term, amount)
    const isHandedOn = fn.effects.some(
      (effect) => effect.kind === 'write' && classifyKey(effect.key).keys.some(isNumber) && names(effect.value, to),
    )
    const isMoved = balanceChanges.some((change) => change.fn === fn && change.amount && isNumber(change.amount))
    return isHandedOn && !isMoved
  })
}

/** Whether the account is the value, or a part of it. */
const names = (value: Term, isAccount: (term: Term) => boolean): boolean =>
  isAccount(value) || ((value.op === 'OR' || value.op === 'AND') && value.args.some((part) => names(part, isAccount)))
