import type { ByteMask } from './byte-mask.js'

/** What one frame's stack may have. */
const FRAME_PLACES = 1_025
const START_PLACES = 2_048

/**
 * The shadows of the stacks of all open frames, one after the other in one array: a frame begins
 * where its caller stood when it called, so that entering one allocates nothing.
 */
export interface ShadowStack {
  /**
   * By place: the shadow value, and which bytes of the word it has reached; the latter counts only
   * where the former is not 0.
   */
  stack: Int32Array
  masks: Int32Array
}

export function createShadowStack(): ShadowStack {
  return { stack: new Int32Array(START_PLACES), masks: new Int32Array(START_PLACES) }
}

/** Makes room for a frame that begins at `base`. */
export function reserveFrame(shadow: ShadowStack, base: number): void {
  if (base + FRAME_PLACES <= shadow.stack.length) return
  shadow.stack = doubled(shadow.stack)
  shadow.masks = doubled(shadow.masks)
}

export function putShadow({ stack, masks }: ShadowStack, place: number, value: number, mask: ByteMask): void {
  stack[place] = mask === 0 ? 0 : value
  masks[place] = mask
}

function doubled(values: Int32Array): Int32Array {
  const larger = new Int32Array(values.length * 2)
  larger.set(values)
  return larger
}
