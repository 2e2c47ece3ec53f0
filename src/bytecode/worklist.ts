import { keepCompiled } from '../keep-compiled.js'

/**
 * Something that waits to be looked at: the places that it returns to, the outermost first, and its
 * own. What comes first in the outermost call that two do not share is looked at first: what
 * follows a call waits until all ways through the callee have been seen, what follows a branch
 * until both its sides have, and a call until all ways to it have. Compilers lay functions out in
 * this order, so that most blocks are looked at once.
 */
export interface Ranked {
  rank: readonly number[]
}

export interface Worklist<T extends Ranked> {
  /**
   * Adds the item unless it waits already. What is reached backwards from `source`, as the head of
   * a loop is from its end, waits as long as what follows that: for all ways through the loop.
   */
  add(item: T, source?: T): void
  next(): T | undefined
}

interface Waiting<T> {
  item: T
  rank: readonly number[]
}

/** A queue by rank (a binary heap) that holds each item once. */
export function createWorklist<T extends Ranked>(): Worklist<T> {
  const heap: Waiting<T>[] = []
  const waiting = new Set<T>()
  const isBefore = (a: number, b: number) => {
    const [x, y] = [heap[a], heap[b]]
    return x !== undefined && (y === undefined || comesBefore(x.rank, y.rank))
  }

  const swap = (a: number, b: number) => {
    const [x, y] = [heap[a], heap[b]]
    if (x === undefined || y === undefined) return
    heap[a] = y
    heap[b] = x
  }

  const sink = (from: number) => {
    for (let index = from; ; ) {
      const left = 2 * index + 1
      const child = isBefore(left + 1, left) ? left + 1 : left
      if (!isBefore(child, index)) return
      swap(child, index)
      index = child
    }
  }

  return keepCompiled('worklist', {
    add(item, source = item) {
      if (waiting.has(item)) return
      waiting.add(item)
      heap.push({ item, rank: comesBefore(item.rank, source.rank) ? source.rank : item.rank })
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1
        if (!isBefore(index, parent)) return
        swap(index, parent)
        index = parent
      }
    },
    next() {
      const [first] = heap
      const last = heap.pop()
      if (first === undefined || last === undefined) return undefined
      waiting.delete(first.item)
      if (heap.length > 0) {
        heap[0] = last
        sink(0)
      }
      return first.item
    },
  })
}

/** Of two places of one call the first, and of a place and a call that returns there the call. */
function comesBefore(a: readonly number[], b: readonly number[]): boolean {
  const shared = Math.min(a.length, b.length)
  for (let level = 0; level < shared; level += 1) {
    const [x, y] = [a[level] ?? 0, b[level] ?? 0]
    if (x !== y) return x < y
  }
  return a.length > b.length
}
