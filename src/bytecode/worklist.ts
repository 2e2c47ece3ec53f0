/** Something that waits to be looked at; smaller ranks first. */
export interface Ranked {
  rank: number
}

export interface Worklist<T extends Ranked> {
  /** Adds the item unless it waits already. */
  add(item: T): void
  next(): T | undefined
}

/** A queue by rank (a binary heap) that holds each item once. */
export function createWorklist<T extends Ranked>(): Worklist<T> {
  const heap: T[] = []
  const waiting = new Set<T>()
  const rankAt = (index: number) => heap[index]?.rank ?? Number.POSITIVE_INFINITY

  const swap = (a: number, b: number) => {
    const [x, y] = [heap[a], heap[b]]
    if (x === undefined || y === undefined) return
    heap[a] = y
    heap[b] = x
  }

  const sink = (from: number) => {
    for (let index = from; ; ) {
      const left = 2 * index + 1
      const child = rankAt(left + 1) < rankAt(left) ? left + 1 : left
      if (rankAt(child) >= rankAt(index)) return
      swap(child, index)
      index = child
    }
  }

  return {
    add(item) {
      if (waiting.has(item)) return
      waiting.add(item)
      heap.push(item)
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1
        if (rankAt(parent) <= rankAt(index)) return
        swap(index, parent)
        index = parent
      }
    },
    next() {
      const [first] = heap
      const last = heap.pop()
      if (first === undefined || last === undefined) return undefined
      waiting.delete(first)
      if (heap.length > 0) {
        heap[0] = last
        sink(0)
      }
      return first
    },
  }
}
