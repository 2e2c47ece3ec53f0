/**
 * Settles whose failure it was when a contract may have caused it. The node is asked a question
 * that no contract has a hand in; if it fails at that too, the failures that were held back count
 * against it, and otherwise none does. One such question at a time.
 */
export interface Doubt {
  hold(error: unknown): void
}

export interface DoubtOptions {
  /** The chain's own question. Rejects when the node is ill. */
  askOwn(): Promise<unknown>
  /** Counts against the node. */
  blame(error: unknown): void
  /** The node is well. */
  acquit(): void
}

export function createDoubt({ askOwn, blame, acquit }: DoubtOptions): Doubt {
  let held: unknown[] = []
  let isAsking = false
  const settle = () => {
    const errors = held
    held = []
    isAsking = false
    return errors
  }
  return {
    hold(error) {
      if (held.length < MAX_HELD) held.push(error)
      if (isAsking) return
      isAsking = true
      askOwn().then(
        () => {
          settle()
          acquit()
        },
        () => settle().forEach(blame),
      )
    },
  }
}

/** As many as open a circuit breaker. */
const MAX_HELD = 5

/** One doubt for each node, which settles it with the chain's own question. */
export const createDoubts = <Node extends { check(): Promise<unknown>; breaker: { succeed(): void } }>(
  nodes: readonly Node[],
  blame: (node: Node, error: unknown) => void,
): ReadonlyMap<Node, Doubt> =>
  new Map(
    nodes.map((node) => {
      const askOwn = () => node.check()
      const acquit = () => node.breaker.succeed()
      return [node, createDoubt({ askOwn, blame: (error) => blame(node, error), acquit })]
    }),
  )
