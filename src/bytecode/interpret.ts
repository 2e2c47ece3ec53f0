import type { BlockEnd, Machine, MachineState } from './abstract-machine.js'
import { type Answers, answerTo, NO_ANSWERS, withAnswer } from './answers.js'
import { type ContextTable, createContextTable } from './context.js'
import { type DeadEnds, readDeadEnds } from './dead-ends.js'
import type { Program } from './disassemble.js'
import { createDispatch, type Dispatch } from './dispatch.js'
import type { Effect } from './effects.js'
import { type Entry, readSelectorTest } from './entry.js'
import { executeBlock, WORK_PER_GLANCE } from './execute-block.js'
import { foldRecursion, hasRepeatedReturn, MIN_HEIGHT } from './fold-recursion.js'
import { type Arrival, bring, bringAlso, refine, takeBack } from './join.js'
import { createMemory, type Memory, share } from './memory.js'
import { createRecursiveReturns, type RecursiveReturns } from './recursive-returns.js'
import { SOURCE } from './source.js'
import type { Taint, Term, TermStore } from './terms.js'
import { createWorklist, type Worklist } from './worklist.js'

/**
 * A block in one return context: same place, same height of stack, same jump destinations on it.
 */
export interface Node {
  id: number
  /** Order of work, see {@link ContextTable.rank}. */
  rank: readonly number[]
  pc: number
  /** Last pc of the block, of the instruction that ends it. */
  endPc: number
  stack: readonly Term[]
  memory: Memory
  lastCall: Taint
  /** What was asked on every way here. */
  answers: Answers
  /** What each edge last brought here; see {@link bring}. */
  arrivals: Map<number, Arrival>
  /** Times that these were joined anew. */
  rejoins: number
  edges: Edge[]
  effects: readonly Effect[]
  end: BlockEnd['kind']
  /**
   * What several paths brought together here, by its place on the stack or in memory; most nodes
   * have no such thing.
   */
  joined: Map<string, Set<Term>> | undefined
}

export interface Edge {
  to: Node
  /** The condition of the branch; none where it was answered before. */
  condition?: Term
  /** Of a branch: whether this side is the one where its condition is not zero. */
  taken?: boolean
}

export interface Run {
  entry: Entry
  nodes: readonly Node[]
  /**
   * Selectors that the code compares the call's selector with; their sides were not followed. Only
   * for the fallback entry.
   */
  selectors: ReadonlySet<number>
  /**
   * The dispatcher as the fallback entry found it. Blocks of it that a function passes are no nodes
   * of that function.
   */
  dispatch: Dispatch
  /** Why the result may lack something; empty when it is complete. */
  gaps: ReadonlySet<Gap>
  steps: number
}

/**
 * `jump`: a target could not be told. `contexts`, `nodes`, `steps`, `terms`, `time`: a budget was
 * used up. `dispatch`: a target depends on the selector alone and no function was known to try.
 */
export type Gap = 'jump' | 'contexts' | 'nodes' | 'steps' | 'terms' | 'dispatch' | 'functions' | 'time'

export interface Budget {
  /** Work units left for the whole contract; about one instruction each. */
  steps: number
  /** Asked now and then; true ends the work. */
  isOverdue?: (() => boolean) | undefined
}

/**
 * Contexts of one block within one function. Of 416 real contracts none needs more; with half as
 * many, one does not come to an end (measured).
 */
const MAX_CONTEXTS = 1_024
/** Blocks times contexts of one function. */
const MAX_NODES = 8_000
/** Items up to which a stack costs nothing extra. */
const TALL_STACK = 64

/** One run in the making. */
interface Walk {
  machine: Machine
  budget: Budget
  nodes: Node[]
  table: ContextTable
  deadEnds: DeadEnds
  returns: RecursiveReturns
  contexts: Map<number, number>
  gaps: Set<Gap>
  selectors: Set<number>
  dispatch: Dispatch
  worklist: Worklist<Node>
  assume: Assumption | undefined
  /** The stack of the block that runs; what is kept of it is copied. */
  stack: Term[]
}

/** How a condition is taken to come out wherever it is asked; `undefined` leaves both sides. */
export type Assumption = (condition: Term) => boolean | undefined

/**
 * Follows everything that can run from one entry, until nothing new is learned or the budget ends.
 * `known` is the dispatcher that the walk of the fallback entry found; the other side of what
 * `assume` decides is not followed.
 */
