import type { Condition, FunctionFacts } from './facts.js'
import { findLeading, findReachableFromAll } from './graph.js'
import type { Node } from './interpret.js'
import type { Source } from './source.js'
import { touches } from './source-bits.js'
import type { Term } from './terms.js'

/** A branch of the transfer path of which one side can only revert, or moves nothing. */
export interface TokenGate {
  fn: FunctionFacts
  /**
   * `fails` is the outcome after which the transfer reverts or ends without moving anything, at
   * once or unless something else lets it pass (`a || b`).
   */
  condition: Condition & { fails: boolean }
  /** Fails at once: nothing else can let the transfer pass. */
  alone: boolean
  /**
   * What is asked last where this is a part of `a || b`; the condition itself where it stands
   * alone.
   */
  last: Condition & { fails: boolean }
}

/** Parts of one chain of `||`. */
const MAX_PARTS = 6

/**
 * Every gate of a function, those included that something else can let pass, found from the last
 * part of each chain to the first. What `isMet` by each sender is no last part: a fee that is
 * switched on asks for that part of the amount.
 */
export function readTokenGates(
  fn: FunctionFacts,
  balances: ReadonlySet<Source>,
  isMet: (term: Term, fails: boolean) => boolean,
): TokenGate[] {
  const gates = findSilent(fn, balances)
  for (const { fails, node } of fn.conditions) if (fails !== undefined) gates.set(node, fails)
  const hard = new Set(gates.keys())
  const met = new Set(
    fn.conditions.flatMap(({ term, fails, node }) => (fails !== undefined && isMet(term, fails) ? [node] : [])),
  )
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const known = gates.size
    for (const condition of fn.conditions) {
      const fails = gates.has(condition.node) ? undefined : readAlternative(condition, gates, met)
      if (fails !== undefined) gates.set(condition.node, fails)
    }
    if (gates.size === known) break
  }
  const found = fn.conditions.flatMap((condition) => {
    const fails = gates.get(condition.node)
    return fails === undefined ? [] : [{ ...condition, fails }]
  })
  const byNode = new Map(found.map((condition) => [condition.node, condition]))
  const lastOf = (condition: (typeof found)[number]) => {
    let last = condition
    for (let part = 0; part < MAX_PARTS && !hard.has(last.node); part += 1) {
      const edge = last.node.edges.find(({ taken }) => taken === last.fails)
      const next = edge && findNextGate(edge.to, gates)
      last = (next && byNode.get(next)) ?? last
    }
    return last
  }
  return found.map((condition) => ({ fn, condition, alone: hard.has(condition.node), last: lastOf(condition) }))
}

/**
 * Blocks between the parts of one `a || b`; a few when optimised, some dozens of small ones when
 * not.
 */
const MAX_ALTERNATIVE = 48

/**
 * The first part of `require(a || b)` has two sides that can succeed: one goes on to the test of
 * `b`, the other straight to where that test leads when it passes. The one that is tested further
 * is the one that fails.
 */
function readAlternative(
  { node }: Condition,
  gates: ReadonlyMap<Node, boolean>,
  met: ReadonlySet<Node>,
): boolean | undefined {
  for (const side of [true, false]) {
    const [edge, other] = [
      node.edges.find(({ taken }) => taken === side),
      node.edges.find(({ taken }) => taken === !side),
    ]
    const gate = edge === undefined ? undefined : findNextGate(edge.to, gates)
    if (gate !== undefined && met.has(gate)) continue
    const pass = gate?.edges.find(({ taken }) => taken !== gates.get(gate))
    if (pass !== undefined && other !== undefined && leadsStraightTo(other.to, pass.to.pc)) return side
  }
  return undefined
}

/**
 * Outcomes after which a transfer ends well and has moved nothing: `if (frozen[from]) return
 * false`. What stands behind the first change of a balance is about fees and bookkeeping.
 */
function findSilent({ run, effects, conditions }: FunctionFacts, balances: ReadonlySet<Source>): Map<Node, boolean> {
  const moving = new Set(
    effects.flatMap((effect) =>
      effect.kind === 'write' && [...balances].some((source) => touches(effect, source)) ? [effect.node] : [],
    ),
  )
  const silent = new Map<Node, boolean>()
  if (moving.size === 0) return silent
  const leading = findLeading(run, moving)
  const moved = findReachableFromAll(moving)
  for (const { node, fails } of conditions) {
    if (fails !== undefined || moved.has(node)) continue
    const moves = (side: boolean) => node.edges.some(({ taken, to }) => taken === side && leading.has(to))
    if (moves(true) !== moves(false)) silent.set(node, moves(false))
  }
  return silent
}

/** The gate that straight code leads to, without doing anything on the way. */
function findNextGate(start: Node, gates: ReadonlyMap<Node, boolean>): Node | undefined {
  let node = start
  for (let step = 0; step < MAX_ALTERNATIVE; step += 1) {
    if (node.effects.some(({ kind }) => kind !== 'read' && kind !== 'transient')) return undefined
    if (gates.has(node)) return node
    const [only, second] = node.edges
    if (only === undefined || second !== undefined) return undefined
    node = only.to
  }
  return undefined
}

function leadsStraightTo(start: Node, pc: number): boolean {
  let node: Node | undefined = start
  for (let step = 0; step < MAX_ALTERNATIVE && node !== undefined; step += 1) {
    if (node.pc === pc) return true
    node = node.edges.length === 1 ? node.edges[0]?.to : undefined
  }
  return false
}
