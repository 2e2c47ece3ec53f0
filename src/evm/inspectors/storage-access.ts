import type { Address } from '../../hex.js'
import { keepCompiled } from '../../keep-compiled.js'
import type { Inspector } from '../inspector.js'

export interface StorageChange {
  /** Value before the first write that was seen, and after the last. */
  before: bigint
  after: bigint
}

export interface StorageAccess {
  /**
   * Slots read, with the value read first. Reads of failed frames count: the answer decided
   * something.
   */
  reads: Map<Address, Map<bigint, bigint>>
  /**
   * Slots changed for good. Writes of failed frames are undone, and a slot that ends as it began is
   * left out.
   */
  writes: Map<Address, Map<bigint, StorageChange>>
  /** More slots were touched than are kept. */
  isTruncated: boolean
}

/** A trade touches some dozens; a token that touches this many is not trading. */
const MAX_SLOTS = 10_000

/** Records which storage a run has read and changed. */
export function createStorageAccessInspector(maxSlots = MAX_SLOTS): Inspector<StorageAccess> {
  const reads = new Map<Address, Map<bigint, bigint>>()
  const writes = new Map<Address, Map<bigint, StorageChange>>()
  let undo: { address: Address; slot: bigint; previous: bigint }[] = []
  const marks: number[] = []
  let slotsLeft = maxSlots
  let isTruncated = false

  const fits = () => {
    slotsLeft -= 1
    if (slotsLeft < 0) isTruncated = true
    return slotsLeft >= 0
  }

  return keepCompiled('storage access', {
    onCall({ depth }) {
      if (depth === 0) undo = []
      marks.push(undo.length)
    },
    onCallEnd({ error }) {
      const mark = marks.pop() ?? 0
      if (error === undefined) return
      for (const { address, slot, previous } of undo.splice(mark).reverse()) {
        const change = writes.get(address)?.get(slot)
        if (change !== undefined) change.after = previous
      }
    },
    onStorageRead({ address, slot, value }) {
      const slots = at(reads, address)
      if (!slots.has(slot) && fits()) slots.set(slot, value)
    },
    onStorageWrite({ address, slot, value, previous }) {
      const slots = at(writes, address)
      const known = slots.get(slot)
      if (known === undefined && !fits()) return
      undo.push({ address, slot, previous })
      if (known === undefined) slots.set(slot, { before: previous, after: value })
      else known.after = value
    },
    finish() {
      const changed = new Map<Address, Map<bigint, StorageChange>>()
      for (const [address, slots] of writes) {
        const kept = [...slots].filter(([, { before, after }]) => before !== after)
        if (kept.length > 0) changed.set(address, new Map(kept))
      }
      return { reads, writes: changed, isTruncated }
    },
  })
}

function at<T>(map: Map<Address, Map<bigint, T>>, address: Address): Map<bigint, T> {
  const known = map.get(address)
  if (known !== undefined) return known
  const made = new Map<bigint, T>()
  map.set(address, made)
  return made
}
