/** Who takes turns with others: a name, or what stands for one that has none. */
export type TurnTaker = string | object

/**
 * A queue in which callers take turns: one that has much waiting in it holds up none that has
 * little.
 */
export interface FairQueue<Item extends object> {
  add(caller: TurnTaker, item: Item): void
  /**
   * Takes out what is next: of the callers in turn, the first whose own first item is accepted;
   * with `rankOf`, the first of those with the lowest rank.
   */
  take(accepts?: (caller: TurnTaker, item: Item) => boolean, rankOf?: (caller: TurnTaker) => number): Item | undefined
  /** Whether it was in. */
  remove(caller: TurnTaker, item: Item): boolean
  /**
   * Takes out the newest item of the caller that has most in it, when that is more than `caller`
   * would have with one more.
   */
  makeRoomFor(caller: TurnTaker): Item | undefined
  readonly size: number
}

export function createFairQueue<Item extends object>(): FairQueue<Item> {
  /** By caller. The first one in the map is the next to be served. */
  const queues = new Map<TurnTaker, Set<Item>>()
  let size = 0

  const drop = (caller: TurnTaker, queue: Set<Item>, item: Item): boolean => {
    if (!queue.delete(item)) return false
    if (queue.size === 0) queues.delete(caller)
    size -= 1
    return true
  }

  return {
    add(caller, item) {
      const queue = queues.get(caller) ?? new Set()
      queues.set(caller, queue.add(item))
      size += 1
    },
    take(accepts = () => true, rankOf) {
      let next: { caller: TurnTaker; queue: Set<Item>; item: Item; rank: number } | undefined
      for (const [caller, queue] of queues) {
        const rank = rankOf?.(caller) ?? 0
        const [item] = queue
        if (item === undefined || (next !== undefined && next.rank <= rank) || !accepts(caller, item)) continue
        next = { caller, queue, item, rank }
        if (rankOf === undefined) break
      }
      if (next === undefined) return undefined
      const { caller, queue, item } = next
      drop(caller, queue, item)
      // To the end of the line.
      if (queues.delete(caller)) queues.set(caller, queue)
      return item
    },
    remove(caller, item) {
      const queue = queues.get(caller)
      return queue !== undefined && drop(caller, queue, item)
    },
    makeRoomFor(caller) {
      const [longest] = [...queues].toSorted(([, a], [, b]) => b.size - a.size)
      if (longest === undefined || longest[1].size <= (queues.get(caller)?.size ?? 0) + 1) return undefined
      const newest = [...longest[1]].at(-1)
      if (newest !== undefined) drop(...longest, newest)
      return newest
    },
    get size() {
      return size
    },
  }
}
