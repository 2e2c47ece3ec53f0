import type { Edge, Node, Run } from './interpret.js'

/** Nodes from which the call can still end well. What only leads to a revert has no effect on anybody. */
export function findLiveNodes({ nodes }: Run): Set<Node> {
  // By id, which counts from zero.
  const sources: Node[][] = nodes.map(() => [])
  for (const node of nodes) for (const { to } of node.edges) sources[to.id]?.push(node)
  const live = new Set<Node>()
  for (const node of nodes) if (node.end === 'success') live.add(node)
  for (const node of live) for (const source of sources[node.id] ?? []) live.add(source)
  return live
}

/** Nodes that can be reached from the entry over edges that `passes` accepts. */
export function findReachable({ nodes }: Run, passes: (edge: Edge, from: Node) => boolean): Set<Node> {
  const reached = new Set<Node>()
  const [first] = nodes
  if (first === undefined) return reached
  reached.add(first)
  for (const node of reached) {
    for (const edge of node.edges) if (!reached.has(edge.to) && passes(edge, node)) reached.add(edge.to)
  }
  return reached
}
