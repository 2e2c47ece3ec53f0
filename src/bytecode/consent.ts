import { standardFunctions } from './deciding-branches.js'
import type { ContractFacts, FunctionFacts } from './facts.js'
import { findReachable } from './graph.js'
import { isWilling, storageKeyOf } from './guards.js'
import { replaceTerm } from './replace-term.js'
import { storageSource, UNKNOWN_STORAGE } from './source.js'
import { classifyKey } from './storage-key.js'
import type { Term } from './terms.js'
import { type FieldWrite, readTokenFacts } from './token-facts.js'

/**
 * Whether an account's entry is written by that account itself, or by others once it has agreed:
 * by a function that it need not call to trade, and that moves nothing. Such an entry is no power
 * over those who wrote none. `all` is every code that runs in the same storage.
 */
export const needsConsent = (
  facts: ContractFacts,
  write: FieldWrite,
  all: readonly ContractFacts[] = [facts],
): boolean => {
  const { id, keys } = classifyKey(write.effect.key)
  // An entry for each account, or a place in a list of its own.
  const isOfOne = keys.length === 1 || (keys.length === 2 && id.includes('[](*)'))
  return isOfOne && (isOwnWill(facts, write, all) || isAgreedTo(facts, write, all))
}

/** Whether the account writes its own entry, or, in a mapping of mappings, one for another. */
function isOwnWill(facts: ContractFacts, { fn, effect: { key } }: FieldWrite, all: readonly ContractFacts[]): boolean {
  const [account] = classifyKey(key).keys
  return account !== undefined && isWilling(fn.run, account) && isVoluntary(facts, fn, all)
}

/** No part of trading, and nothing that an account does for what it is given. */
function isVoluntary(facts: ContractFacts, fn: FunctionFacts, all: readonly ContractFacts[]): boolean {
  const isHolding = (id: string) => all.some(({ roles }) => roles.holdings.has(id))
  const moves = fn.effects.some((effect) => effect.kind === 'write' && isHolding(classifyKey(effect.key).id))
  return fn.selector !== undefined && !moves && !standardFunctions(facts).includes(fn)
}

/** Takes back what the account agreed to, as a grant does that uses it up. */
const isWithdrawal = ({ effect: { value } }: FieldWrite) => value.op === 'const' && value.value === 0n

/**
 * Whether every way to the write asks for another entry of the account, which only it can have
 * written, and ends in a revert where it has none.
 */
function isAgreedTo(facts: ContractFacts, { fn, effect }: FieldWrite, all: readonly ContractFacts[]): boolean {
  const [account] = classifyKey(effect.key).keys
  if (account === undefined || account.op !== 'calldata') return false
  const isConsent = (part: Term) => {
    const asked = storageKeyOf(part)
    const entry = asked && classifyKey(asked)
    if (entry === undefined || entry.keys[0] !== account) return false
    const writes = all.flatMap((of) => {
      const { writesOf } = readTokenFacts(of)
      return [...writesOf(storageSource(entry.id)), ...writesOf(UNKNOWN_STORAGE)].map((write) => ({ of, write }))
    })
    const given = writes.filter(({ write }) => !isWithdrawal(write))
    return given.length > 0 && given.every(({ of, write }) => isOwnWill(of, write, all))
  }
  const zero = facts.store.constant(0n)
  const asks = fn.conditions.filter(({ term, fails }) => {
    const unagreed = replaceTerm(facts.store, term, (part) => (isConsent(part) ? zero : undefined))
    return fails !== undefined && term.op !== 'const' && unagreed.op === 'const' && (unagreed.value !== 0n) === fails
  })
  return asks.some(({ node, fails }) => {
    const reached = findReachable(fn.run, ({ taken }, from) => from !== node || taken === fails)
    return !reached.has(effect.node)
  })
}
