import type { WriteEffect } from '../../../bytecode/effects.js'
import { readEquality } from '../../../bytecode/entry.js'
import type { ContractFacts, FunctionFacts, Located } from '../../../bytecode/facts.js'
import { findReachable } from '../../../bytecode/graph.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import type { Edge, Node } from '../../../bytecode/interpret.js'
import { ERC20 } from '../../../bytecode/roles.js'
import { argumentSource, fromEnvironment, SOURCE } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { hasSource, isNumber, type Term } from '../../../bytecode/terms.js'
import { findFunction } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'

/** Flags an `approve` that stores something else than it was asked to, or nothing. */
export const alteredApprove = defineDetector({
  id: 'altered-approve',
  title: 'Approve Does Not Do What It Says',
  description:
    'Approving a spender stores another amount or another spender than you chose, or nothing: routers cannot sell for you, or another address can.',
  confidence: 'high',
  detect: ({ facts }) => {
    const fn = findFunction(facts, ERC20.approve)
    if (fn === undefined || facts.roles.allowances.size === 0) return []
    const altered = fn.effects.flatMap((effect): Finding[] => {
      if (effect.kind !== 'write' || !facts.roles.allowances.has(classifyKey(effect.key).id)) return []
      const [owner, spender] = classifyKey(effect.key).keys
      const asked = isAsked(effect.value) || (effect.value.op === 'const' && isZeroAsked(facts, fn, effect))
      const note = !asked
        ? 'stores another amount'
        : owner !== undefined &&
            spender !== undefined &&
            !(hasSource(spender, argumentSource(4)) || hasSource(owner, argumentSource(4)))
          ? 'stores it for another spender'
          : undefined
      return note === undefined
        ? []
        : [{ pc: effect.pc, ...(fn.selector && { selector: fn.selector }), holder: 'anyone', severity: 'high', note }]
    })
    return [...altered, ...findNoop(facts, fn)]
  },
})

/**
 * The amount of the call; the largest number stands for "unlimited" in tokens with small integers.
 */
function isAsked(value: Term): boolean {
  if (value.op === 'choice') return value.args.every(isAsked)
  if (value.op === 'const')
    return value.value !== 0n && (value.value & (value.value + 1n)) === 0n && value.value >= (1n << 96n) - 1n
  const { sources } = value.taint
  return (
    sources.includes(argumentSource(36)) &&
    !sources.some((source) => fromEnvironment(source) && source !== SOURCE.caller)
  )
}

/** Zero is stored where the call asks for zero, and nowhere else. */
function isZeroAsked({ store }: ContractFacts, fn: FunctionFacts, { node, value }: Located<WriteEffect>): boolean {
  const asksZero = ({ condition, taken }: Edge) => {
    const equality = condition === undefined ? undefined : readEquality(store, condition)
    return (
      equality?.when === taken && isNumber(equality?.b, 0n) && equality?.a.op === 'calldata' && equality.a.value === 36n
    )
  }
  return value.value === 0n && !findReachable(fn.run, (edge) => !asksZero(edge)).has(node)
}

/**
 * Only where an allowance of that spender stands already, which stays: as tokens do that want it
 * set to zero first.
 */
function keepsStanding({ store, roles }: ContractFacts, { condition, taken }: Edge): boolean {
  if (condition === undefined || taken === undefined) return false
  const equality = readEquality(store, condition)
  const isNotZero = equality === undefined ? taken : isNumber(equality.b, 0n) && equality.when !== taken
  const key = storageKeyOf(equality?.a ?? condition)
  if (key === undefined || !isNotZero || (equality && equality.b.op !== 'const')) return false
  const { id, keys } = classifyKey(key)
  return roles.allowances.has(id) && keys.some((each) => hasSource(each, argumentSource(4)))
}

/**
 * A way to succeed on which neither an allowance is written nor another contract asked to do it.
 */
function findNoop(facts: ContractFacts, fn: FunctionFacts): Finding[] {
  const acts = new Set(
    fn.effects
      .filter(
        (effect) =>
          effect.kind === 'call' || (effect.kind === 'write' && facts.roles.allowances.has(classifyKey(effect.key).id)),
      )
      .map(({ node }) => node),
  )
  const [first] = fn.run.nodes
  if (first === undefined || acts.has(first)) return []
  const reached = findReachable(fn.run, (edge) => !acts.has(edge.to) && !keepsStanding(facts, edge))
  // Saying `false` is honest.
  const saysFalse = (node: Node) =>
    node.effects.some(
      (effect) => effect.kind === 'return' && effect.words[0]?.op === 'const' && effect.words[0].value === 0n,
    )
  const end = [...reached].find((node) => node.end === 'success' && !saysFalse(node))
  return end === undefined
    ? []
    : [
        {
          pc: end.endPc,
          ...(fn.selector && { selector: fn.selector }),
          holder: 'anyone',
          severity: 'high',
          note: 'succeeds without storing an allowance',
        },
      ]
}
