import type { WriteEffect } from './effects.js'
import type { ContractFacts, FunctionFacts, Located } from './facts.js'
import { fromStorage, variableOf } from './source.js'
import { touches } from './source-bits.js'
import { classifyKey } from './storage-key.js'
import type { Term } from './terms.js'

/** How a function changes the balance of an account. */
export interface BalanceChange {
  fn: FunctionFacts
  effect: Located<WriteEffect>
  account: Term
  /**
   * `set`: not computed from the old balance. `change`: computed in a way that could not be
   * followed.
   */
  kind: 'add' | 'subtract' | 'set' | 'change'
  amount: Term | undefined
}

/** Every change of a balance that the function makes. */
export const readBalanceChanges = (facts: ContractFacts, fn: FunctionFacts): BalanceChange[] =>
  fn.effects.flatMap((effect) => (effect.kind === 'write' ? (readBalanceChange(facts, fn, effect) ?? []) : []))

function readBalanceChange(
  facts: ContractFacts,
  fn: FunctionFacts,
  effect: Located<WriteEffect>,
): BalanceChange | undefined {
  const { id, keys } = classifyKey(effect.key)
  const [account] = keys
  const { balances, balanceFields } = facts.roles
  if (account === undefined || ![...balanceFields].some((source) => touches(effect, source))) return undefined
  const { value } = effect
  const isOld = (term: Term | undefined): boolean =>
    term !== undefined &&
    ((term.op === 'sload' && term.args[0] === effect.key) || (term.op === 'field' && isOld(term.args[0])))
  const [a, b] = value.args
  const base = { fn, effect, account }
  if (isLengthOf(balances, id) && value.op === 'ADD' && isOld(a) && b?.op === 'const' && b.value === 1n)
    return isMoveOrBurn(facts, fn, account) ? undefined : { ...base, kind: 'add', amount: undefined }
  if (id.includes(LIST)) return { ...base, ...readDatedChange(id, value) }
  // Compilers spell `- 1` as adding the largest number.
  if (value.op === 'ADD' && isOld(a) && b?.op === 'const' && b.value >= HALF)
    return { ...base, kind: 'subtract', amount: facts.store.constant(WORD - b.value) }
  if (value.op === 'ADD' && isOld(a)) return { ...base, kind: 'add', amount: b }
  if (value.op === 'ADD' && isOld(b)) return { ...base, kind: 'add', amount: a }
  if (value.op === 'SUB' && isOld(a)) return { ...base, kind: 'subtract', amount: b }
  const mentionsOld = value.taint.sources.some((source) => variableOf(source) === id)
  if (value.op === 'const' || !mentionsOld) return { ...base, kind: 'set', amount: value }
  return { ...base, kind: 'change', amount: undefined }
}

/** What stands behind a mapping's id where its entries are lists. */
const LIST = '(*)'
const isLengthOf = (balances: ReadonlySet<string>, id: string) =>
  [...balances].some((entries) => entries.startsWith(`${id}${LIST}`))

/**
 * The new entry of a list of dated balances (MiniMe, tokens with votes) is computed from the one
 * before, which is another word.
 */
function readDatedChange(id: string, value: Term): Pick<BalanceChange, 'kind' | 'amount'> {
  const { op, args } = unmasked(value)
  const [a, b] = args
  const isOld = (term: Term | undefined) => term?.taint.sources.some((source) => variableOf(source) === id) === true
  if (op === 'SUB' && isOld(a)) return { kind: 'subtract', amount: b }
  if (op === 'ADD' && (isOld(a) || isOld(b))) return { kind: 'add', amount: isOld(a) ? b : a }
  return value.taint.sources.some(fromStorage) ? { kind: 'change', amount: undefined } : { kind: 'set', amount: value }
}

/** Without the mask that cuts it to its field. */
function unmasked(value: Term): Term {
  const [a, b] = value.args
  if (value.op !== 'AND' || !a || !b) return value
  return b.op === 'const' ? unmasked(a) : a.op === 'const' ? unmasked(b) : value
}

/**
 * Whether a longer list of dated balances is no new tokens: they come from the caller, or from who
 * allowed it, or the caller's own are burnt. What is computed with checks is not read as a sum, so
 * that the accounts have to tell.
 */
function isMoveOrBurn({ roles }: ContractFacts, fn: FunctionFacts, account: Term): boolean {
  const writes = fn.effects.filter((effect) => effect.kind === 'write')
  const accounts = new Set(
    writes.flatMap(({ key }) => {
      const { id, keys } = classifyKey(key)
      return roles.balances.has(id) && keys[0] ? [keys[0]] : []
    }),
  )
  const isFromCaller = [...accounts].some(({ op }) => op === 'CALLER')
  const isAllowed = writes.some(({ key }) => roles.allowances.has(classifyKey(key).id))
  if (accounts.size === 2) return isFromCaller || isAllowed
  const lowersSupply = writes.some(({ key, value }) => roles.supply.has(classifyKey(key).id) && value.op === 'SUB')
  return accounts.size === 1 && account.op === 'CALLER' && lowersSupply
}

const WORD = 1n << 256n
const HALF = 1n << 255n
