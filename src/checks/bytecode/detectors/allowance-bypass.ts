import { readEquality } from '../../../bytecode/entry.js'
import type { FunctionFacts } from '../../../bytecode/facts.js'
import { findReachable } from '../../../bytecode/graph.js'
import type { Edge, Node } from '../../../bytecode/interpret.js'
import { ERC20 } from '../../../bytecode/roles.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { hasSource } from '../../../bytecode/term.js'
import { findFunction, readTokenFacts } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'
import { isOwnAccount } from '../own-account.js'
import { severityOfPower } from '../power-severity.js'
import { readPowerWithout, type Subject } from '../subject.js'

/** Flags a `transferFrom` that moves tokens on a path which never looks at the allowance. */
export const allowanceBypass = defineDetector({
  id: 'allowance-bypass',
  title: 'Transfers Without Allowance',
  description: 'A privileged caller can move the tokens of any account without having been allowed to.',
  confidence: 'high',
  detect: (subject) => {
    const fn = findFunction(subject.facts, ERC20.transferFrom)
    if (fn === undefined || subject.facts.roles.allowances.size === 0) return []
    const asks = (node: Node) =>
      node.effects.some(
        (effect) => effect.kind === 'read' && subject.facts.roles.allowances.has(classifyKey(effect.key).id),
      )
    const passes = (edge: Edge) => !asks(edge.to) && !isOwnAccount(subject.facts.store, edge)
    const reached = findReachable(fn.run, passes)
    const [first] = fn.run.nodes
    if (first === undefined || asks(first)) return []
    return readTokenFacts(subject.facts)
      .balanceChanges.filter(
        (change) => change.fn === fn && hasSource(change.account, 'arg:4') && change.kind !== 'add',
      )
      .filter(({ effect }) => reached.has(effect.node) && succeedsFrom(effect.node, passes))
      .filter(({ effect }) => !movesNothing(subject, fn, effect.node, passes))
      .map(({ effect }): Finding => {
        const power = readPowerWithout(subject, fn, effect.node, passes)
        return {
          pc: effect.pc,
          ...(fn.selector && { selector: fn.selector }),
          holder: power.holder,
          severity: severityOfPower(subject, power) === 'medium' ? 'high' : severityOfPower(subject, power),
          note: 'moves tokens on a path that never reads the allowance',
        }
      })
  },
})

function succeedsFrom(start: Node, passes: (edge: Edge) => boolean): boolean {
  const reached = new Set([start])
  for (const node of reached) {
    if (node.end === 'success') return true
    for (const edge of node.edges) if (passes(edge)) reached.add(edge.to)
  }
  return false
}

/** Reached only where the amount is zero. */
function movesNothing({ facts }: Subject, fn: FunctionFacts, node: Node, passes: (edge: Edge) => boolean): boolean {
  const isZeroAmount = ({ condition, taken }: Edge) => {
    const equality = condition === undefined ? undefined : readEquality(facts.store, condition)
    return (
      equality?.when === taken && equality?.b.value === 0n && equality.a.op === 'calldata' && equality.a.value === 68n
    )
  }
  return !findReachable(fn.run, (edge) => passes(edge) && !isZeroAmount(edge)).has(node)
}
