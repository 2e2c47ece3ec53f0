import type { Node, Run } from './interpret.js'

/**
 * The node where all ways from a node to a good end meet again; `undefined` where that is the end
 * itself.
 */
export type PostDominators = ReadonlyMap<Node, Node | undefined>

/**
 * Rounds until nothing changes: code of compilers needs two or three, whatever its loops (Cooper,
 * Harvey, Kennedy: "A Simple, Fast Dominance Algorithm"). Beyond that, `undefined`.
 */
const MAX_ROUNDS = 24

/**
 * Where the ways from each node that can end well meet again. What only leads to a revert is left
 * out.
 */
export function findPostDominators({ nodes }: Run, live: ReadonlySet<Node>): PostDominators | undefined {
  const order = orderFromEnd(nodes, live)
  const rank = new Map(order.map((node, index) => [node, index]))
  // By rank; the end has -1, what is not known yet is absent.
  const meets = new Map<number, number>()
  const meet = (first: number, second: number): number => {
    let [a, b] = [first, second]
    while (a !== b) {
      if (a > b) a = meets.get(a) ?? END
      else b = meets.get(b) ?? END
    }
    return a
  }
  let changed = true
  for (let round = 0; changed; round += 1) {
    if (round >= MAX_ROUNDS) return undefined
    changed = false
    for (const [index, node] of order.entries()) {
      let found: number | undefined = node.end === 'success' ? END : undefined
      for (const { to } of node.edges) {
        const next = rank.get(to)
        if (next === undefined || (next !== index && !meets.has(next))) continue
        if (next !== index) found = found === undefined ? next : meet(found, next)
      }
      if (found === undefined || meets.get(index) === found) continue
      meets.set(index, found)
      changed = true
    }
  }
  return new Map(order.map((node, index) => [node, order[meets.get(index) ?? END]]))
}

const END = -1

/** Nodes that can end well, the last first: each after at least one of those that follow it. */
function orderFromEnd(nodes: readonly Node[], live: ReadonlySet<Node>): Node[] {
  const sources = new Map<Node, Node[]>()
  for (const node of live) {
    for (const { to } of node.edges) {
      if (!live.has(to)) continue
      const known = sources.get(to)
      if (known === undefined) sources.set(to, [node])
      else known.push(node)
    }
  }
  const ends = nodes.filter((node) => live.has(node) && node.end === 'success')
  const seen = new Set<Node>()
  const finished: Node[] = []
  for (const end of ends) walk(end, sources, seen, finished)
  return finished.reverse()
}

/** Depth first without recursion: hostile code is as deep as it likes. */
function walk(start: Node, sources: ReadonlyMap<Node, readonly Node[]>, seen: Set<Node>, finished: Node[]): void {
  if (seen.has(start)) return
  seen.add(start)
  const open = [{ node: start, next: 0 }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const source = sources.get(top.node)?.[top.next]
    top.next += 1
    if (source === undefined) {
      finished.push(top.node)
      open.pop()
    } else if (!seen.has(source)) {
      seen.add(source)
      open.push({ node: source, next: 0 })
    }
  }
}
