import type { ContractFacts, FunctionFacts } from '../../bytecode/facts.js'
import { findReachable } from '../../bytecode/graph.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import type { Node } from '../../bytecode/interpret.js'
import { replaceTerm } from '../../bytecode/replace-term.js'
import { type Source, storageSource, variableOf } from '../../bytecode/source.js'
import { bitsOfField, isHolding } from '../../bytecode/source-bits.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { hasSource, type Term, type TermStore, walkTerm } from '../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../bytecode/token-facts.js'
import type { TokenGate } from '../../bytecode/token-gates.js'
import { assertInTime } from './deadline.js'
import type { Subject } from './subject.js'
import { canBeOpened, isOpenNow } from './ways.js'

/** A stored field that a condition of the transfer path asks. */
interface AskedField {
  /** The stored part of the condition. */
  field: Term
  source: Source
  /** Whose entry is looked up; `variable` for a plain one. */
  key: 'sender' | 'receiver' | 'origin' | 'variable'
}

/** A yes-or-no field that decides what a transfer does, both ways of which can end well. */
export interface TransferField extends AskedField {
  fn: FunctionFacts
  condition: Term
}

/** A stored field that decides whether a transfer goes through. */
export interface GateField extends AskedField {
  gate: TokenGate
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
  const { gates, isKept } = readTokenFacts(facts)
  return gates.filter(isLive(subject)).flatMap((gate) => {
    assertInTime(subject)
    const { term } = gate.condition
    const stored = readAskedFields(facts, gate.fn, term).map((asked) => ({
      gate,
      ...asked,
      isSwitch: isTested(term, asked.field) && !isKept(asked.source),
    }))
    return [...stored, ...readMergedFields(facts, gate)]
  })
}

/** Not of a time that is over, with nothing that could begin it anew. */
export const isLive =
  (subject: Subject) =>
  ({ fn, condition: { node } }: TokenGate): boolean =>
    isOpenNow(subject, fn, node) || canBeOpened(subject, fn, node)

/**
 * Every field of a branch of the transfer path that is no gate, where others than transfers write
 * it.
 */
export function readBranchFields({ facts }: Subject): TransferField[] {
  const { gates, branches, isKept, writersOf } = readTokenFacts(facts)
  const closed = new Set(gates.map(({ condition }) => condition.node))
  return branches.flatMap(({ fn, condition: { node, term } }) =>
    closed.has(node)
      ? []
      : readAskedFields(facts, fn, term)
          .filter(({ source }) => !isKept(source) && writersOf(source).length > 0)
          .map((asked) => ({ ...asked, fn, condition: term })),
  )
}

function readAskedFields({ roles }: ContractFacts, fn: FunctionFacts, condition: Term): AskedField[] {
  const { from, to } = transferParties(fn)
  const found: AskedField[] = []
  walkTerm(condition, (part) => {
    const key = storageKeyOf(part)
    if (key === undefined) return true
    const { id, keys } = classifyKey(key)
    const source = storageSource(id, bitsOfField(part))
    if (isHolding(roles, source)) return false
    const whose = keys.some(from)
      ? 'sender'
      : keys.some(to)
        ? 'receiver'
        : keys.some(({ op }) => op === 'ORIGIN' || op === 'CALLER')
          ? 'origin'
          : 'variable'
    found.push({ field: part, source, key: whose })
    return false
  })
  return found
}

/** Words that flow into a gate through a value that several paths brought together. */
function readMergedFields({ roles }: ContractFacts, gate: TokenGate): GateField[] {
  const { amount } = transferParties(gate.fn)
  const found: GateField[] = []
  walkTerm(gate.condition.term, (part) => {
    if (!isMerged(part) || hasSource(part, amount)) return storageKeyOf(part) === undefined
    for (const source of part.taint.sources) {
      if (isVariable(source) && !roles.supply.has(variableOf(source)))
        found.push({ gate, field: part, source, key: 'variable', isSwitch: false })
    }
    return false
  })
  return found
}

/** What several paths brought together, as behind a multiplication that returns early for zero. */
const isMerged = ({ op }: Term) => op === 'phi' || op === 'unknown'

/** A word of its own, not an entry of a mapping or a list. */
export const isVariable = (source: Source): boolean => /^store:0x[0-9a-f]+(\.|$)/.test(source)

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

/**
 * Whether an account of which the record of this field notes nothing comes to the gate. The length
 * of a lock is asked, and divided by, only where something is locked.
 */
export function meetsWithoutEntry({ facts: { store } }: Subject, { gate, field }: GateField): boolean {
  const record = recordOf(field)
  return record === undefined || askWithout(store, gate.fn, record).reached.has(gate.condition.node)
}

/** What a function asks of an account of which a record notes nothing. */
export interface AskedWithout {
  /** Where such an account comes. */
  reached: ReadonlySet<Node>
  /** The term as it is for that account. */
  read(term: Term): Term
}

export function askWithout(store: TermStore, { run }: FunctionFacts, record: AccountRecord): AskedWithout {
  const known = new Map<Term, Term>()
  const empty = (part: Term) => {
    const other = recordOf(part)
    return other?.name === record.name && other.account === record.account ? store.constant(0n) : undefined
  }
  const read = (term: Term) => replaceTerm(store, term, empty, known)
  const reached = findReachable(run, ({ condition, taken }) => {
    const result = condition && read(condition)
    return result?.op !== 'const' || (result.value !== 0n) === taken
  })
  return { reached, read }
}

/** The record that a mapping keeps of an account. */
export interface AccountRecord {
  name: string
  account: Term
}

/** The mapping of records, without which word of it, and whose record it is. */
export function recordOf(field: Term): AccountRecord | undefined {
  const key = storageKeyOf(field)
  return key && recordAt(key)
}

/** The same by the key of a word. */
export function recordAt(key: Term): AccountRecord | undefined {
  const { id, keys } = classifyKey(key)
  const [account] = keys
  return account === undefined || keys.length !== 1 ? undefined : { name: id.split('+')[0] ?? id, account }
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
