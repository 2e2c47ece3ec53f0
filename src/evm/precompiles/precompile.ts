/** A contract that the rules provide instead of code. */
export interface Precompile {
  /** May be infinite. */
  gas(input: Uint8Array): number
  /**
   * What a unit of its gas takes here, measured and rounded up: gas prices assume native code.
   * Microseconds.
   */
  microsPerGas: number
  /**
   * `undefined` when the input is not what the contract accepts: the call fails and takes all its
   * gas. Long work calls `tick` in between, which throws when the job's time is up.
   */
  run(input: Uint8Array, tick: () => void): Uint8Array | undefined
}

export const NO_OUTPUT = new Uint8Array(0)

/**
 * `length` bytes of `input` from `start`, zero where the input has ended: how most precompiles
 * read.
 */
export function padded(input: Uint8Array, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(input.subarray(start, start + length))
  return bytes
}

export function wordsIn(input: Uint8Array): number {
  return Math.ceil(input.length / 32)
}

export function toBigint(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`)
}

export function toBytes(value: bigint, length: number): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex'))
}

/** The 32-byte answer of the checks: 1 or 0. */
export function flag(value: boolean): Uint8Array {
  return toBytes(value ? 1n : 0n, 32)
}

/** Runs library code that reports bad points by throwing. */
export function orInvalid<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && 'shortMessage' in error) throw error
    return undefined
  }
}
