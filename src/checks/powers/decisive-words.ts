import { sell } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { createDecisionsInspector, type Decision, type Decisions } from '../../evm/inspectors/decisions.js'
import { isSmall, type Slot } from '../../evm/inspectors/term.js'
import { type Address, wordToAddress } from '../../hex.js'
import { holds, readLedger } from '../conditions/balance-words.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { conditionsOf, leavesOf } from '../conditions/conditions.js'
import { isDeadAddress } from '../dead-address.js'
import { onBranch } from '../on-branch.js'
import { toAccount } from './holders.js'
import { type Move, perform } from './play.js'
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
  /** Addresses without code that the sale asks, or whose code it looks for. */
  silent: readonly Address[]
  /**
   * Records of accounts that take no part in the sale, which it writes or asks for: votes, shares,
   * counts, times.
   */
  records: readonly { account: Address; word: Slot }[]
}

/** Contracts that a token asks at each transfer. */
const MAX_FOREIGN = 5

/**
 * Looks at every branch of the buyer's sale, at what went into the words that it stored, and at the
 * contracts that it asked. Leaves the fork as it is.
 */
export function readDecisiveWords(stage: Stage): DecisiveWords {
  const { buyer, fork, token, effort, exchange } = stage
  const decisions = createDecisionsInspector()
  effort.trades += 1
  const before = new Map<Address, bigint | undefined>()
  const { found, silent } = onBranch({ fork }, () => {
    sell({ ...buyer.context, watch: () => [decisions] }, buyer.held)
    const found = decisions.finish()
    const silent = findSilent(stage, found)
    for (const address of silent) before.set(address, balanceOf(fork, token, address))
    return { found, silent }
  })
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
  return {
    conditions,
    words: [...words.values()],
    foreign: [...owners].slice(0, MAX_FOREIGN),
    // Who is paid by the sale may be told of it.
    silent: silent.filter((address) => before.get(address) === balanceOf(fork, token, address)),
    records: recordsOf(stage, [...found.stores.map(toSlot), ...words.values()]),
  }
}

/** What decides the buyer's sale after these calls. */
export function readConditionsAfter(stage: Stage, moves: readonly Move[]): Decision[] {
  const { buyer, effort } = stage
  const decisions = createDecisionsInspector()
  return onBranch(stage, () => {
    if (perform(stage, moves).acted === undefined) return []
    effort.trades += 1
    sell({ ...buyer.context, watch: () => [decisions] }, buyer.held)
    return conditionsOf(buyer.context, decisions.finish()).filter(({ condition }) => isSmall(condition))
  })
}

/** Records that one sale meets, as of delegates and referrers. */
const MAX_RECORDS = 3

const toSlot = ({ address, slot, value, entry }: Decisions['stores'][number]): Slot => ({
  kind: 'slot',
  address,
  slot,
  value: value.value,
  entry,
})

function recordsOf({ buyer, exchange, token, fork }: Stage, words: readonly Slot[]): DecisiveWords['records'] {
  const traders = new Set([buyer.context.trader.address, token, ...exchange])
  const found = words.flatMap((word) => {
    const { address, slot, entry } = word
    const account = entry && toAccount(entry.key)
    if (address !== token || account === undefined || traders.has(account)) return []
    // What it holds is its own affair.
    if (holds(readLedger(buyer.context, account), address, slot) || fork.evm.code(account).length > 0) return []
    return [{ account, word }]
  })
  return found.slice(0, MAX_RECORDS)
}

function findSilent(stage: Stage, { calls, branches }: Decisions): Address[] {
  const { buyer, bystander, newcomer, exchange, fork } = stage
  const isOurs = isCodeOfToken(buyer.context)
  const traders = [buyer.context, bystander.context, newcomer].map(({ trader }) => trader.address)
  const asked = calls.filter(({ codeAddress, inputSize }) => isOurs(codeAddress) && inputSize > 0).map(({ to }) => to)
  const looked = branches
    .filter(({ codeAddress, condition }) => isOurs(codeAddress) && isSmall(condition))
    .flatMap(({ condition }) => leavesOf(condition))
    .flatMap((leaf) =>
      leaf.kind === 'environment' && leaf.name.startsWith('EXTCODE') && leaf.about !== undefined
        ? [wordToAddress(leaf.about)]
        : [],
    )
  return [...new Set([...asked, ...looked])].filter(
    (address) =>
      !isDeadAddress(BigInt(address)) &&
      !exchange.has(address) &&
      !traders.includes(address) &&
      fork.evm.code(address).length === 0,
  )
}
