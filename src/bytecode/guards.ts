import { type Equality, readEquality } from './entry.js'
import { findLeading, findReachable } from './graph.js'
import type { Edge, Node, Run } from './interpret.js'
import { inputsOf } from './join.js'
import { fromArgument, fromCall, fromStorage, SOURCE } from './source.js'
import { classifyKey } from './storage-key.js'
import { hasSource, isNumber, isStored, type Term, type TermStore } from './terms.js'

/**
 * Who may come to a place in the code.
 *
 * `slot`: the caller equals a stored address. `constant`: equals a fixed one. `role`: is listed in
 * a mapping. `call`: another contract says so. `record`: is stored in the record that the call
 * names (the owner of a numbered thing). `signature`: someone signed for it. `self`: only the
 * contract itself. `derived`: a computation on the caller, which honest code does not need.
 */
export interface Guard {
  kind: 'slot' | 'constant' | 'role' | 'record' | 'call' | 'signature' | 'self' | 'derived'
  /** What the caller (or signer) is compared with or looked up in. */
  holder: Term
  /** The condition that asks. */
  condition: Term
  pc: number
}

export interface GuardReader {
  /**
   * Who may reach `node`: any one of these. Empty: any address. `passes` leaves only some ways
   * open.
   */
  guardsOf(node: Node, passes?: (edge: Edge) => boolean): readonly Guard[]
  /** Every condition of the run that asks who is calling. */
  readonly all: readonly Guard[]
}

/**
 * Finds the guards of a run by taking away the edges that only the right caller can take.
 * `holdings` are mappings whose entry is no privilege.
 */
export function createGuardReader(store: TermStore, run: Run, holdings: ReadonlySet<string>): GuardReader {
  const required = new Map<Edge, readonly Guard[]>()
  for (const node of run.nodes) {
    for (const edge of node.edges) {
      if (edge.condition === undefined || edge.taken === undefined) continue
      const found = readRequirement({ store, run, holdings }, edge.condition, edge.taken)
      if (found.length > 0)
        required.set(
          edge,
          found.map((guard) => ({ ...guard, pc: node.endPc })),
        )
    }
  }
  let reached: ReadonlySet<Node> | undefined
  const isOpen = (node: Node) => {
    if (required.size === 0) return true
    reached ??= findReachable(run, (edge) => !required.has(edge))
    return reached.has(node)
  }
  const all = [...required.values()].flat()
  /** Whether that condition alone closes the way, whatever else is asked for. */
  const isNeeded = (node: Node, { pc, condition }: Guard) => {
    const isOther = (edge: Edge) =>
      required.get(edge)?.every((guard) => guard.pc === pc && guard.condition === condition) !== true
    return !findReachable(run, isOther).has(node)
  }
  const cache = new Map<Node, readonly Guard[]>()
  const guardsOf = (node: Node, passes?: (edge: Edge) => boolean) => {
    if (passes !== undefined) {
      if (required.size === 0 || findReachable(run, (edge) => passes(edge) && !required.has(edge)).has(node)) return []
      const leading = findLeading(run, [node])
      return [...required].filter(([edge]) => passes(edge) && leading.has(edge.to)).flatMap(([, guards]) => guards)
    }
    if (isOpen(node)) return []
    const known = cache.get(node)
    if (known !== undefined) return known
    // Only those that matter: without all the others, taking this one away still closes the way.
    const leading = findLeading(run, [node])
    const needed = [...required].filter(([edge]) => leading.has(edge.to))
    const never = needed.flatMap(([, guards]) => guards.filter(isOfNoAccount)).find((guard) => isNeeded(node, guard))
    const found = never ? [never] : needed.flatMap(([, guards]) => guards)
    const unique = [...new Map(found.map((guard) => [`${guard.kind}:${guard.holder.id}`, guard])).values()]
    cache.set(node, unique)
    return unique
  }
  return { guardsOf, all }
}

/** The caller is never the zero address, which libraries ask all the same. */
export const isOfNoAccount = ({ kind, holder }: Guard) =>
  kind === 'constant' && holder.op === 'const' && holder.value === 0n

type Requirement = Omit<Guard, 'pc'>

/** Where a condition stands, and the mappings whose entry is no privilege. */
interface Within {
  store: TermStore
  run: Run
  holdings: ReadonlySet<string>
}

/**
 * The guards of which one must hold when `condition` comes out as `holds`. Empty: it says nothing
 * about the caller.
 */
function readRequirement(within: Within, condition: Term, holds: boolean, depth = 0): readonly Requirement[] {
  const { store, run, holdings } = within
  const [a, b] = condition.args
  if (depth > 8 || !mentionsCaller(condition)) return []
  const read = (term: Term, value: boolean) => readRequirement(within, term, value, depth + 1)
  if (condition.op === 'ISZERO' && a !== undefined && readEquality(store, a) === undefined) return read(a, !holds)
  if ((condition.op === 'AND' || condition.op === 'OR') && a && b && condition.boolean) {
    const needsAll = (condition.op === 'OR') === holds
    const [left, right] = [read(a, holds), read(b, holds)]
    if (needsAll) return left.length > 0 && right.length > 0 ? [...left, ...right] : []
    return left.length > 0 ? left : right
  }
  const brought = condition.op === 'choice' ? condition.args : [...inputsOf(run, condition)]
  if (brought.length > 0) {
    const options = brought
      .filter((arg) => arg !== condition)
      .filter((arg) => arg.op !== 'const' || (arg.value !== 0n) === holds)
      .map((arg) => read(arg, holds))
    return options.every(({ length }) => length > 0) ? options.flat() : []
  }
  const equality = readEquality(store, condition)
  if (equality !== undefined) return fromEquality(condition, equality, equality.when === holds, holdings)
  if (condition.op === 'GT' || condition.op === 'LT') {
    const [big, small] = condition.op === 'GT' ? [a, b] : [b, a]
    return holds && big && small?.op === 'const' ? fromTruth(condition, big, holdings) : []
  }
  // `caller - 0`, as an immutable that was never set leaves it.
  if (isCaller(condition) && !holds) return [{ kind: 'constant', holder: store.constant(0n), condition }]
  return holds ? fromTruth(condition, condition, holdings) : []
}

