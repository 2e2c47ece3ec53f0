import type { Code } from '../code.js'
import { createHeat, type Heat } from '../heat.js'
import type { Hooks } from '../hooks.js'
import type { Rules } from '../rules.js'
import { isWritten, readBlocks } from './blocks.js'
import { entryOf, groupBlocks, makeFunction } from './write-function.js'

/** Of one code: more than the part of the longest that trades run through. */
const CODE_INSTRUCTIONS = 8_192
/** Of all codes of a thread, some 300 bytes each: those of ten exchanges. */
const THREAD_INSTRUCTIONS = 65_536

/** Whether none of the instructions that are watched is ever part of a function. */
export function isLeftToInterpreter(watched: NonNullable<Hooks['steps']>): boolean {
  return watched.every((step, opcode) => step === undefined || !isWritten(opcode))
}

/** Where functions begin under these rules, if there are any. */
export function entriesOf(code: Code, heat: Heat, rules: Rules): Uint32Array | undefined {
  if (heat.entries === undefined && heat.options.hotAfter === 0) makeFunctions(code, heat, rules)
  return heat.instructions === rules.instructions ? heat.entries : undefined
}

/** Counts a jump that was interpreted; makes functions of what is hot when it is time to look. */
export function countJump(code: Code, heat: Heat, rules: Rules, pc: number): void {
  const { warmAfter, lookEvery } = heat.options
  heat.jumps += 1
  if (heat.jumps <= warmAfter) return
  heat.visits ??= new Uint32Array(code.ops.length)
  heat.visits[pc] = (heat.visits[pc] as number) + 1
  if (heat.jumps <= warmAfter + lookEvery) return
  heat.jumps = warmAfter
  makeFunctions(code, heat, rules)
}

/** Codes with functions, in the order in which they got them. */
const hotCodes = new Set<Heat>()

function makeFunctions(code: Code, heat: Heat, rules: Rules): void {
  if (heat.instructions !== undefined && heat.instructions !== rules.instructions) return
  // A run that is under way keeps the table and the functions that it began with.
  const entries = heat.entries?.slice() ?? new Uint32Array(code.ops.length)
  const { hotAfter } = heat.options
  const hot = hotPlaces(code, heat.visits ?? NO_VISITS, hotAfter).filter((pc) => entries[pc] === 0)
  if (hot.length === 0 && hotAfter > 0) return
  // Each call of the code begins at 0.
  const starts = entries[0] === 0 ? [0, ...hot] : hot
  const blocks = readBlocks(code, rules, starts, CODE_INSTRUCTIONS - heat.size).filter(
    ({ start }) => entries[start] === 0,
  )
  const functions = [...heat.functions]
  for (const group of groupBlocks(blocks)) {
    const index = functions.length
    group.forEach(({ start, places }, at) => {
      entries[start] = entryOf(index, at + 1)
      heat.size += places.length
    })
    functions.push(makeFunction({ code, rules, blocks: group, index, entries }))
  }
  heat.functions = functions
  heat.entries = entries
  heat.instructions = rules.instructions
  keep(heat)
}

const NO_VISITS = new Uint32Array(0)
/** Visits of a hot place for one of a place on the same way. */
const VISITS_BESIDE = 32

/**
 * All that is run on the way to a hot place, once there is one: to go in and out of functions
 * between blocks that are interpreted costs more than they save.
 */
function hotPlaces({ jumpDestinations }: Code, visits: Uint32Array, hotAfter: number): number[] {
  if (hotAfter > 0 && !visits.some((count) => count >= hotAfter)) return []
  const enough = hotAfter / VISITS_BESIDE
  const places: number[] = []
  for (const [pc, isDestination] of jumpDestinations.entries())
    if (isDestination === 1 && (visits[pc] ?? 0) >= enough) places.push(pc)
  return places
}

/** Takes the functions of the codes that have had them longest, where all are too many. */
function keep(heat: Heat): void {
  hotCodes.add(heat)
  let size = 0
  for (const each of hotCodes) size += each.size
  for (const oldest of hotCodes) {
    if (size <= THREAD_INSTRUCTIONS || oldest === heat) return
    hotCodes.delete(oldest)
    size -= oldest.size
    Object.assign(oldest, createHeat(oldest.options))
  }
}
