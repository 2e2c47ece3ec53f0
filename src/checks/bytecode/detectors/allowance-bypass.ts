import { readEquality } from '../../../bytecode/entry.js'
import type { FunctionFacts } from '../../../bytecode/facts.js'
import { asksGrant, isLeftByGrants } from '../../../bytecode/granted.js'
import { findReachable } from '../../../bytecode/graph.js'
import { type Guard, storageKeyOf } from '../../../bytecode/guards.js'
import type { Edge, Node } from '../../../bytecode/interpret.js'
import { ERC20, returnedTerms } from '../../../bytecode/roles.js'
import { argumentSource } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { hasSource, isNumber, type Term } from '../../../bytecode/terms.js'
import { findFunction, readTokenFacts } from '../../../bytecode/token-facts.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector, type Finding } from '../detector.js'
import { isOwnAccount } from '../own-account.js'
import { severityOfPower } from '../power-severity.js'
import { type Power, readPowerWithout, type Subject } from '../subject.js'

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
    const owners = readTokenFacts(subject.facts).balanceChanges.flatMap(({ fn: of, kind, account }) =>
      of === fn && kind !== 'add' ? [account] : [],
    )
    const passes = (edge: Edge) =>
      !asks(edge.to) &&
      !isOwnAccount(subject.facts.store, edge) &&
      !owners.some((owner) => asksGrant(subject.facts, edge, owner))
    const reached = findReachable(fn.run, passes)
    const [first] = fn.run.nodes
    if (first === undefined || asks(first)) return []
    return readTokenFacts(subject.facts)
      .balanceChanges.filter(
        (change) => change.fn === fn && hasSource(change.account, argumentSource(4)) && change.kind !== 'add',
      )
      .filter(({ effect }) => reached.has(effect.node) && succeedsFrom(effect.node, passes))
      .filter(({ effect }) => !movesNothing(subject, fn, effect.node, passes, owners))
      .map(({ effect }): Finding => {
        const power = readPowerWithout(subject, fn, effect.node, passes)
        return {
          pc: effect.pc,
          ...(fn.selector && { selector: fn.selector }),
          holder: power.holder,
          severity: severityOf(subject, power),
          note: 'moves tokens on a path that never reads the allowance',
        }
      })
  },
})

/**
 * Worse than other powers in the same hands: it is used unseen. Not so where it is the known part
 * of a known shape.
 */
function severityOf(subject: Subject, power: Power): Severity {
  const severity = severityOfPower(subject, power)
  return severity === 'medium' && !power.guards.every((guard) => isController(subject, guard)) ? 'high' : severity
}

/**
 * The controller of a MiniMe token, as its makers wrote it: `controller()` names it, it is told of
 * each transfer, and it has all other powers too. Who holds such a token knows it to be governed.
 */
function isController({ facts }: Subject, { kind, holder }: Guard): boolean {
  const key = kind === 'slot' ? storageKeyOf(holder) : undefined
  if (key === undefined) return false
  const reads = (term: Term) => storageKeyOf(term) === key
  const getter = findFunction(facts, CONTROLLER)
  const isNamed = getter !== undefined && returnedTerms(getter.run).some(reads)
  const isTold = readTokenFacts(facts).transfers.every((fn) =>
    fn.effects.some(
      (effect) => effect.kind === 'call' && effect.selector.value === ON_TRANSFER && reads(effect.target),
    ),
  )
  return isNamed && isTold
}

/** `controller()` and `onTransfer(address,address,uint256)` */
const CONTROLLER = 0xf77c4791
const ON_TRANSFER = 0x4a393149n

function succeedsFrom(start: Node, passes: (edge: Edge) => boolean): boolean {
  const reached = new Set([start])
  for (const node of reached) {
    if (node.end === 'success') return true
    for (const edge of node.edges) if (passes(edge)) reached.add(edge.to)
  }
  return false
}

/** Reached only where the amount is zero, or all of it was granted. */
function movesNothing(
  { facts }: Subject,
  fn: FunctionFacts,
  node: Node,
  passes: (edge: Edge) => boolean,
  owners: readonly Term[],
): boolean {
  const isZeroAmount = ({ condition, taken }: Edge) => {
    const equality = condition === undefined ? undefined : readEquality(facts.store, condition)
    if (equality === undefined || equality.when !== taken) return false
    const { a, b } = equality
    if (!isNumber(a, 0n) && !isNumber(b, 0n)) return false
    const left = isNumber(b, 0n) ? a : b
    return owners.some((owner) => isLeftByGrants(facts, fn, left, owner))
  }
  return !findReachable(fn.run, (edge) => passes(edge) && !isZeroAmount(edge)).has(node)
}
