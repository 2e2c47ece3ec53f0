import { hashWords } from '../../bytecode/evaluate.js'
import type { TradeContext } from '../../dex/legs.js'
import { balanceOf, balanceOnTrial } from '../../dex/read-contract.js'
import type { Inspector } from '../../evm/inspector.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { ADDRESS_MASK, type Address } from '../../hex.js'
import { onBranch } from '../on-branch.js'
import { holds, readBalanceWordsOf, type Words } from './balance-words.js'
import { isCodeOfToken } from './code-of-token.js'

/** Words of the token's side, told apart by the account that they are about. */
export interface Books {
  /** Neither the exchange's nor what the token notes of the exchange or of the seller. */
  isOwn(leaf: Slot): boolean
  /** No balance of theirs: it may be another without making nonsense of the books. */
  isOpen(leaf: Slot): boolean
  /** A balance of the exchange or of the seller. */
  isBalance(leaf: Pick<Slot, 'address' | 'slot'>): boolean
}

export function booksOf(context: TradeContext): Books {
  const isOurs = isCodeOfToken(context)
  const { market, trader } = context
  const { pool, via, venue } = market
  const parties = [pool.address, via?.address, venue.spender, venue.router, trader.address]
  const keys = new Set(parties.flatMap((each) => (each === undefined ? [] : [BigInt(each)])))
  const balances = [
    balanceWordsOf(context, pool.address, trader.address),
    balanceWordsOf(context, trader.address, pool.address),
  ]
  const isBalance: Books['isBalance'] = ({ address, slot }) => balances.some((words) => holds(words, address, slot))
  const isKeyed = ({ entry }: Slot) => entry !== undefined && keys.has(entry.key)
  return {
    isOwn: (leaf) => isOurs(leaf.address) && !isKeyed(leaf) && !isBalance(leaf),
    isOpen: (leaf) => isOurs(leaf.address) && !isBalance(leaf),
    isBalance,
  }
}

/** Words that are read for one balance and tried. */
const MAX_TRIED = 16

/**
 * Words that are the account's balance, wherever and however the token keeps it: with half of such
 * a word it has half as much, and the other account has what it had, unless the word is an entry of
 * the account alone: where a pool takes no part in reflections, others have what it leaves. A word
 * that is only read along with it, or is of its value at times, may be anything.
 */
function balanceWordsOf(context: TradeContext, account: Address, other: Address): Words {
  const { fork, market } = context
  const heldBy = (each: Address) => balanceOf(fork, market.pool.token, each)
  const [balance, rest] = [heldBy(account), heldBy(other)]
  if (!balance) return new Map()
  const isBalance = (address: Address, slot: bigint, value: bigint) =>
    halvesOf(value, balance).some((less) =>
      onBranch(context, () => {
        fork.evm.setStorage(address, slot, less)
        const [half, others] = [account, other].map((each) => balanceOnTrial(fork, market.pool.token, each))
        return isHalf(half ?? 0n, balance) && (others === rest || isEntryOf(account, slot))
      }),
    )
  const { words: read, called } = readBalance(context, account)
  // Half of an address would be other code, and half of a switch or of a place another path.
  const isAmount = (value: bigint) => value === balance || (value >= LEAST_AMOUNT && !called.has(value & ADDRESS_MASK))
  const tried = [...read]
    .flatMap(([address, words]) => [...words].map(([slot, value]) => ({ address, slot, value })))
    .filter(({ value }) => isAmount(value))
    .slice(0, MAX_TRIED)
  const found = new Map<Address, Map<bigint, bigint>>()
  for (const { address, slot, value } of tried) {
    if (!isBalance(address, slot, value)) continue
    found.set(address, (found.get(address) ?? new Map<bigint, bigint>()).set(slot, value))
  }
  return found
}

/** Mappings of a token lie in its first slots. */
const FIRST_SLOTS = 64

const isEntryOf = (account: Address, slot: bigint): boolean =>
  Array.from({ length: FIRST_SLOTS }, (_, at) => hashWords([BigInt(account), BigInt(at)])).includes(slot)

/**
 * Half of a word, and half of the balance where it lies among other fields: half of a flag below it
 * would be another flag.
 */
function halvesOf(value: bigint, balance: bigint): bigint[] {
  const field = (1n << BigInt(balance.toString(2).length)) - 1n
  const places = Array.from({ length: 32 }, (_, byte) => BigInt(8 * byte))
  const place = places.find((shift) => ((value >> shift) & field) === balance)
  const less = place === undefined ? [] : [value - ((balance - balance / 2n) << place)]
  return [...new Set([value / 2n, ...less])]
}

/** Scaled balances are larger, and numbers that lead elsewhere smaller. */
const LEAST_AMOUNT = 1n << 32n

/** The words that tell the balance, and whose code was asked for it. */
function readBalance({ fork, market }: TradeContext, account: Address): { words: Words; called: ReadonlySet<bigint> } {
  const called = new Set<bigint>()
  const calls: Inspector = {
    onCall: ({ to, codeAddress }) => void called.add(BigInt(to)).add(BigInt(codeAddress)),
    finish: () => called,
  }
  return { words: readBalanceWordsOf(fork, market.pool.token, account, [calls]), called }
}

/** But for what scaling rounds off, and what a word holds besides. */
const isHalf = (half: bigint, whole: bigint) => {
  const missed = 2n * half - whole
  return half < whole && (missed < 0n ? -missed : missed) <= whole / 1_000n + 1n
}
