/** Keeps what was used last, within a number of bytes. */
export interface ByteLru<T> {
  get(key: string): T | undefined
  /** A value larger than the whole is not kept. */
  set(key: string, value: T): void
  readonly bytes: number
  readonly size: number
}

/** `sizeOf` says what a value occupies; {@link ENTRY_BYTES} and the key are added. */
export function createByteLru<T>({ maxBytes, sizeOf }: { maxBytes: number; sizeOf: (value: T) => number }): ByteLru<T> {
  const entries = new Map<string, { value: T; bytes: number }>()
  let bytes = 0
  /** The one that was used last: asked for again, it need not move. */
  let newest: string | undefined
  const remove = (key: string) => {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
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
      newest = undefined
      const size = sizeOf(value) + key.length + ENTRY_BYTES
      if (size > maxBytes) return
      entries.set(key, { value, bytes: size })
      bytes += size
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
    get bytes() {
      return bytes
    },
    get size() {
      return entries.size
    },
  }
}

/** What a map entry with its object costs in V8, roughly. */
const ENTRY_BYTES = 128
