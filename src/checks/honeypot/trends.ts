import type { Decision } from '../../evm/inspectors/decisions.js'
import type { StorageAccess } from '../../evm/inspectors/storage-access.js'
import { type Slot, sources, sourcesOf, valueIf } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'

/**
 * Storage that trading moves one way, and what it has to become for a branch of the sell to go
 * another way.
 */
export interface Trend {
  address: Address
  slot: bigint
  value: bigint
}

/** A trade of another wallet: what it wrote, and when. */
export interface Trade {
  storage: StorageAccess
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
/** Each of them is sold behind. */
const MAX_TRENDS = 6

/**
 * Words that two trades in a row, `earlier` and `later`, moved the same way (counters, volumes,
 * totals), and where conditions of a sell would change their answer if trading went on like that.
 * `isOpen` tells words that may be set on the fork without making nonsense of the exchange's books.
 */
export function findTrends(
  earlier: Trade,
  later: Trade,
  conditions: readonly Decision[],
  isOpen: (leaf: Slot) => boolean,
): Trend[] {
  const slots = slotsIn(conditions).filter(isOpen)
  const found: Trend[] = []
  for (const { address, slot } of slots) {
    const [before, after] = [stepOf(earlier, address, slot), stepOf(later, address, slot)]
    if (before === 0n || after === 0n || before > 0n !== after > 0n) continue
    const current = later.storage.writes.get(address)?.get(slot)?.after ?? 0n
    if (isClock(current, later)) continue
    const trend = { address, slot, current, step: after }
    for (const { condition } of conditions) {
      const value = findThreshold(trend, condition)
      if (value !== undefined) found.push({ address, slot, value })
      if (found.length >= MAX_TRENDS) return found
    }
  }
  return found
}

function slotsIn(conditions: readonly Decision[]): Slot[] {
  const found = new Map<string, Slot>()
  const seen = new Set<Decision['condition']>()
  const open = conditions.map(({ condition }) => condition)
  for (let term = open.pop(); term !== undefined; term = open.pop()) {
    if (seen.has(term) || (sourcesOf(term) & sources.slot) === 0) continue
    seen.add(term)
    if (term.kind === 'slot') found.set(`${term.address} ${term.slot}`, term)
    else if (term.kind === 'operation') open.push(...term.operands)
  }
  return [...found.values()]
}

function stepOf({ storage }: Trade, address: Address, slot: bigint): bigint {
  const change = storage.writes.get(address)?.get(slot)
  return change ? change.after - change.before : 0n
}

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

function findThreshold(
  { address, slot, current, step }: Omit<Trend, 'value'> & { current: bigint; step: bigint },
  condition: Decision['condition'],
): bigint | undefined {
  if ((sourcesOf(condition) & sources.slot) === 0) return undefined
  const wordAfter = (trades: number) => current + step * BigInt(trades)
  const answerAfter = (trades: number) =>
    valueIf(condition, (leaf) =>
      leaf.kind === 'slot' && leaf.slot === slot && leaf.address === address ? wordAfter(trades) : undefined,
    ) !== 0n
  const now = answerAfter(0)
  for (let [low, high] = [0, 1]; high <= MAX_TRADES; [low, high] = [high, after(high)]) {
    if (wordAfter(high) < 0n || wordAfter(high) >= WORD) return undefined
    if (answerAfter(high) === now) continue
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (answerAfter(middle) === now) low = middle
      else high = middle
    }
    return wordAfter(high)
  }
  return undefined
}

const after = (trades: number) => (trades < LINEAR_TRADES ? trades + 1 : Math.ceil(trades * GROWTH))

const WORD = 2n ** 256n
