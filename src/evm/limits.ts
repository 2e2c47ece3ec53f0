/**
 * Bounds on what hostile code may cost us. Gas is not time in an interpreter, so each resource has its own.
 * Counted over the life of one {@link Evm}, unless the name says otherwise.
 */
export interface Limits {
  /** Opcodes executed. */
  steps: number
  /** Call and create frames. */
  frames: number
  /** Nesting of frames; the chain's own limit is 1024. */
  depth: number
  /** Bytes of memory of one frame. */
  frameMemoryBytes: number
  /** Bytes of return data of one frame. */
  returnDataBytes: number
  logs: number
  logBytes: number
  wallClockMs: number
}
