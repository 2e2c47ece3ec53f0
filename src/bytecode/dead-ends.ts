import { type BlockOutline, COMPUTED, type Item, MAX_ITEMS, outlineBlock, placeOf } from './block-outline.js'
import type { Program } from './disassemble.js'
import { NEEDS_NOTHING, readOpenEnds } from './open-ends.js'

/**
 * Blocks behind one that are looked at: to copy the text of an error takes compilers twelve
 * (measured).
 */
const MAX_BLOCKS = 32

/** Says which code can only fail. */
export interface DeadEnds {
  /**
   * How many items of the stack the code from here on may touch, where each way of it ends in a
   * revert; `undefined` where one may end otherwise.
   */
  depthAt(pc: number): number | undefined
}

const known = new WeakMap<Program, DeadEnds>()

/** Reads dead ends from the code alone, each place once. */
export function readDeadEnds(program: Program): DeadEnds {
  const found = known.get(program) ?? createDeadEnds(program)
  known.set(program, found)
  return found
}

/** In place of a depth: not asked yet, and no dead end. */
const [UNASKED, NONE] = [-2, -1]

/** What is known of a program's blocks. */
interface Reading {
  program: Program
  outlines: ReadonlyMap<number, BlockOutline>
  openEnds: ReadonlyMap<number, number>
}

function createDeadEnds(program: Program): DeadEnds {
  const outlines = outlineBlocks(program)
  const reading: Reading = { program, outlines, openEnds: readOpenEnds(program, outlines) }
  const depths = new Int32Array(program.code.length + 1).fill(UNASKED)
  return {
    depthAt(pc) {
      let depth = depths[pc] ?? NONE
      if (depth === UNASKED) {
        depth = follow(reading, pc) ?? follow(reading, pc, new Set()) ?? NONE
        depths[pc] = depth
      }
      return depth === NONE ? undefined : depth
    },
  }
}

/** All blocks of the code by their beginnings, those that nothing leads to among them. */
function outlineBlocks(program: Program): ReadonlyMap<number, BlockOutline> {
  const outlines = new Map<number, BlockOutline>()
  const add = (start: number) => {
    for (let pc = start; !outlines.has(pc); ) {
      const outline = outlineBlock(program, pc)
      outlines.set(pc, outline)
      if (outline.end === 'branch') pc = outline.next
    }
  }
  add(0)
  for (let pc = 0; pc < program.jumpDestinations.length; pc += 1) if (program.jumpDestinations[pc] === 1) add(pc)
  return outlines
}

/** A place on a way, with what the way has put onto the stack and how deep it has reached below. */
interface Way {
  pc: number
  stack: Item[]
  depth: number
}

/**
 * The depth of all ways from a place together, if each of them fails. That two ways meet is only
 * looked at, with `seen`, where there are many.
 */
function follow(
  { program: { jumpDestinations }, outlines, openEnds }: Reading,
  start: number,
  seen?: Set<string>,
): number | undefined {
  const ways: Way[] = [{ pc: start, stack: [], depth: 0 }]
  let deepest = 0
  let blocks = 0
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const outline = outlines.get(way.pc)
    if (outline === undefined || isOpen(openEnds.get(way.pc), way)) return NONE
    const key = seen && `${way.pc} ${way.depth} ${way.stack.join(' ')}`
    if (key !== undefined && seen?.has(key)) continue
    if (key !== undefined) seen?.add(key)
    blocks += 1
    if (blocks > MAX_BLOCKS) return seen && NONE
    const { end, takes, rise, next } = outline
    if (end === 'open' || Math.max(way.stack.length, takes) + rise > MAX_ITEMS) return NONE
    const depth = way.depth + Math.max(0, takes - way.stack.length)
    deepest = Math.max(deepest, depth)
    if (end === 'fails') continue
    const stack = way.stack.slice(0, Math.max(0, way.stack.length - takes))
    for (const item of outline.leaves) stack.push(itemOn(item, way))
    if (end !== 'next') {
      const target = itemOn(outline.target, way)
      if (target === COMPUTED) return NONE
      if (jumpDestinations[target] === 1) ways.push({ pc: target, stack: [...stack], depth })
    }
    if (end !== 'jump') ways.push({ pc: next, stack, depth })
  }
  return deepest
}

/** Whether the way meets one that may end well. */
function isOpen(needed: number | undefined, { stack }: Way): boolean {
  if (needed === undefined || needed === NEEDS_NOTHING) return needed === NEEDS_NOTHING
  return (stack[stack.length - 1 - needed] ?? COMPUTED) === COMPUTED
}

/** What an item is on this way. */
function itemOn(item: Item, { stack }: Way): Item {
  if (item >= COMPUTED) return item
  return stack[stack.length - 1 - placeOf(item)] ?? COMPUTED
}
