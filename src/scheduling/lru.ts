/** Keeps what was used last, within a bound. */
export interface Lru<Key, Value> {
  get(key: Key): Value | undefined
  /** A value that weighs more than the whole is not kept. */
  set(key: Key, value: Value): void
  /** What is kept; where it is not, what `make` gives, which is then kept. */
  getOrMake(key: Key, make: () => Value): Value
  delete(key: Key): void
  readonly size: number
  /** Of everything that is kept, in the unit of `maxWeight`. */
  readonly weight: number
}

export interface LruOptions<Key, Value> {
  maxWeight: number
  weigh(value: Value, key: Key): number
}

export function createLru<Key, Value>({ maxWeight, weigh }: LruOptions<Key, Value>): Lru<Key, Value> {
  const entries = new Map<Key, { value: Value; weight: number }>()
  let weight = 0
  /** The one that was used last: asked for again, it need not move. */
  let newest: Key | undefined
  const remove = (key: Key) => {
    weight -= entries.get(key)?.weight ?? 0
    entries.delete(key)
    if (key === newest) newest = undefined
  }
  const lru: Lru<Key, Value> = {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined || key === newest) return entry?.value
      entries.delete(key)
      entries.set(key, entry)
      newest = key
      return entry.value
    },
    set(key, value) {
      remove(key)
      const own = weigh(value, key)
      if (own > maxWeight) return
      entries.set(key, { value, weight: own })
      weight += own
      newest = key
      for (const oldest of entries.keys()) {
        if (weight <= maxWeight) break
        remove(oldest)
      }
    },
    getOrMake(key, make) {
      const known = lru.get(key)
      if (known !== undefined) return known
      const made = make()
      lru.set(key, made)
      return made
    },
    delete: remove,
    get size() {
      return entries.size
    },
    get weight() {
      return weight
    },
  }
  return lru
}

/** The last `maxEntries`, whatever their size. */
export function createCountedLru<Key, Value>(maxEntries: number): Lru<Key, Value> {
  return createLru({ maxWeight: maxEntries, weigh: () => 1 })
}

/** `sizeOf` says what a value occupies; {@link ENTRY_BYTES} and the key are added. */
export function createByteLru<Value>({
  maxBytes,
  sizeOf,
}: {
  maxBytes: number
  sizeOf: (value: Value) => number
}): Lru<string, Value> {
  return createLru({ maxWeight: maxBytes, weigh: (value, key) => sizeOf(value) + key.length + ENTRY_BYTES })
}

/** What a map entry with its object costs in V8, roughly. */
const ENTRY_BYTES = 128
