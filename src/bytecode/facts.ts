import type { Hex } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { disassemble, type Instruction, immediateAt, type Program } from './disassemble.js'
import type { Effect } from './effects.js'
import type { Entry } from './entry.js'
import { findLiveNodes } from './graph.js'
import { createGuardReader, type Guard } from './guards.js'
import { type Budget, type Edge, type Gap, interpret, type Node, type Run } from './interpret.js'
import { hashNormalised } from './normalised-hash.js'
import { type Roles, readRoles } from './roles.js'
import { mergeSelectors, toSelectorHex } from './selectors.js'
import { createTermStore, type Term, type TermStore } from './terms.js'

/** A branch of a function. */
export interface Condition {
  pc: number
  term: Term
  /**
   * The outcome that can only lead to a revert: then this is a gate. `undefined` where both sides
   * can succeed.
   */
  fails: boolean | undefined
  node: Node
}

export type Located<T extends Effect = Effect> = T & { node: Node }

/** What one entry of the contract does on paths that can end well. */
export interface FunctionFacts {
  entry: Entry
  /** `undefined` for the fallback. */
  selector: Hex | undefined
  run: Run
  effects: readonly Located[]
  conditions: readonly Condition[]
  /** Who may reach the node: any one of these; empty when any address may. */
  guardsOf(node: Node, passes?: (edge: Edge) => boolean): readonly Guard[]
  /** All conditions that ask for the caller. */
  guards: readonly Guard[]
}

/** Everything the rules look at. Computed once per code, independent of any account's state. */
export interface ContractFacts {
  program: Program
  store: TermStore
  codeHash: Hex
  normalisedHash: Hex
  functions: readonly FunctionFacts[]
  roles: Roles
  /** Instructions that can run, in order of their place. */
  reachable: readonly Instruction[]
  /** Why the analysis may lack something. Empty: it saw everything. */
  gaps: readonly Gap[]
}

/**
 * About one unit per instruction; 400,000 take under half a second on one shared core (measured).
 */
export const STEP_BUDGET = 400_000

export interface FactsOptions {
  /** Selectors that another finder proposes, for dispatchers that ours does not read. */
  candidates?: Iterable<number>
  steps?: number
  /** Asked now and then; true ends the work, with a gap. */
  isOverdue?: () => boolean
}

/** Reads runtime bytecode. Never throws, whatever the bytes are. */
export function readFacts(
  code: Uint8Array,
  { candidates = [], steps = STEP_BUDGET, isOverdue }: FactsOptions = {},
): ContractFacts {
  const program = disassemble(code)
  const store = createTermStore()
  const budget: Budget = { steps, isOverdue }
  const fallback = interpret(store, program, { kind: 'fallback' }, budget)
  const { selectors, cut } = mergeSelectors(fallback.selectors, candidates)
  const runs = [fallback]
  let ended = false
  for (const selector of selectors) {
    if (budget.steps <= 0 || isOverdue?.() === true) {
      ended = true
      break
    }
    runs.push(interpret(store, program, { kind: 'function', selector }, budget, fallback.dispatch))
  }
  if (fallback.gaps.has('dispatch')) runs.push(...findHiddenFallback(store, program, budget, selectors))
  const gaps = new Set(runs.flatMap((run) => [...run.gaps]))
  if (cut || ended) gaps.add('functions')
  // A jump table that only the selector decides is resolved by trying the selectors.
  if (selectors.length > 0) gaps.delete('dispatch')
  const roles = readRoles(runs)
  let reachable: Instruction[] | undefined
  return {
    program,
    store,
    codeHash: keccak256(code),
    normalisedHash: hashNormalised(program),
    functions: runs.map((run) => readFunction(store, run, roles)),
    roles,
    get reachable() {
      reachable ??= readReachable(program, runs)
      return reachable
    },
    gaps: [...gaps],
  }
}

/**
 * Selectors tried until one leads to code that ends well; a table has several buckets, of which one
 * may be empty.
 */
const UNKNOWN_TRIES = 4

/**
 * What a selector does that no function has, where a jump table decides: Vyper's `__default__` lies
 * behind it.
 */
function findHiddenFallback(store: TermStore, program: Program, budget: Budget, selectors: readonly number[]): Run[] {
  for (let unknown = 0xffffffff, tries = 0; tries < UNKNOWN_TRIES; unknown -= 1) {
    if (selectors.includes(unknown)) continue
    if (budget.steps <= 0 || budget.isOverdue?.() === true) return []
    const run = interpret(store, program, { kind: 'fallback', unknown }, budget)
    if (findLiveNodes(run).size > 0 || run.gaps.size > 0) return [run]
    tries += 1
  }
  return []
}

/** What a run of one entry does on paths that can end well. */
export function readFunction(store: TermStore, run: Run, roles: Roles): FunctionFacts {
  const live = findLiveNodes(run)
  const effects: Located[] = []
  const conditions: Condition[] = []
  for (const node of live) {
    for (const effect of node.effects) {
      const located = effect as Located
      located.node = node
      effects.push(located)
    }
    const [first] = node.edges
    if (first?.condition === undefined || first.condition.op === 'const') continue
    const works = (taken: boolean) => node.edges.some((edge) => edge.taken === taken && live.has(edge.to))
    const fails = works(true) ? (works(false) ? undefined : false) : true
    conditions.push({ pc: node.endPc, term: first.condition, fails, node })
  }
  const reader = createGuardReader(store, run, roles.holdings)
  const selector = run.entry.kind === 'function' ? toSelectorHex(run.entry.selector) : undefined
  return { entry: run.entry, selector, run, effects, conditions, guardsOf: reader.guardsOf, guards: reader.all }
}

function readReachable({ code }: Program, runs: readonly Run[]): Instruction[] {
  const seen = new Uint8Array(code.length)
  for (const { nodes } of runs) {
    for (const { pc: start, endPc } of nodes) {
      for (let pc = start; pc <= endPc && pc < code.length; pc += 1 + immediateAt(code, pc)) seen[pc] = 1
    }
  }
  const found: Instruction[] = []
  seen.forEach((mark, pc) => {
    if (mark === 1) found.push({ pc, opcode: code[pc] ?? 0 })
  })
  return found
}
