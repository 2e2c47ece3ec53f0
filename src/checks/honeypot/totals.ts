import { type Slot, type Term, termsIn } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { stepOf, type Trade } from './motions.js'

type Place = Pick<Slot, 'address' | 'slot'>

/** A mapping that keeps what accounts hold, in the unit of its words. */
export interface Holdings {
  address: Address
  place: bigint
}

/**
 * The holdings of which the word is the total, as a supply or the sum of all shares: each of the
 * trades changed it by just as much as all of them together, but for what is rounded off. What
 * burns so leaves at least what is still held. `undefined` where it is told what is not so, such
 * as a supply that sinks by what a fee only moves, or one that is less than what accounts have.
 */
export function holdingsOf(
  word: Place,
  trades: readonly Trade[],
  isBalance: (leaf: Place) => boolean,
): Holdings | undefined {
  const last = trades.at(-1)
  if (!last) return undefined
  const total = wordAfter(last, word)
  return mappingsOf(last, isBalance).find(
    (holdings) =>
      trades.every((trade) => isClose(stepOf(trade, word), gainIn(trade, holdings))) &&
      total >= sum(entriesIn(last, holdings).map((each) => wordAfter(last, each))),
  )
}

/**
 * The holdings that the word is an entry of: an account's, to which trades bring a part of what
 * they move, as fees are collected. `undefined` where a trade adds more than another gave or got.
 */
export function holdingsWith(
  word: Place,
  trades: readonly Trade[],
  mappings: readonly Holdings[],
): Holdings | undefined {
  return mappings.find((holdings) =>
    trades.every((trade) => {
      const entries = entriesIn(trade, holdings)
      const others = entries.filter((each) => !isAt(word)(each)).map((each) => magnitude(stepOf(trade, each)))
      const step = magnitude(stepOf(trade, word))
      return entries.length > others.length && others.some((other) => other >= step)
    }),
  )
}

const magnitude = (value: bigint) => (value < 0n ? -value : value)

/** Divisions of a fee into parts round off some units. */
const isClose = (step: bigint, other: bigint) => step !== 0n && magnitude(step - other) <= magnitude(step) / ROUNDED

const ROUNDED = 1_000_000n

const isAt = (word: Place) => (each: Place) => each.address === word.address && each.slot === word.slot

/** What a trade added to all holdings together. */
const gainIn = (trade: Trade, holdings: Holdings) => sum(entriesIn(trade, holdings).map((each) => stepOf(trade, each)))

/** Mappings of the balances that a trade wrote. */
export const mappingsOf = ({ stores }: Trade, isBalance: (leaf: Place) => boolean): Holdings[] =>
  stores.flatMap((store) =>
    store.entry && isBalance(store) ? [{ address: store.address, place: store.entry.place }] : [],
  )

/** What the account gave away in a trade. */
export function givenBy(account: Address, trade: Trade, holdings: Holdings): bigint {
  const own = entriesIn(trade, holdings).filter(({ key }) => key === BigInt(account))
  return -sum(own.map((each) => stepOf(trade, each)))
}

/**
 * What the condition supposes others than the account to hold. It asks for the total beside what is
 * held then, and a total that is less than that never comes about.
 */
export function heldByOthers(account: Address, condition: Term, { address, place }: Holdings): bigint {
  const held = new Map<bigint, bigint>()
  for (const term of termsIn(condition)) {
    if (term.kind !== 'slot' || term.address !== address || term.entry?.place !== place) continue
    if (term.entry.key !== BigInt(account)) held.set(term.slot, term.value)
  }
  return sum([...held.values()])
}

/** Entries that the trade wrote, each once. */
function entriesIn({ stores }: Trade, { address, place }: Holdings): (Place & { key: bigint })[] {
  const found = stores.flatMap(({ entry, ...store }) =>
    entry && store.address === address && entry.place === place
      ? [[store.slot, { address, slot: store.slot, key: entry.key }] as const]
      : [],
  )
  return [...new Map(found).values()]
}

const wordAfter = ({ storage }: Trade, { address, slot }: Place): bigint =>
  storage.writes.get(address)?.get(slot)?.after ?? 0n

const sum = (values: readonly bigint[]) => values.reduce((total, each) => total + each, 0n)
