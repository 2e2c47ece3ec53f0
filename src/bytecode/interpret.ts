import type { Program } from './disassemble.js'
import type { Effect } from './effects.js'
import { type Entry, readEquality, readSelectorTest } from './entry.js'
import { type BlockEnd, executeBlock, type Machine, type MachineState } from './execute-block.js'
import { foldRecursion } from './fold-recursion.js'
import { createMemory, joinMemory, type Memory, share } from './memory.js'
import type { Taint, Term, TermStore } from './term.js'
import { createWorklist, type Worklist } from './worklist.js'

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

/** One run in the making. */
interface Walk {
  machine: Machine
  budget: Budget
  nodes: Map<string, Node>
  contexts: Map<number, number>
  gaps: Set<Gap>
  selectors: Set<number>
  worklist: Worklist<Node>
}

/** Follows everything that can run from one entry, until nothing new is learned or the budget ends. */
export function interpret(store: TermStore, program: Program, entry: Entry, budget: Budget): Run {
  const walk: Walk = {
    machine: { store, program, entry, pushed: pushedConstants(store) },
    budget,
    nodes: new Map(),
    contexts: new Map(),
    gaps: new Set(),
    selectors: new Set(),
    worklist: createWorklist<Node>(),
  }
  const { nodes, gaps, selectors, worklist } = walk
  let steps = 0
  let looked = 0
  arrive(walk, 0, [], createMemory(store), store.noTaint)
  for (let node = worklist.next(); node !== undefined; node = worklist.next()) {
    steps += follow(walk, node)
    if (budget.steps <= 0) gaps.add('steps')
    if (store.isFull()) gaps.add('terms')
    looked += 1
    if (looked % LOOKS_PER_GLANCE === 0 && budget.isOverdue?.() === true) gaps.add('time')
    if (gaps.has('steps') || gaps.has('terms') || gaps.has('time')) break
  }
  return { entry, nodes: [...nodes.values()], selectors, gaps, steps }
}

const pushed = new WeakMap<TermStore, (Term | undefined)[]>()

/** A store holds the terms of one code, so that the constants in it are the same for all entries. */
function pushedConstants(store: TermStore): (Term | undefined)[] {
  const known = pushed.get(store) ?? []
  pushed.set(store, known)
  return known
}

/** The node for this place and context, new or taught what is true on this way too. `undefined` where a budget forbids it. */
function arrive(
  { machine, budget, nodes, contexts, gaps, worklist }: Walk,
  pc: number,
  onto: readonly Term[],
  memory: Memory,
  lastCall: Taint,
): Node | undefined {
  const { store, program } = machine
  const stack = foldRecursion(onto, program.jumpDestinations)
  // Tall stacks cost time to look through and to copy; those of compilers are not.
  budget.steps -= Math.max(0, stack.length - TALL_STACK)
  const key = contextKey(program, pc, stack)
  const known = nodes.get(key)
  if (known !== undefined) {
    if (join(store, known, stack, memory, lastCall)) worklist.add(known)
    return known
  }
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

/** Runs the node's block and connects it to what follows. Returns the instructions run. */
function follow(walk: Walk, node: Node): number {
  const { machine, budget } = walk
  const start = { stack: node.stack.slice(), memory: node.memory, lastCall: node.lastCall }
  const { steps, effects, end, state } = executeBlock(machine, node.pc, start)
  budget.steps -= steps
  node.effects = effects
  node.end = end.kind
  node.edges = []
  node.endPc = end.kind === 'next' ? end.next - 1 : end.pc
  if (end.kind === 'next') connect(walk, node, end.next, state.stack, state)
  else if (end.kind === 'jump') {
    for (const pc of targetsOf(walk, end.target)) connect(walk, node, pc, state.stack, state)
  } else if (end.kind === 'branch') followBranch(walk, node, end, state)
  return steps
}

function followBranch(
  walk: Walk,
  node: Node,
  { condition, target, next }: BlockEnd & { kind: 'branch' },
  state: MachineState,
): void {
  const { store, entry } = walk.machine
  const test = entry.kind === 'fallback' ? readSelectorTest(store, condition) : undefined
  if (test !== undefined) walk.selectors.add(test.selector)
  for (const taken of [true, false]) {
    const possible =
      (condition.op !== 'const' || (condition.value !== 0n) === taken) && (test === undefined || test.when !== taken)
    if (!possible) continue
    const stack = refine(store, state.stack, condition, taken)
    for (const pc of taken ? targetsOf(walk, target) : [next]) connect(walk, node, pc, stack, state, condition, taken)
  }
}

function connect(
  walk: Walk,
  from: Node,
  pc: number,
  stack: readonly Term[],
  { memory, lastCall }: MachineState,
  condition?: Term,
  taken?: boolean,
): void {
  const to = arrive(walk, pc, stack, memory, lastCall)
  if (to === undefined) return
  from.edges.push(condition === undefined || taken === undefined ? { to } : { to, condition, taken })
}

/** Where a jump can lead, as far as it can be told. */
function targetsOf({ machine: { program }, gaps }: Walk, target: Term): readonly number[] {
  if (target.op === 'const') return program.jumpDestinations[target.place] === 1 ? [target.place] : []
  if (target.op !== 'choice' || target.args.some((option) => option.op !== 'const')) {
    gaps.add(dependsOnSelectorOnly(target) ? 'dispatch' : 'jump')
    return []
  }
  return target.args.map(({ place }) => place).filter((pc) => program.jumpDestinations[pc] === 1)
}

/**
 * Jump destinations on the stack are return addresses: blocks reached with different ones are different. A constant 0 or 1 on top is
 * the outcome of a short-circuited `&&` or `||`: kept apart, it decides the branch that follows.
 */
function contextKey({ jumpDestinations }: Program, pc: number, stack: readonly Term[]): string {
  let key = `${pc}|${stack.length}`
  for (let i = 0; i < stack.length; i += 1) {
    const place = stack[i]?.place ?? -1
    if (place >= 0 && jumpDestinations[place] === 1) key += `|${i}:${place}`
  }
  const top = stack.at(-1)?.place
  return top === 0 || top === 1 ? `${key}|=${top}` : key
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
  let joined: Term[] | undefined
  for (let i = 0; i < stack.length; i += 1) {
    const [a, b] = [node.stack[i], stack[i]]
    if (a === b || a === undefined || b === undefined) continue
    const term = joinTerm(store, node.id, a, b, `${i}`)
    if (term === a) continue
    joined ??= [...node.stack]
    joined[i] = term
    changed = true
  }
  if (joined !== undefined) node.stack = joined
  if (node.memory !== memory) {
    const both = joinMemory(store, node.memory, memory, (a, b, place) => joinTerm(store, node.id, a, b, place))
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
  let refined = stack
  const equality = readEquality(store, condition)
  if (equality?.when === taken && equality.b.op === 'const') refined = replaceIn(refined, equality.a, equality.b)
  let holds = taken
  for (let term: Term | undefined = condition; term !== undefined; holds = !holds) {
    if (!holds) refined = replaceIn(refined, term, store.constant(0n))
    else if (term.boolean) refined = replaceIn(refined, term, store.constant(1n))
    term = term.op === 'ISZERO' ? term.args[0] : undefined
  }
  return refined
}

const replaceIn = (stack: readonly Term[], term: Term, by: Term): readonly Term[] =>
  stack.includes(term) ? stack.map((item) => (item === term ? by : item)) : stack
