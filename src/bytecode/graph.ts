import type { Edge, Node, Run } from './interpret.js'

/**
 * Nodes from which the call can still end well. What only leads to a revert has no effect on any
 * account.
 */
export const findLiveNodes = (run: Run): Set<Node> =>
  findLeading(
    run,
    run.nodes.filter(({ end }) => end === 'success'),
  )

/** The targets, and all nodes from which one of them can be reached. */
export function findLeading(run: Run, targets: Iterable<Node>): Set<Node> {
  const sources = readSources(run)
  const leading = new Set(targets)
  for (const node of leading) for (const source of sources[node.id] ?? []) leading.add(source)
  return leading
}

const sourcesKnown = new WeakMap<Run, Node[][]>()

/** Where each node is reached from, by its id, which counts from zero. */
function readSources(run: Run): Node[][] {
  const known = sourcesKnown.get(run)
  if (known !== undefined) return known
  const sources: Node[][] = run.nodes.map(() => [])
  for (const node of run.nodes) for (const { to } of node.edges) sources[to.id]?.push(node)
  sourcesKnown.set(run, sources)
  return sources
}

/** Nodes that can be reached from the entry over edges that `passes` accepts. */
export function findReachable({ nodes: [first] }: Run, passes: (edge: Edge, from: Node) => boolean): Set<Node> {
  return first === undefined ? new Set() : findReachableFrom(first, passes)
}

/** The node itself, and those that can be reached from it. */
export const findReachableFrom = (start: Node, passes?: (edge: Edge, from: Node) => boolean): Set<Node> =>
  findReachableFromAll([start], passes)

/** The nodes themselves, and those that can be reached from one of them. */
export function findReachableFromAll(
  starts: Iterable<Node>,
  passes: (edge: Edge, from: Node) => boolean = () => true,
): Set<Node> {
  const reached = new Set(starts)
  for (const node of reached) {
    for (const edge of node.edges) if (!reached.has(edge.to) && passes(edge, node)) reached.add(edge.to)
  }
  return reached
}

/** The sides of branches on a shortest way from the entry to the node, in order. */
export function findWay({ nodes: [first] }: Run, node: Node): { pc: number; taken: boolean }[] | undefined {
  const before = new Map<Node, { from: Node; edge: Edge } | undefined>()
  if (first !== undefined) before.set(first, undefined)
  for (const from of before.keys()) {
    if (from === node) break
    for (const edge of from.edges) if (!before.has(edge.to)) before.set(edge.to, { from, edge })
  }
  if (!before.has(node)) return undefined
  const way: { pc: number; taken: boolean }[] = []
  for (let step = before.get(node); step !== undefined; step = before.get(step.from)) {
    const { from, edge } = step
    if (edge.taken !== undefined) way.unshift({ pc: from.endPc, taken: edge.taken })
  }
  return way
}
