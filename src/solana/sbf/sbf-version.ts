/**
 * What versions of the format differ in (anza-xyz/sbpf, `program.rs`; SIMD-0166, 0173, 0174, 0178,
 * 0189, 0377).
 */
export interface SbfVersion {
  /** Where the first frame of the stack ends, and what lies between two frames' ends. */
  frames: { first: bigint; distance: bigint }
  /** Results of 32 bits are cut and not extended, and constants are what is subtracted from. */
  hasNewArithmetic: boolean
  /** Where a call by register names it. */
  callRegister: 'immediate' | 'from' | 'to'
  movesMemoryClasses: boolean
  /** Calls say what they call, nothing is relocated, and jumps may compare 32 bits. */
  hasStaticCalls: boolean
}

const FRAME_BYTES = 4_096n
const MAX_FRAMES = 64n
/** Frames have as much between them. */
const WITH_GAPS = { first: FRAME_BYTES, distance: 2n * FRAME_BYTES }
/** Functions make room on the stack themselves, from its end down. */
const MOVED_BY_HAND = { first: MAX_FRAMES * FRAME_BYTES, distance: 0n }
const WITHOUT_GAPS = { first: FRAME_BYTES, distance: FRAME_BYTES }

const OLDEST: SbfVersion = {
  frames: WITH_GAPS,
  hasNewArithmetic: false,
  callRegister: 'immediate',
  movesMemoryClasses: false,
  hasStaticCalls: false,
}

const VERSIONS: readonly SbfVersion[] = [
  OLDEST,
  { ...OLDEST, frames: MOVED_BY_HAND },
  { ...OLDEST, frames: MOVED_BY_HAND, hasNewArithmetic: true, callRegister: 'from', movesMemoryClasses: true },
  { ...OLDEST, frames: WITHOUT_GAPS, callRegister: 'to', hasStaticCalls: true },
]

/** `undefined` for versions that are not known. */
export const sbfVersion = (flags: number): SbfVersion | undefined => VERSIONS[flags]
