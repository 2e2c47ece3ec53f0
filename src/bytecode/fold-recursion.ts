import type { Term } from './terms.js'

/** Below this height nothing has called itself often enough to be worth looking. */
export const MIN_HEIGHT = 24
/**
 * Constants that only look like return addresses are small and stand close together; real frames
 * are wider and lie behind the dispatcher.
 */
const MIN_PERIOD = 4
const MIN_RETURN_PC = 0x100

/**
 * Takes frames of recursion out of the stack, so that code that calls itself needs no more contexts
 * than three levels deep. The frame that goes is an inner one, alike in all its return addresses to
 * its neighbour: the callee's state meets that of the shallower call, its arguments included, and
 * returns to the same code. Nothing that can run is lost.
 */
export function foldRecursion(stack: readonly Term[], jumpDestinations: Uint8Array): readonly Term[] {
  let folded = stack
  while (folded.length >= MIN_HEIGHT) {
    const frame = findRepeatedFrame(folded, jumpDestinations)
    if (frame === undefined) return folded
    folded = [...folded.slice(0, frame.start), ...folded.slice(frame.end)]
  }
  return folded
}

/** Whether some return address lies there twice: most stacks need no closer look. */
export function hasRepeatedReturn(stack: readonly Term[], jumpDestinations: Uint8Array): boolean {
  for (let i = stack.length - 1; i > 0; i -= 1) {
    const term = stack[i] as Term
    if (isReturn(term, jumpDestinations) && stack.indexOf(term) < i) return true
  }
  return false
}

const isReturn = ({ place }: Term, jumpDestinations: Uint8Array) =>
  place >= MIN_RETURN_PC && jumpDestinations[place] === 1

function findRepeatedFrame(
  stack: readonly Term[],
  jumpDestinations: Uint8Array,
): { start: number; end: number } | undefined {
  for (const [third, second, first] of findReturns(stack, jumpDestinations).values()) {
    if (third === undefined || second === undefined || first === undefined) continue
    const period = third - second
    if (period < MIN_PERIOD || second - first !== period || !alike(stack, first, second, period, jumpDestinations))
      continue
    return { start: first + 1, end: second + 1 }
  }
  return undefined
}

/** Where on the stack each return address lies, the highest first. */
export function findReturns(stack: readonly Term[], jumpDestinations: Uint8Array): Map<Term, number[]> {
  const positions = new Map<Term, number[]>()
  for (let i = stack.length - 1; i >= 0; i -= 1) {
    const term = stack[i]
    if (term === undefined || !isReturn(term, jumpDestinations)) continue
    const seen = positions.get(term)
    if (seen === undefined) positions.set(term, [i])
    else seen.push(i)
  }
  return positions
}

/**
 * Whether the frames that end at both positions hold the same return addresses at the same places.
 */
function alike(
  stack: readonly Term[],
  first: number,
  second: number,
  period: number,
  jumpDestinations: Uint8Array,
): boolean {
  for (let i = 1; i <= period; i += 1) {
    const [a, b] = [stack[first + i], stack[second + i]]
    if (a === undefined || b === undefined) return false
    if (a !== b && (jumpDestinations[a.place] === 1 || jumpDestinations[b.place] === 1)) return false
  }
  return true
}
