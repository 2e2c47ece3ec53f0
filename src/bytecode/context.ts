import type { Node } from './interpret.js'
import type { Term } from './terms.js'

/** Nodes of one run by their return context. */
export interface ContextTable {
  /**
   * The node for this place and stack, if there is one. Remembers what {@link ContextTable.add}
   * needs.
   */
  find(pc: number, stack: readonly Term[]): Node | undefined
  /** Whether two stacks are of one return context. */
  isSame(a: readonly Term[], b: readonly Term[]): boolean
  /** Keeps a node for what was asked last. */
  add(node: Node): void
  /** Order of work of what was asked last, see {@link Ranked}. */
  rank(pc: number): readonly number[]
}

/**
 * Jump destinations on the stack are return addresses: blocks reached with different ones are
 * different. A constant 0 or 1 on top is the outcome of a short-circuited `&&` or `||`: kept apart,
 * it decides the branch that follows. So is the caller: where one way takes the sender of a call
 * from the caller and another from the call data (ERC-2771), what is then asked of the sender is
 * another question on each. Paths that meet leave all of them as they are, so that a node's own
 * stack says what its context is.
 */
export function createContextTable(jumpDestinations: Uint8Array): ContextTable {
  const chains = new Map<number, Node[]>()
  let hash = 0
  let asked: readonly Term[] = []

  const read = (pc: number, stack: readonly Term[]) => {
    hash = Math.imul(pc, HASH) ^ stack.length
    asked = stack
    for (let i = 0; i < stack.length; i += 1) {
      const term = stack[i]
      if (term?.op === 'CALLER') hash = Math.imul(hash ^ (i << 17) ^ CALLER, HASH) ^ (hash >>> 15)
      const place = term?.place ?? -1
      if (place < 0 || jumpDestinations[place] !== 1) continue
      hash = Math.imul(hash ^ (i << 17) ^ place, HASH) ^ (hash >>> 15)
    }
    hash += outcomeOf(stack)
  }

  const isSame = (a: readonly Term[], b: readonly Term[]) => {
    if (a.length !== b.length || outcomeOf(a) !== outcomeOf(b)) return false
    for (let i = 0; i < a.length; i += 1) {
      if (a[i] === b[i]) continue
      if (isDestination(jumpDestinations, a[i]) || isDestination(jumpDestinations, b[i])) return false
      if (a[i]?.op === 'CALLER' || b[i]?.op === 'CALLER') return false
    }
    return true
  }

  return {
    isSame,
    find(pc, stack) {
      read(pc, stack)
      for (const node of chains.get(hash) ?? NONE) if (node.pc === pc && isSame(node.stack, stack)) return node
      return undefined
    },
    add(node) {
      const chain = chains.get(hash)
      if (chain === undefined) chains.set(hash, [node])
      else chain.push(node)
    },
    rank(pc) {
      const places: number[] = []
      for (const { place } of asked) if (place >= 0 && jumpDestinations[place] === 1) places.push(place)
      places.push(pc)
      return places
    },
  }
}

/** Multiplicative hashing (Knuth). */
const HASH = 0x9e3779b1
/** Stands for the caller in a hash: no place of any code. */
const CALLER = 0x1ffff
const NONE: readonly Node[] = []

const isDestination = (jumpDestinations: Uint8Array, term: Term | undefined) =>
  term !== undefined && jumpDestinations[term.place] === 1

/** 0 or 1 where the constant is on top, -1 elsewhere. */
function outcomeOf(stack: readonly Term[]): number {
  const place = stack[stack.length - 1]?.place
  return place === 0 || place === 1 ? place : -1
}
