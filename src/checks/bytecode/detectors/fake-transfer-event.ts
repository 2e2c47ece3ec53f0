import { readEquality } from '../../../bytecode/entry.js'
import type { FunctionFacts } from '../../../bytecode/facts.js'
import { findReachable } from '../../../bytecode/graph.js'
import type { Edge, Node } from '../../../bytecode/interpret.js'
import { hasSource, type Term } from '../../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'
import type { Subject } from '../subject.js'

/** keccak256("Transfer(address,address,uint256)"): EIP-20. */
export const TRANSFER_TOPIC = 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3efn

/** Flags a transfer that can succeed and log a movement without moving anything. */
export const fakeTransferEvent = defineDetector({
  id: 'fake-transfer-event',
  title: 'Transfer Without Movement',
  description: 'A transfer can report success, and an event can say so, although no tokens have moved.',
  confidence: 'medium',
  detect: (subject) => readTokenFacts(subject.facts).transfers.flatMap((fn) => findFake(subject, fn)),
})

function findFake(subject: Subject, fn: FunctionFacts): Finding[] {
  const { balanceChanges } = readTokenFacts(subject.facts)
  const moves = new Set(balanceChanges.filter((change) => change.fn === fn).map(({ effect }) => effect.node))
  // Balances that this code does not keep cannot be missed.
  if (moves.size === 0) return []
  const calls = new Set(
    fn.effects.filter((effect) => effect.kind === 'call' && effect.op !== 'STATICCALL').map(({ node }) => node),
  )
  const passes = (edge: Edge) => !moves.has(edge.to) && !calls.has(edge.to) && !movesNothing(subject, fn, edge)
  const [first] = fn.run.nodes
  if (first === undefined || moves.has(first)) return []
  const reached = findReachable(fn.run, passes)
  const succeeds = (start: Node) => {
    const seen = new Set([start])
    for (const node of seen) {
      if (node.end === 'success') return true
      for (const edge of node.edges) if (passes(edge)) seen.add(edge.to)
    }
    return false
  }
  return fn.effects.flatMap((effect): Finding[] => {
    if (effect.kind !== 'log' || effect.topics[0]?.value !== TRANSFER_TOPIC || !reached.has(effect.node)) return []
    const [amount] = effect.data
    if (amount === undefined || (amount.op === 'const' && amount.value === 0n) || !succeeds(effect.node)) return []
    return [
      {
        pc: effect.pc,
        ...(fn.selector && { selector: fn.selector }),
        severity: 'high',
        note: 'logs a transfer on a path that changes no balance',
      },
    ]
  })
}

/** The amount is zero, or sender and receiver are the same. */
function movesNothing({ facts }: Subject, fn: FunctionFacts, { condition, taken }: Edge): boolean {
  const equality = condition === undefined ? undefined : readEquality(facts.store, condition)
  if (equality === undefined || equality.when !== taken) return false
  const { a, b } = equality
  const { from, to, amount } = transferParties(fn)
  if ((from(a) && to(b)) || (from(b) && to(a))) return true
  const isZero = ({ op, value }: Term) => op === 'const' && value === 0n
  // What is asked about the amount, as whether there is as much, is none itself.
  const isAmount = (term: Term) => !term.boolean && hasSource(term, amount)
  return (isZero(a) && isAmount(b)) || (isZero(b) && isAmount(a))
}
