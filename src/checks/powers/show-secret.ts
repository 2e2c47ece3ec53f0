import { readBalanceChanges } from '../../bytecode/read-balance-changes.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import type { Term } from '../../bytecode/terms.js'
import { isArgumentOf } from '../../bytecode/token-facts.js'
import { encodeCall } from '../../dex/encode-call.js'
import { erc20Abi } from '../../dex/read-contract.js'
import { FULL_BPS } from '../../dex/tax.js'
import type { Address } from '../../hex.js'
import { onBranch } from '../on-branch.js'
import type { Acted } from './act.js'
import type { DecisiveWords } from './decisive-words.js'
import { openBooks, wordsOf } from './ledger.js'
import { type Effect, lookAtBooks } from './look.js'
import type { Holder, Power, Setting } from './power.js'
import type { Goal } from './raw-goals.js'
import type { Stage } from './stage.js'
import { setAndLook } from './try-setting.js'

/**
 * What lies behind a hash that no search passes, shown by setting what is written there: words that
 * a sale depends on, or the balances and allowances themselves.
 */
export function showSecret(
  stage: Stage,
  goal: Goal,
  before: Holder,
  { conditions }: DecisiveWords,
  hasBudget: () => boolean,
): Power | undefined {
  const holder: Holder = before.kind === 'anyone' ? { kind: 'unknown', delaySeconds: 0, isHidden: true } : before
  const { entry, words, writes } = goal
  if (words.length === 0) {
    const [settings, effect] = setBooks(stage, goal)
    return effect && toPower(goal, holder, effect, settings)
  }
  const writer = { plan: { ...entry, writes }, writes, holder, calls: 0, isHidden: true }
  for (const word of words) {
    const power = setAndLook(stage, writer, word, conditions, hasBudget)
    if (power) return power
  }
  return undefined
}

/** The worst of what the entry would make of balances and allowances. */
function setBooks(stage: Stage, goal: Goal): [Setting[], Effect | undefined] {
  return onBranch(stage, () => {
    const books = openBooks(stage, stage.fresh)
    const writes: Acted['writes'] = new Map([[stage.token, new Map()]])
    const settings = [...balancesOf(stage, goal), ...allowancesOf(stage, goal)].map((word) => ({
      address: stage.token,
      ...word,
    }))
    for (const { slot, value } of settings) {
      const old = stage.fork.evm.storage(stage.token, slot)
      writes.get(stage.token)?.set(slot, { before: old, after: value })
      stage.fork.evm.setStorage(stage.token, slot, value)
    }
    const acted: Acted = { success: true, writes, logs: [], gasUsed: 0n, error: '' }
    return [settings, lookAtBooks(stage, books.before, books.read(), acted)[0]]
  })
}

type Word = Pick<Setting, 'slot' | 'value'>

function balancesOf(stage: Stage, goal: Goal): Word[] {
  const { code, fn } = goal.entry
  return readBalanceChanges(code.facts, fn).flatMap(({ account, kind, amount, effect }) => {
    const of = goal.before.has(effect.node) && accountOf(stage, goal, account)
    const word = of && wordOf(stage, encodeCall({ abi: erc20Abi, functionName: 'balanceOf', args: [of] }))
    if (!word) return []
    const known = amount?.op === 'const' ? amount.value : undefined
    const { slot, value: old } = word
    if (kind === 'add') return known === undefined ? [] : [{ slot, value: old + known }]
    if (kind === 'set') return known === undefined ? [] : [{ slot, value: known }]
    return kind === 'change' ? [] : [{ slot, value: known === undefined || known > old ? 0n : old - known }]
  })
}

const MOST = 2n ** 256n - 1n

function allowancesOf(stage: Stage, goal: Goal): Word[] {
  const { code, fn } = goal.entry
  return fn.effects.flatMap((effect) => {
    if (effect.kind !== 'write' || !goal.before.has(effect.node)) return []
    const { id, keys } = classifyKey(effect.key)
    const [owner, spender] = keys
    if (!code.facts.roles.allowances.has(id) || !owner || !spender || owner.op === 'CALLER') return []
    const [from, to] = [accountOf(stage, goal, owner), spender.op === 'CALLER' || isArgumentOf(spender)]
    const word =
      from && to && wordOf(stage, encodeCall({ abi: erc20Abi, functionName: 'allowance', args: [from, stage.fresh] }))
    const value = effect.value.op === 'const' ? effect.value.value : isArgumentOf(effect.value) ? MOST : 0n
    return word && value > 0n ? [{ slot: word.slot, value }] : []
  })
}

/** Whose entry it is: the caller's, one that the caller names, or the pool's. */
function accountOf({ fresh, buyer, market }: Stage, { entry }: Goal, key: Term): Address | undefined {
  if (key.op === 'CALLER') return fresh
  if (isArgumentOf(key)) return buyer.context.trader.address
  const { address } = market.pool
  return entry.code.subject.value(key) === BigInt(address) ? address : undefined
}

/** The one word that the token answers from. */
function wordOf({ fork, token }: Stage, data: `0x${string}`): Word | undefined {
  const [word, second] = wordsOf(fork, token, data)
  return word === undefined || second !== undefined ? undefined : { slot: word[0], value: word[1] }
}

function toPower(
  { entry: { contract, selector, argumentTypes } }: Goal,
  holder: Holder,
  effect: Effect,
  settings: readonly Setting[],
): Power {
  return {
    ...{ contract, selector, argumentTypes, holder, effect: effect.kind, lossBps: effect.lossBps },
    worstCase: `shown by setting what it writes, since no call of it went through: ${effect.outcome}`,
    ...{ isBounded: effect.lossBps < FULL_BPS / 2, isReversible: undefined, isShownBySetting: true },
    ...{ tried: 0, proof: { settings, steps: [], outcome: effect.outcome } },
  }
}
