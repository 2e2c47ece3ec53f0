import { type BlockOutline, COMPUTED, placeOf } from './block-outline.js'
import type { Program } from './disassemble.js'

/** A way from there on may end well whatever lies on the stack. */
export const NEEDS_NOTHING = -1

/**
 * Blocks from which a way is known that may end well: whatever lies on the stack
 * ({@link NEEDS_NOTHING}), or unless the item so far under the top is a constant, for the way leads
 * there. Read backwards from the ends, each block twice at most, so that what is no dead end need
 * not be walked to its ends. A block that is not here may be open all the same.
 */
export function readOpenEnds(
  { jumpDestinations }: Program,
  outlines: ReadonlyMap<number, BlockOutline>,
): ReadonlyMap<number, number> {
  const needs = new Map<number, number>()
  const before = new Map<number, number[]>()
  const returning = new Map<number, number[]>()
  const news: number[] = []

  const learn = (pc: number, need: number) => {
    const known = needs.get(pc)
    if (known === NEEDS_NOTHING || (known !== undefined && need !== NEEDS_NOTHING)) return
    needs.set(pc, need)
    news.push(pc)
  }
  /** A block with a way to a jump to that item of those which it leaves. */
  const learnJump = (pc: number, item: number) => {
    if (item === COMPUTED) learn(pc, NEEDS_NOTHING)
    else if (item < COMPUTED) learn(pc, placeOf(item))
    else if (needs.get(item) === NEEDS_NOTHING) learn(pc, NEEDS_NOTHING)
    else if (jumpDestinations[item] === 1) add(returning, item, pc)
  }

  for (const [pc, { end, target, next }] of outlines) {
    if (end === 'open') learn(pc, NEEDS_NOTHING)
    if (end === 'next' || end === 'branch') add(before, next, pc)
    if (end !== 'jump' && end !== 'branch') continue
    if (jumpDestinations[target] === 1) add(before, target, pc)
    else if (target < 0) learnJump(pc, target)
  }
  for (let pc = news.pop(); pc !== undefined; pc = news.pop()) {
    const need = needs.get(pc) ?? NEEDS_NOTHING
    for (const source of before.get(pc) ?? NONE) {
      const { leaves, takes } = outlines.get(source) as BlockOutline
      if (need === NEEDS_NOTHING) learn(source, NEEDS_NOTHING)
      else if (need >= leaves.length) learn(source, need - leaves.length + takes)
      else learnJump(source, leaves[leaves.length - 1 - need] ?? COMPUTED)
    }
    if (need === NEEDS_NOTHING) for (const source of returning.get(pc) ?? NONE) learn(source, NEEDS_NOTHING)
  }
  return needs
}

const NONE: readonly number[] = []

function add(lists: Map<number, number[]>, at: number, pc: number): void {
  const list = lists.get(at)
  if (list === undefined) lists.set(at, [pc])
  else list.push(pc)
}
