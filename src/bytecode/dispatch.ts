import { isSelector, readEquality } from './entry.js'
import type { Node } from './interpret.js'
import type { Memory } from './memory.js'
import type { Term, TermStore } from './terms.js'

/**
 * A block of the dispatcher: it compares the selector with a constant, jumps, and leaves everything
 * else as it was.
 */
interface Step {
  /** Ends at the block's own start: what it finds is what it leaves. */
  stack: readonly Term[]
  test(selector: bigint): boolean
  target: number
  next: number
}

/**
 * Where the blocks of the dispatcher lead, by place. Read once, from the walk for any other
 * selector; then each function needs not walk them again.
 */
export interface Dispatch {
  add(node: Node, stack: readonly Term[], memory: Memory, condition: Term, target: Term, next: number): void
  /** The first place behind the dispatcher, or `pc` itself, for the call of one function. */
  skip(pc: number, stack: readonly Term[], selector: number): number
}

export function createDispatch(store: TermStore, jumpDestinations: Uint8Array): Dispatch {
  const steps = new Map<number, Step>()

  const follow = (pc: number, stack: readonly Term[], selector: bigint): number | undefined => {
    const step = steps.get(pc)
    if (step === undefined || !isSame(step.stack, stack, selector)) return undefined
    if (!step.test(selector)) return step.next
    return jumpDestinations[step.target] === 1 ? step.target : undefined
  }

  return {
    add(node, stack, memory, condition, target, next) {
      steps.delete(node.pc)
      const { length } = node.stack
      const changes = stack.length !== length || stack.some((term, i) => term !== node.stack[i])
      if (changes || memory !== node.memory || node.effects.length > 0 || target.op !== 'const') return
      const test = readTest(store, condition)
      if (test !== undefined) steps.set(node.pc, { stack: node.stack, test, target: target.place, next })
    },
    skip(from, stack, selector) {
      const wanted = BigInt(selector)
      let pc = from
      // A dispatcher that runs in circles is left to the walk.
      for (let count = 0; count <= steps.size; count += 1) {
        const next = follow(pc, stack, wanted)
        if (next === undefined) return pc
        pc = next
      }
      return from
    },
  }
}

/**
 * Whether the stacks are one, but for the selector, which is known in a function and not before.
 */
function isSame(open: readonly Term[], known: readonly Term[], selector: bigint): boolean {
  if (open.length !== known.length) return false
  for (let i = 0; i < open.length; i += 1) {
    const [a, b] = [open[i], known[i]]
    if (a === b || a === undefined || b === undefined) continue
    if (!isSelector(a) || b.op !== 'const' || b.value !== selector) return false
  }
  return true
}

/**
 * The outcome of a comparison of the selector with a constant: equal, or, where the dispatcher
 * halves its list, above or below.
 */
function readTest(store: TermStore, condition: Term): ((selector: bigint) => boolean) | undefined {
  const [a, b] = condition.args
  if ((condition.op === 'GT' || condition.op === 'LT') && a !== undefined && b !== undefined) {
    const [small, big] = condition.op === 'LT' ? [a, b] : [b, a]
    if (isSelector(small) && big.op === 'const') return (selector) => selector < big.value
    if (isSelector(big) && small.op === 'const') return (selector) => small.value < selector
    return undefined
  }
  const equality = readEquality(store, condition)
  if (equality === undefined || !isSelector(equality.a) || equality.b.op !== 'const') return undefined
  const { value } = equality.b
  return (selector) => (selector === value) === equality.when
}
