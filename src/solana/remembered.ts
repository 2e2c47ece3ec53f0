/**
 * Remembers the results of a pure function: those that were asked for lately. At least the last
 * `count` are there, and never more than twice as many.
 */
export interface Remembered<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
}

/**
 * In two halves, of which the elder is dropped when the younger is full. What comes again and again
 * moves from one to the next; people that were made up for one answer are soon forgotten. Half the
 * cost of putting entries in order at each look.
 */
export function createRemembered<K, V>(count: number): Remembered<K, V> {
  let young = new Map<K, V>()
  let old = new Map<K, V>()
  const set = (key: K, value: V) => {
    if (young.size >= count) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }
  return {
    set,
    get(key) {
      const known = young.get(key)
      if (known !== undefined) return known
      const elder = old.get(key)
      if (elder !== undefined) set(key, elder)
      return elder
    },
  }
}
