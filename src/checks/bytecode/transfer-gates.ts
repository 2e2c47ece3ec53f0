import { storageKeyOf } from '../../bytecode/guards.js'
import { replaceTerm } from '../../bytecode/replace-term.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { type Source, type Term, walkTerm } from '../../bytecode/terms.js'
import { readTokenFacts, type TokenGate, transferParties } from '../../bytecode/token-facts.js'
import { assertInTime } from './deadline.js'
import type { Subject } from './subject.js'

/** A stored field that decides whether a transfer goes through. */
export interface GateField {
  gate: TokenGate
  /** The stored part of the condition. */
  field: Term
  source: Source
  /** Whose entry is looked up; `variable` for a plain one. */
  key: 'sender' | 'receiver' | 'origin' | 'variable'
  /**
   * Yes or no: tested for being set, or for being one constant. A number that is compared or
   * computed with is not.
   */
  isSwitch: boolean
}

const cache = new WeakMap<Subject, GateField[]>()

/**
 * Every field that a gate of the transfer path reads, by whose entry it is. Balances and allowances
 * are left out.
 */
export function readGateFields(subject: Subject): GateField[] {
  const known = cache.get(subject) ?? find(subject)
  cache.set(subject, known)
  return known
}

function find(subject: Subject): GateField[] {
  const { facts } = subject
  const found: GateField[] = []
  const { gates, isKept } = readTokenFacts(facts)
  for (const gate of gates) {
    assertInTime(subject)
    const { from, to } = transferParties(gate.fn)
    walkTerm(gate.condition.term, (part) => {
      const key = storageKeyOf(part)
      if (key === undefined) return true
      const { id, keys } = classifyKey(key)
      if (facts.roles.holdings.has(id)) return false
      const source = `store:${id}${part.op === 'field' ? `.${part.value}.${part.width}` : ''}`
      const whose = keys.some(from)
        ? 'sender'
        : keys.some(to)
          ? 'receiver'
          : keys.some(({ op }) => op === 'ORIGIN' || op === 'CALLER')
            ? 'origin'
            : 'variable'
      found.push({
        gate,
        field: part,
        source,
        key: whose,
        isSwitch: isTested(gate.condition.term, part) && !isKept(source),
      })
      return false
    })
  }
  return found
}

/**
 * What the gate does when the field holds this: `blocks`, `passes`, or undefined where other things
 * decide too.
 */
export function gateWith(
  { facts }: Subject,
  { gate, field }: GateField,
  value: bigint,
): 'blocks' | 'passes' | undefined {
  const { store } = facts
  const result = replaceTerm(store, gate.condition.term, (part) => (part === field ? store.constant(value) : undefined))
  if (result.op !== 'const') return undefined
  return (result.value !== 0n) === gate.condition.fails ? 'blocks' : 'passes'
}

/** Whether the condition looks at the field only by truth or equality. */
function isTested(condition: Term, field: Term): boolean {
  if (condition === field) return true
  const [a, b] = condition.args
  if (condition.op === 'ISZERO') return a !== undefined && isTested(a, field)
  if (condition.op === 'EQ') return (a === field && b?.op === 'const') || (b === field && a?.op === 'const')
  if (condition.op !== 'AND' && condition.op !== 'OR' && condition.op !== 'choice') return false
  return condition.args.some((arg) => isTested(arg, field))
}
