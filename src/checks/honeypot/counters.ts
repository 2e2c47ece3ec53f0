import type { Decision } from '../../evm/inspectors/decisions.js'
import type { StorageAccess } from '../../evm/inspectors/storage-access.js'
import { sources, sourcesOf, valueIf } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'

/**
 * Storage that grows by one with each purchase, and the value from which on a branch of the sell
 * goes another way.
 */
export interface Counter {
  address: Address
  slot: bigint
  /** What the word has to become. */
  value: bigint
}

/** A trap that more people have to walk into first earns its maker nothing. */
const MAX_PURCHASES = 100_000
const GROWTH = 1.3
/** Each of them is sold behind. */
const MAX_COUNTERS = 4

/**
 * Counters that two purchases show, and where the branches of a sell, made after `later`, look at
 * them.
 */
export function findCounters(earlier: StorageAccess, later: StorageAccess, branches: readonly Decision[]): Counter[] {
  const found: Counter[] = []
  for (const [address, slots] of later.writes) {
    for (const [slot, { before, after }] of slots) {
      const step = after - before
      const previous = earlier.writes.get(address)?.get(slot)
      if (!isUnit(step) || !previous || previous.after - previous.before !== step) continue
      const counter = { address, slot, current: after, step }
      const threshold = branches.map(({ condition }) => findThreshold(counter, condition)).find((value) => value)
      if (threshold !== undefined) found.push({ address, slot, value: threshold })
      if (found.length >= MAX_COUNTERS) return found
    }
  }
  return found
}

/** One, at the start of a packed field. */
function isUnit(step: bigint): boolean {
  for (let bits = 0n; bits < 256n; bits += 8n) if (step === 1n << bits) return true
  return false
}

type Condition = Decision['condition']

function findThreshold(
  { address, slot, current, step }: Omit<Counter, 'value'> & { current: bigint; step: bigint },
  condition: Condition,
): bigint | undefined {
  if ((sourcesOf(condition) & sources.slot) === 0) return undefined
  const answerAfter = (purchases: number) =>
    valueIf(condition, (leaf) =>
      leaf.kind === 'slot' && leaf.slot === slot && leaf.address === address
        ? current + step * BigInt(purchases)
        : undefined,
    ) !== 0n
  const now = answerAfter(0)
  for (let [low, high] = [0, 1]; high <= MAX_PURCHASES; [low, high] = [high, Math.ceil(high * GROWTH)]) {
    if (answerAfter(high) === now) continue
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (answerAfter(middle) === now) low = middle
      else high = middle
    }
    return current + step * BigInt(high)
  }
  return undefined
}
