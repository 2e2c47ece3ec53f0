import type { Program } from './disassemble.js'
import type { Effect } from './effects.js'
import { type Entry, readEquality, readSelectorTest } from './entry.js'
import { type BlockEnd, executeBlock } from './execute-block.js'
import { foldRecursion } from './fold-recursion.js'
import { createMemory, joinMemory, type Memory, share } from './memory.js'
import type { Taint, Term, TermStore } from './term.js'
import { createWorklist } from './worklist.js'

/** A block in one return context: same place, same height of stack, same jump destinations on it. */
export interface Node {
  id: number
  /** Order of work, see {@link rankOf}. */
  rank: number
  pc: number
  /** Last pc of the block, of the instruction that ends it. */
  endPc: number
  stack: readonly Term[]
  memory: Memory
  lastCall: Taint
  edges: Edge[]
  effects: readonly Effect[]
  end: BlockEnd['kind']
}

export interface Edge {
  to: Node
  /** The condition of the branch and whether this side is the one where it is not zero. */
  condition?: Term
  taken?: boolean
}

export interface Run {
  entry: Entry
  nodes: readonly Node[]
  /** Selectors that the code compares the call's selector with; their sides were not followed. Only for the fallback entry. */
  selectors: ReadonlySet<number>
  /** Why the result may lack something; empty when it is complete. */
  gaps: ReadonlySet<Gap>
  steps: number
}

/**
 * `jump`: a target could not be told. `contexts`, `nodes`, `steps`, `terms`, `time`: a budget was used up.
 * `dispatch`: a target depends on the selector alone and no function was known to try.
 */
export type Gap = 'jump' | 'contexts' | 'nodes' | 'steps' | 'terms' | 'dispatch' | 'functions' | 'time'

export interface Budget {
  /** Work units left for the whole contract; about one instruction each. */
  steps: number
  /** Asked now and then; true ends the work. */
  isOverdue?: (() => boolean) | undefined
}

/** Return contexts of one block within one function. Honest code stays below 200 (measured). */
const MAX_CONTEXTS = 256
/** Blocks times contexts of one function. */
const MAX_NODES = 8_000
/** Blocks between two glances at the clock; a block takes microseconds. */
const LOOKS_PER_GLANCE = 64
/** Items up to which a stack costs nothing extra. */
const TALL_STACK = 64
/** Alternatives of booleans or constants that are kept apart when paths meet. */
const MAX_CHOICE = 4

/** Follows everything that can run from one entry, until nothing new is learned or the budget ends. */
export function interpret(store: TermStore, program: Program, entry: Entry, budget: Budget): Run {
  const nodes = new Map<string, Node>()
  const contexts = new Map<number, number>()
  const gaps = new Set<Gap>()
  const selectors = new Set<number>()
  const worklist = createWorklist<Node>()
  let steps = 0
  let looked = 0

  const isReturn = ({ op, value }: Term) =>
    op === 'const' && value < program.jumpDestinations.length && program.jumpDestinations[Number(value)] === 1

  const arrive = (pc: number, onto: readonly Term[], memory: Memory, lastCall: Taint): Node | undefined => {
    const stack = foldRecursion(onto, isReturn)
    // Tall stacks cost time to look through and to copy; those of compilers are not.
    budget.steps -= Math.max(0, stack.length - TALL_STACK)
    const key = contextKey(program, pc, stack)
    const known = nodes.get(key)
    if (known === undefined) {
      const count = (contexts.get(pc) ?? 0) + 1
      if (count > MAX_CONTEXTS) return void gaps.add('contexts')
      if (nodes.size >= MAX_NODES) return void gaps.add('nodes')
      contexts.set(pc, count)
      const node: Node = {
        id: nodes.size,
        rank: rankOf(key, pc),
        pc,
        endPc: pc,
        stack,
        memory: share(memory),
        lastCall,
        edges: [],
        effects: [],
        end: 'failure',
      }
      nodes.set(key, node)
      worklist.add(node)
      return node
    }
    if (join(store, known, stack, memory, lastCall)) worklist.add(known)
    return known
  }

  const process = (node: Node) => {
    const state = { stack: [...node.stack], memory: node.memory, lastCall: node.lastCall }
    const result = executeBlock(store, program, entry, node.pc, state)
    steps += result.steps
    budget.steps -= result.steps
    node.effects = result.effects
    node.end = result.end.kind
    node.edges = []
    const { end } = result
    const { stack, memory, lastCall } = result.state
    node.endPc = end.kind === 'next' ? end.next - 1 : end.pc
    const connect = (pc: number, onto: readonly Term[], condition?: Term, taken?: boolean) => {
      const to = arrive(pc, onto, memory, lastCall)
      if (to === undefined) return
      node.edges.push(condition === undefined || taken === undefined ? { to } : { to, condition, taken })
    }
    const targets = (target: Term): readonly number[] => {
      const options = target.op === 'choice' ? target.args : [target]
      if (options.some((option) => option.op !== 'const')) {
        gaps.add(dependsOnSelectorOnly(target) ? 'dispatch' : 'jump')
        return []
      }
      return options.map(({ value }) => Number(value)).filter((pc) => program.jumpDestinations[pc] === 1)
    }
    if (end.kind === 'next') connect(end.next, stack)
    if (end.kind === 'jump') for (const pc of targets(end.target)) connect(pc, stack)
    if (end.kind !== 'branch') return
    const { condition, target, next } = end
    const test = entry.kind === 'fallback' ? readSelectorTest(store, condition) : undefined
    if (test !== undefined) selectors.add(test.selector)
    const possible = (taken: boolean) =>
      (condition.op !== 'const' || (condition.value !== 0n) === taken) && (test === undefined || test.when !== taken)
    if (possible(true)) {
      for (const pc of targets(target)) connect(pc, refine(store, stack, condition, true), condition, true)
    }
    if (possible(false)) connect(next, refine(store, stack, condition, false), condition, false)
  }

  arrive(0, [], createMemory(store), store.noTaint)
  for (let node = worklist.next(); node !== undefined; node = worklist.next()) {
    process(node)
    if (budget.steps <= 0) gaps.add('steps')
    if (store.isFull()) gaps.add('terms')
    looked += 1
    if (looked % LOOKS_PER_GLANCE === 0 && budget.isOverdue?.() === true) gaps.add('time')
    if (gaps.has('steps') || gaps.has('terms') || gaps.has('time')) break
  }
  return { entry, nodes: [...nodes.values()], selectors, gaps, steps }
}

