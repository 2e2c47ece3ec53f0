import type { Stored } from '../../evm/inspectors/decisions.js'
import { evaluatorOf } from '../../evm/inspectors/evaluator-of.js'
import type { StorageAccess } from '../../evm/inspectors/storage-access.js'
import { isSmall, type Leaf, type Slot, sources, sourcesOf, type Term, valueIf } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'

/** A word that trading moves, and how it goes on. */
export interface Motion {
  address: Address
  slot: bigint
  /** The word after so many further trades; `undefined` beyond what is followed. */
  after(trades: number): bigint | undefined
}

/** One of two trades in a row: what it wrote, how that was computed, and when. */
export interface Trade {
  storage: StorageAccess
  stores: readonly Stored[]
  timestamp: bigint
  number: bigint
}

/** A trap that more trades have to walk into first earns its maker nothing. */
const MAX_TRADES = 100_000
/**
 * So many are looked at one by one, for what happens at every n-th trade; beyond, at growing
 * distances.
 */
const LINEAR_TRADES = 256
const GROWTH = 1.3
/** Words that are followed. */
const MAX_MOTIONS = 16

/**
 * Words that two trades in a row, `earlier` and `later`, moved in a way that can be continued:
 * by the same sign each time (counts, volumes, totals), or by a formula of the word alone.
 * `isOpen` tells words that may be set on the fork without making nonsense of the exchange's books.
 */
export function findMotions(
  earlier: Trade,
  later: Trade,
  slots: readonly Slot[],
  isOpen: (leaf: Slot) => boolean,
): Motion[] {
  return slots
    .filter(isOpen)
    .flatMap(({ address, slot }) => {
      const [before, after] = [changeOf(earlier, address, slot), changeOf(later, address, slot)]
      if (!before || !after || isClock(after.after, later)) return []
      const stored = later.stores.find((each) => each.address === address && each.slot === slot)
      const goesOn = followed(before, after, stored) ?? continued(before, after)
      return goesOn ? [{ address, slot, after: goesOn }] : []
    })
    .slice(0, MAX_MOTIONS)
}

/** Whether two trades of other amounts moved a word by the same. */
export function isCount(earlier: Trade, later: Trade, { address, slot }: Slot): boolean {
  const [before, after] = [changeOf(earlier, address, slot), changeOf(later, address, slot)]
  return before !== undefined && after !== undefined && before.after - before.before === after.after - after.before
}

interface Change {
  before: bigint
  after: bigint
}

/** `undefined` where the trade left the word as it was. */
export function changeOf({ storage }: Trade, address: Address, slot: bigint): Change | undefined {
  const change = storage.writes.get(address)?.get(slot)
  return change && change.after !== change.before ? change : undefined
}

/** By the step of the later trade, where both went the same way. */
function continued(earlier: Change, later: Change): Motion['after'] | undefined {
  const [before, step] = [earlier.after - earlier.before, later.after - later.before]
  if (before > 0n !== step > 0n) return undefined
  return (trades) => {
    const word = later.after + step * BigInt(trades)
    return word >= 0n && word < WORD ? word : undefined
  }
}

/**
 * By what the code computes the word from itself, where its steps differ and both agree with it.
 */
function followed(earlier: Change, later: Change, stored: Stored | undefined): Motion['after'] | undefined {
  if (!stored || !isSmall(stored.value)) return undefined
  if (earlier.after - earlier.before === later.after - later.before) return undefined
  const isWord = (leaf: Leaf) => leaf.kind === 'slot' && leaf.slot === stored.slot && leaf.address === stored.address
  const next = evaluatorOf(stored.value, isWord)
  if (next(later.before) !== later.after || next(earlier.before) !== earlier.after) return undefined
  const words = [later.after]
  return (trades) => {
    for (let i = words.length; i <= trades && i <= LINEAR_TRADES; i += 1) words.push(next(words[i - 1] ?? 0n))
    return words[trades]
  }
}

/**
 * Words with which the condition answers otherwise if trading goes on like that: for the first
 * time, then after four times as many trades, and after as many as are followed. What begins there
 * may be a small fee, which grows.
 */
export function turningWords({ address, slot, after }: Motion, condition: Term): bigint[] {
  if ((sourcesOf(condition) & sources.slot) === 0) return []
  const isWord = (leaf: Leaf) => leaf.kind === 'slot' && leaf.slot === slot && leaf.address === address
  const valueAt = evaluatorOf(condition, isWord)
  const answer = (word: bigint | undefined) =>
    (word === undefined ? valueIf(condition, () => undefined) : valueAt(word)) !== 0n
  const now = answer(after(0))
  for (let [low, high] = [0, 1]; high <= MAX_TRADES; [low, high] = [high, further(high)]) {
    if (after(high) === undefined) return []
    if (answer(after(high)) === now) continue
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (answer(after(middle)) === now) low = middle
      else high = middle
    }
    const turned = [high, LEAST_GROWN + high * 4, MAX_TRADES].flatMap((trades) => after(trades) ?? [])
    return [...new Set(turned)].filter((word) => answer(word) !== now)
  }
  return []
}

/** Trades that a fee is given to grow in. */
const LEAST_GROWN = 100

const further = (trades: number) => (trades < LINEAR_TRADES ? trades + 1 : Math.ceil(trades * GROWTH))

/** Fields in which contracts keep moments and heights. */
const CLOCK_BITS = [32n, 40n, 48n, 64n]

/**
 * Whether the word, or a field of it, is the moment of the trade: what a cooldown remembers moves
 * on without end and without harm.
 */
function isClock(word: bigint, { timestamp, number }: Trade): boolean {
  if (word === timestamp || word === number) return true
  for (let shift = 0n; shift < 256n; shift += 8n)
    for (const bits of CLOCK_BITS) {
      const field = (word >> shift) & ((1n << bits) - 1n)
      if (field === timestamp || (field === number && number > SMALL_NUMBER)) return true
    }
  return false
}

/** Heights below this are also counts. */
const SMALL_NUMBER = 100_000n

const WORD = 2n ** 256n
