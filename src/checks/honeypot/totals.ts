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
 * trades changed it by just as much as all of them together. What burns so leaves at least what
 * is still held. `undefined` where it is told what is not so, such as a supply that sinks by what
 * a fee only moves, or one that is less than what accounts have.
 */
export function holdingsOf(
  word: Place,
  trades: readonly Trade[],
  isBalance: (leaf: Place) => boolean,
): Holdings | undefined {
  const [sample] = trades
  const last = trades.at(-1)
  if (!sample || !last) return undefined
  const total = wordAfter(last, word)
  return sample.stores
    .flatMap((store) => (store.entry && isBalance(store) ? [{ address: store.address, place: store.entry.place }] : []))
    .find(
      (holdings) =>
        trades.every(
          (trade) => stepOf(trade, word) === sum(entriesIn(trade, holdings).map((each) => stepOf(trade, each))),
        ) && total >= sum(entriesIn(last, holdings).map((each) => wordAfter(last, each))),
    )
}

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