/**
 * Jump destinations on the stack are return addresses: blocks reached with different ones are different. A constant 0 or 1 on top is
 * the outcome of a short-circuited `&&` or `||`: kept apart, it decides the branch that follows.
 */
function contextKey({ jumpDestinations }: Program, pc: number, stack: readonly Term[]): string {
  let key = `${pc}|${stack.length}`
  for (let i = 0; i < stack.length; i += 1) {
    const term = stack[i]
    if (term?.op === 'const' && term.value < jumpDestinations.length && jumpDestinations[Number(term.value)] === 1) {
      key += `|${i}:${term.value}`
    }
  }
  const top = stack.at(-1)
  return top?.op === 'const' && top.value <= 1n ? `${key}|=${top.value}` : key
}

/**
 * Deepest calls first, then by place: what follows a call waits until all ways through the callee have been seen, and what follows a branch
 * until both its sides have. Compilers lay functions out in this order, so that most blocks are looked at once.
 */
function rankOf(key: string, pc: number): number {
  let depth = 0
  for (let i = 0; i < key.length; i += 1) if (key.charCodeAt(i) === 0x3a) depth += 1
  return pc - depth * 0x1000000
}

const dependsOnSelectorOnly = ({ taint }: Term) => taint.sources.length === 1 && taint.sources[0] === 'selector'

/** Takes what is true on another way into the node. Returns whether that taught something. */
function join(store: TermStore, node: Node, stack: readonly Term[], memory: Memory, lastCall: Taint): boolean {
  let changed = false
  const meet = (a: Term, b: Term, place: string) => joinTerm(store, node.id, a, b, place)
  let joined: Term[] | undefined
  for (let i = 0; i < stack.length; i += 1) {
    const [a, b] = [node.stack[i], stack[i]]
    if (a === b || a === undefined || b === undefined) continue
    const term = meet(a, b, `${i}`)
    if (term === a) continue
    joined ??= [...node.stack]
    joined[i] = term
    changed = true
  }
  if (joined !== undefined) node.stack = joined
  if (node.memory !== memory) {
    const both = joinMemory(store, node.memory, memory, meet)
    if (both !== node.memory) {
      node.memory = share(both)
      changed = true
    }
  }
  const call = store.union(node.lastCall, lastCall)
  if (call !== node.lastCall) {
    node.lastCall = call
    changed = true
  }
  return changed
}

function joinTerm(store: TermStore, node: number, a: Term, b: Term, place: string): Term {
  if (a === b) return a
  const options = [...new Set([...alternatives(a), ...alternatives(b)])]
  if (options.length <= MAX_CHOICE && options.every((option) => option.boolean || option.op === 'const')) {
    const sorted = options.sort((x, y) => x.id - y.id)
    return sorted.length === 1 ? (sorted[0] ?? a) : store.make('choice', sorted)
  }
  // Named by its place, so that it is one value there until the place is reached again.
  return store.makeTainted(`phi:${node}:${place}`, [], 0n, 256, store.union(a.taint, b.taint))
}

const alternatives = (term: Term): readonly Term[] => (term.op === 'choice' ? term.args : [term])

/** What the stack holds once the branch's outcome is known. */
function refine(store: TermStore, stack: readonly Term[], condition: Term, taken: boolean): readonly Term[] {
  if (condition.op === 'const') return stack
  const replacements = new Map<Term, Term>()
  const learn = (term: Term, holds: boolean) => {
    if (!holds) replacements.set(term, store.constant(0n))
    else if (term.boolean) replacements.set(term, store.constant(1n))
    const inner = term.op === 'ISZERO' ? term.args[0] : undefined
    if (inner !== undefined) learn(inner, !holds)
  }
  learn(condition, taken)
  const equality = readEquality(store, condition)
  if (equality?.when === taken && equality.b.op === 'const') replacements.set(equality.a, equality.b)
  if (!stack.some((term) => replacements.has(term))) return stack
  return stack.map((term) => replacements.get(term) ?? term)
}
