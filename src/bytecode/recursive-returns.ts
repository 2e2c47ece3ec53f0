import type { ContextTable } from './context.js'
import { findReturns, MIN_HEIGHT } from './fold-recursion.js'
import type { Edge, Node } from './interpret.js'
import type { Taint, Term, TermStore } from './terms.js'

/** A call that was taken for one of the same place, one level further out. */
interface Folded {
  /** What lies below the return address of the call that stands for it, and below its own. */
  outer: readonly Term[]
  inner: readonly Term[]
  /** Whether the call was seen to return. */
  isReturned: boolean
}

/**
 * Calls of code that calls itself from several places, folded once the same call is open three
 * times. The innermost is followed as the one before it, for what it does depends on its arguments
 * alone; where that one returns, this one returns as well, to what lies below its own address.
 */
export interface RecursiveReturns {
  /** The stack with the innermost such call taken for the one before it. */
  fold(pc: number, stack: readonly Term[]): readonly Term[]
  /** Stacks of the calls that return together with the one that has this stack. */
  returning(pc: number, stack: readonly Term[]): readonly (readonly Term[])[]
  /** Whether a call that was folded never came back: then it may have been none. */
  isLacking(): boolean
}

/** `again` looks once more at a node that has returned to where another call returns too. */
export function createRecursiveReturns(
  store: TermStore,
  jumpDestinations: Uint8Array,
  table: ContextTable,
  nodes: readonly Node[],
  again: (node: Node) => void,
): RecursiveReturns {
  const calls = new Map<number, Folded[]>()

  const isReturn = ({ outer }: Folded, stack: readonly Term[]) =>
    stack.length >= outer.length &&
    stack.every((term, at) => at < outer.length || jumpDestinations[term.place] !== 1) &&
    table.isSame(stack.slice(0, outer.length), outer)

  const learn = (pc: number, outer: readonly Term[], inner: readonly Term[]) => {
    const known = calls.get(pc) ?? []
    calls.set(pc, known)
    const same = known.find((call) => table.isSame(call.inner, inner))
    const both = same === undefined ? inner : unite(store, same.inner, inner)
    if (same !== undefined && both === same.inner) return
    const call = same ?? { outer, inner, isReturned: false }
    call.inner = both
    if (same === undefined) known.push(call)
    const hasReturned = ({ to }: Edge) => to.pc === pc && isReturn(call, to.stack)
    for (const node of nodes) if (node.edges.some(hasReturned)) again(node)
  }

  return {
    fold(pc, stack) {
      if (stack.length < MIN_HEIGHT) return stack
      const open = nodes.length < MANY_NODES ? 3 : 2
      for (const [address, places] of findReturns(stack, jumpDestinations)) {
        const [inner, outer] = places
        if (places.length < open || inner === undefined || outer === undefined || inner - outer < MIN_FRAME) continue
        const folded = [...stack.slice(0, outer), ...stack.slice(inner)]
        if (table.find(pc, folded) === undefined) continue
        learn(address.place, stack.slice(0, outer), stack.slice(0, inner))
        return folded
      }
      return stack
    },
    returning: (pc, stack) =>
      calls.get(pc)?.flatMap((call) => {
        if (!isReturn(call, stack)) return []
        call.isReturned = true
        return [[...call.inner, ...stack.slice(call.outer.length)]]
      }) ?? NONE,
    isLacking: () => [...calls.values()].some((of) => of.some(({ isReturned }) => !isReturned)),
  }
}

const NONE: readonly (readonly Term[])[] = []

/**
 * What a function that calls itself keeps on the stack, at least. Closer together lie the addresses
 * of helpers that end alike, for which compilers keep one place to return to.
 */
const MIN_FRAME = 8
/** Ordinary functions stay below; from here on a call is folded when it is open twice. */
const MANY_NODES = 400

/** What is true of both, the first itself where the other adds nothing. */
function unite(store: TermStore, a: readonly Term[], b: readonly Term[]): readonly Term[] {
  let changed = false
  const both = a.map((term, at) => {
    const other = b[at]
    if (other === undefined || other === term) return term
    const taint: Taint = store.union(term.taint, other.taint)
    const joined = store.unknown(taint)
    changed ||= joined !== term
    return joined
  })
  return changed ? both : a
}
