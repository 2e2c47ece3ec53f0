/** Below this, a loop copies faster than a view is made. */
const SHORT_BYTES = 128

/** Copies a part of `from` to a place in `to`. */
export function copyInto(to: Uint8Array, at: number, from: Uint8Array, start: number, length: number): void {
  if (length > SHORT_BYTES) to.set(from.subarray(start, start + length), at)
  else for (let i = 0; i < length; i += 1) to[at + i] = from[start + i] as number
}

/** A part of memory as bytes of their own. */
export function copyOf(memory: Uint8Array, start: number, length: number): Uint8Array {
  if (length > SHORT_BYTES) return memory.slice(start, start + length)
  const copy = new Uint8Array(length)
  copyInto(copy, 0, memory, start, length)
  return copy
}