export function interpret(
  store: TermStore,
  program: Program,
  entry: Entry,
  budget: Budget,
  known?: Dispatch,
  assume?: Assumption,
): Run {
  const nodes: Node[] = []
  const worklist = createWorklist<Node>()
  const table = createContextTable(program.jumpDestinations)
  const walk: Walk = {
    machine: {
      store,
      program,
      entry,
      pushed: pushedConstants(store),
      isOver: (work) => budget.steps <= work || budget.isOverdue?.() === true,
    },
    budget,
    nodes,
    table,
    deadEnds: readDeadEnds(program),
    returns: createRecursiveReturns(store, program.jumpDestinations, table, nodes, (node) => worklist.add(node)),
    contexts: new Map(),
    gaps: new Set(),
    selectors: new Set(),
    dispatch: known ?? createDispatch(store, program.jumpDestinations),
    worklist,
    assume,
    stack: [],
  }
  const { gaps, selectors, dispatch, returns } = walk
  let steps = 0
  let glanceAt = budget.steps - WORK_PER_GLANCE
  arrive(walk, 0, { stack: [], memory: createMemory(store), lastCall: store.noTaint, answers: NO_ANSWERS })
  for (let node = worklist.next(); node !== undefined; node = worklist.next()) {
    // What it waited for may have been taken back.
    if (node.arrivals.size === 0) continue
    steps += follow(walk, node)
    if (budget.steps <= 0) gaps.add('steps')
    if (store.isFull()) gaps.add('terms')
    if (budget.steps < glanceAt) {
      glanceAt = budget.steps - WORK_PER_GLANCE
      if (budget.isOverdue?.() === true) gaps.add('time')
    }
    if (gaps.has('steps') || gaps.has('terms') || gaps.has('time')) break
  }
  if (returns.isLacking()) gaps.add('jump')
  return { entry, nodes, selectors, dispatch, gaps, steps }
}

const pushed = new WeakMap<TermStore, (Term | undefined)[]>()

/**
 * A store holds the terms of one code, so that the constants in it are the same for all entries.
 */
function pushedConstants(store: TermStore): (Term | undefined)[] {
  const known = pushed.get(store) ?? []
  pushed.set(store, known)
  return known
}

/**
 * The node for this place and context, new or taught what is true on this way too. `undefined`
 * where a budget forbids it.
 */
function arrive(
  { machine, budget, nodes, table, deadEnds, returns, contexts, gaps, worklist, stack: running }: Walk,
  pc: number,
  { stack: onto, memory, lastCall, answers }: Arrival,
  from?: Node,
  taken?: boolean,
): Node | undefined {
  const { store, program } = machine
  const depth = deadEnds.depthAt(pc)
  const stack = depth === undefined ? foldCalls(program, returns, pc, onto) : topOf(onto, depth)
  // Tall stacks cost time to look through and to copy; those of compilers are not.
  budget.steps -= Math.max(0, stack.length - TALL_STACK)
  const arrival = { stack: stack === running ? stack.slice() : stack, memory: share(memory), lastCall, answers }
  const edge = edgeOf(from, taken)
  const known = table.find(pc, stack)
  if (known !== undefined) {
    const isRepeated = from?.edges.some((other) => other.to === known && other.taken === taken) === true
    const isChanged = isRepeated ? bringAlso(store, known, arrival) : bring(store, known, edge, arrival)
    if (isChanged) worklist.add(known, from)
    return known
  }
  const count = (contexts.get(pc) ?? 0) + 1
  if (count > MAX_CONTEXTS) return void gaps.add('contexts')
  if (nodes.length >= MAX_NODES) return void gaps.add('nodes')
  contexts.set(pc, count)
  const node: Node = {
    id: nodes.length,
    rank: table.rank(pc),
    pc,
    endPc: pc,
    ...arrival,
    arrivals: new Map([[edge, arrival]]),
    rejoins: 0,
    edges: [],
    effects: [],
    end: 'failure',
    joined: undefined,
  }
  nodes.push(node)
  table.add(node)
  worklist.add(node, from)
  return node
}

/** A number for the way from a block by a side of its branch. */
const edgeOf = (from: Node | undefined, taken: boolean | undefined): number =>
  (from?.id ?? -1) * 3 + (taken === undefined ? 0 : taken ? 1 : 2)