const mentionsCaller = (term: Term) =>
  hasSource(term, SOURCE.caller) || hasSource(term, SOURCE.origin) || term.taint.sources.some(fromCall)

function fromEquality(
  condition: Term,
  { a, b }: Equality,
  equal: boolean,
  holdings: ReadonlySet<string>,
): readonly Requirement[] {
  if (!equal) {
    // mapping[caller] != 0
    return b.op === 'const' && b.value === 0n ? fromTruth(condition, a, holdings) : []
  }
  for (const [side, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (isCaller(side)) return fromHolder(condition, other)
    if (isSigner(side))
      return isStored(other) || other.op === 'const' ? [{ kind: 'signature', holder: other, condition }] : []
  }
  if (b.op === 'const' && b.value !== 0n && isListedCaller(a, holdings)) return [{ kind: 'role', holder: a, condition }]
  if (isDerived(a) && (b.op === 'const' || isStored(b)) && !(b.op === 'const' && b.value === 0n)) {
    return [{ kind: 'derived', holder: b, condition }]
  }
  return []
}

const isCaller = (term: Term) => term.op === 'CALLER' || term.op === 'ORIGIN'
/** The word that the ecrecover precompile (address 1) gave. */
const isSigner = (term: Term) => term.op === 'returned' && term.args[0]?.op === 'const' && term.args[0].value === 1n

/** Values that may have come about in several ways, of which each is looked at. */
const MAX_JOINED = 16

/**
 * Whether the account is the caller or the one that signed. Libraries give nothing in place of a
 * signer, and say why, which is asked elsewhere.
 */
export function isWilling(run: Run, account: Term): boolean {
  if (account.op === 'CALLER') return true
  const open = new Set([account])
  let hasSigner = false
  for (const term of open) {
    if (open.size > MAX_JOINED) return false
    const inputs = inputsOf(run, term)
    const parts = term.op === 'choice' ? term.args : term.op === 'AND' ? term.args.filter(isNoMask) : [...inputs]
    for (const part of parts) open.add(part)
    hasSigner ||= isSigner(term)
    if (parts.length === 0 && !isSigner(term) && !isNumber(term, 0n)) return false
  }
  return hasSigner
}

const isNoMask = ({ op }: Term) => op !== 'const'
/** A computation on the caller that is not a look-up and not a call's answer. */
const isDerived = (term: Term) =>
  (hasSource(term, SOURCE.caller) || hasSource(term, SOURCE.origin)) &&
  !isStored(term) &&
  !isCaller(term) &&
  term.op !== 'returned' &&
  term.taint.sources.every((source) => source === SOURCE.caller || source === SOURCE.origin)

function fromHolder(condition: Term, holder: Term): readonly Requirement[] {
  if (isCaller(holder)) return []
  if (holder.op === 'const') return [{ kind: 'constant', holder, condition }]
  if (holder.op === 'ADDRESS') return [{ kind: 'self', holder, condition }]
  if (holder.op === 'returned')
    return isKeyedByCallData(holder.args[0] ?? holder) ? [] : [{ kind: 'call', holder, condition }]
  if (isStored(holder)) return [{ kind: isKeyedByCallData(holder) ? 'record' : 'slot', holder, condition }]
  const { sources } = holder.taint
  // A value that several paths brought together: privileged as long as the caller cannot choose it.
  if (sources.length > 0 && sources.every(fromStorage)) return [{ kind: 'slot', holder, condition }]
  return []
}

/** `ownerOf[id] == caller`: the owner of the thing named in the call, not a privilege. */
const isKeyedByCallData = (term: Term) => term.taint.sources.some(fromArgument)

function fromTruth(condition: Term, term: Term, holdings: ReadonlySet<string>): readonly Requirement[] {
  if (isListedCaller(term, holdings)) return [{ kind: 'role', holder: term, condition }]
  // A contract that the caller names agrees to everything.
  const isAsked = term.op === 'returned' && !isKeyedByCallData(term.args[0] ?? term)
  if (isAsked && (hasSource(term, SOURCE.caller) || hasSource(term, SOURCE.origin))) {
    return [{ kind: 'call', holder: term, condition }]
  }
  const key = storageKeyOf(term)
  if (key !== undefined && classifyKey(key).keys.some(isSigner)) return [{ kind: 'signature', holder: term, condition }]
  return []
}

/** The key of the word that a stored term comes from. */
export const storageKeyOf = (term: Term): Term | undefined =>
  term.op === 'sload' ? term.args[0] : term.op === 'field' ? term.args[0]?.args[0] : undefined

function isListedCaller(term: Term, holdings: ReadonlySet<string>): boolean {
  const key = storageKeyOf(term)
  if (key === undefined) return false
  const { id, keys } = classifyKey(key)
  return !holdings.has(id) && keys.some(isCaller)
}