/** The stack without what code that calls itself has put there. */
const foldCalls = ({ jumpDestinations }: Program, returns: RecursiveReturns, pc: number, stack: readonly Term[]) =>
  stack.length < MIN_HEIGHT || !hasRepeatedReturn(stack, jumpDestinations)
    ? stack
    : returns.fold(pc, foldRecursion(stack, jumpDestinations))

/**
 * What can only fail returns to no place: what lies below the items that it uses makes no context
 * of its own.
 */
const topOf = (stack: readonly Term[], depth: number): readonly Term[] => stack.slice(Math.max(0, stack.length - depth))

function copyInto(to: Term[], from: readonly Term[]): void {
  while (to.length > from.length) to.pop()
  for (let i = 0; i < from.length; i += 1) to[i] = from[i] as Term
}

/** Runs the node's block and connects it to what follows. Returns the instructions run. */
function follow(walk: Walk, node: Node): number {
  const { machine, budget, stack } = walk
  copyInto(stack, node.stack)
  const start = { stack, memory: node.memory, lastCall: node.lastCall }
  const { steps, effects, end, state } = executeBlock(machine, node.pc, start)
  budget.steps -= steps
  const before = node.edges
  node.effects = effects
  node.end = end.kind
  node.edges = []
  node.endPc = end.kind === 'next' ? end.next - 1 : end.pc
  if (end.kind === 'next') connect(walk, node, end.next, { ...state, answers: node.answers })
  else if (end.kind === 'jump') {
    for (const pc of targetsOf(walk, end.target)) connect(walk, node, pc, { ...state, answers: node.answers })
  } else if (end.kind === 'branch') followBranch(walk, node, end, state)
  if (before.length > 0) leave(walk, node, before)
  return steps
}

/** Takes back what a block brought where it no longer leads, and what was brought on from there. */
function leave({ machine: { store }, budget, worklist }: Walk, node: Node, before: readonly Edge[]): void {
  const open = [{ from: node, edges: before }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { from, edges } = next
    for (const { to, taken } of edges) {
      if (from.edges.some((edge) => edge.to === to && edge.taken === taken)) continue
      budget.steps -= 1
      if (takeBack(store, to, edgeOf(from, taken))) worklist.add(to)
      if (to.arrivals.size > 0) continue
      open.push({ from: to, edges: to.edges })
      to.edges = []
      to.effects = []
      to.end = 'failure'
    }
  }
}

function followBranch(
  walk: Walk,
  node: Node,
  { condition, target, next }: BlockEnd & { kind: 'branch' },
  state: MachineState,
): void {
  const { store, entry } = walk.machine
  const assumed = walk.assume?.(condition)
  const answer = answerTo(node.answers, condition)
  if (entry.kind === 'fallback') walk.dispatch.add(node, state.stack, state.memory, condition, target, next)
  const test = entry.kind === 'fallback' ? readSelectorTest(store, condition) : undefined
  if (test !== undefined) walk.selectors.add(test.selector)
  for (const taken of [true, false]) {
    const possible =
      (condition.op !== 'const' || (condition.value !== 0n) === taken) &&
      (test === undefined || test.when !== taken) &&
      (assumed === undefined || assumed === taken) &&
      (answer === undefined || answer === taken)
    if (!possible) continue
    const stack = refine(store, state.stack, condition, taken)
    const answers = test === undefined ? withAnswer(node.answers, condition, taken) : node.answers
    // What was answered before decides nothing here.
    const edge = answer === undefined ? { condition, taken } : { taken }
    for (const pc of taken ? targetsOf(walk, target) : [next])
      connect(walk, node, pc, { ...state, stack, answers }, edge)
  }
}

function connect(walk: Walk, from: Node, pc: number, arrival: Arrival, branch: Omit<Edge, 'to'> = {}): void {
  const { entry } = walk.machine
  const { stack } = arrival
  const place = entry.kind === 'function' ? walk.dispatch.skip(pc, stack, entry.selector) : pc
  const others = walk.returns.returning(place, stack)
  for (let at = -1; at < others.length; at += 1) {
    const to = arrive(walk, place, { ...arrival, stack: others[at] ?? stack }, from, branch.taken)
    if (to !== undefined) from.edges.push({ to, ...branch })
  }
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

const dependsOnSelectorOnly = ({ taint }: Term) => taint.sources.length === 1 && taint.sources[0] === SOURCE.selector
