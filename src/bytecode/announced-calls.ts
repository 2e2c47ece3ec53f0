import type { CallEffect, WriteEffect } from './effects.js'
import { evaluateTerm, type ReadStorage } from './evaluate.js'
import type { ContractFacts, FunctionFacts, Located } from './facts.js'
import { findReachable } from './graph.js'
import { storageKeyOf } from './guards.js'
import type { Edge } from './interpret.js'
import { fromArgument, fromEnvironment, fromStorage, UNKNOWN_VARIABLE, variableOf } from './source.js'
import { classifyKey } from './storage-key.js'
import { isStored, type Term } from './terms.js'

/**
 * How long a contract waits before each call that it makes, in seconds, by its code alone;
 * `undefined` where anything about that is in doubt. Proven is:
 *
 * - It calls out in no other way than by CALL, and each call comes after a moment that is stored
 *   and not zero.
 * - Such a moment is stored as now and a time that is fixed, or that only the contract itself
 *   changes, beside an event; or as zero; or by the contract itself.
 * - What it calls, and with which data, was told together with the moment: it stands in storage
 *   that nothing else writes, or the moment is found by the hash of it.
 */
export function readAnnouncedDelay(facts: ContractFacts, read: ReadStorage): bigint | undefined {
  if (facts.gaps.length > 0) return undefined
  const writes = writesOf(facts)
  if (writes.has(UNKNOWN_VARIABLE)) return undefined
  let delay: bigint | undefined
  for (const fn of facts.functions)
    for (const effect of fn.effects) {
      if (effect.kind === 'create' || effect.kind === 'destruct') return undefined
      if (effect.kind !== 'call' || effect.op === 'STATICCALL') continue
      const waits = effect.op === 'CALL' ? delayOf(facts, fn, effect, writes, read) : undefined
      if (waits === undefined) return undefined
      if (delay === undefined || waits < delay) delay = waits
    }
  return delay
}

interface Write {
  fn: FunctionFacts
  effect: Located<WriteEffect>
}

function writesOf({ functions }: ContractFacts): Map<string, Write[]> {
  const found = new Map<string, Write[]>()
  for (const fn of functions)
    for (const effect of fn.effects) {
      if (effect.kind !== 'write') continue
      const { id } = classifyKey(effect.key)
      const known = found.get(id)
      if (known === undefined) found.set(id, [{ fn, effect }])
      else known.push({ fn, effect })
    }
  return found
}

function delayOf(
  { store }: ContractFacts,
  fn: FunctionFacts,
  call: Located<CallEffect>,
  writes: ReadonlyMap<string, readonly Write[]>,
  read: ReadStorage,
): bigint | undefined {
  const gate = findGate(fn, call)
  const key = gate && storageKeyOf(gate.moment)
  if (gate === undefined || key === undefined) return undefined
  const variable = classifyKey(key).id
  if (variable === UNKNOWN_VARIABLE) return undefined
  const isFixed = (term: Term) =>
    term.op === 'const' || (isStored(term) && (writes.get(variableOfTerm(term)) ?? []).every(isByItself))
  const announcers = new Set<FunctionFacts>()
  const times: Term[][] = []
  for (const write of writes.get(variable) ?? []) {
    const { value } = write.effect
    if (isByItself(write) || isZero(value)) continue
    const added = addedToNow(value)
    if (added === undefined || !write.fn.effects.some(({ kind }) => kind === 'log')) return undefined
    announcers.add(write.fn)
    times.push([...added, ...gate.added])
  }
  const isAnnounced = (id: string) =>
    id !== UNKNOWN_VARIABLE &&
    (writes.get(id) ?? []).every((write) => announcers.has(write.fn) || isByItself(write) || isZero(write.effect.value))
  const isMade = gate.nonZero.some((term) => variableOfTerm(term) === variable || isAnnounced(variableOfTerm(term)))
  if (!isMade || !isTold(call, key, isAnnounced)) return undefined
  const seconds = times.map((added) => sumOf(added.filter(isFixed), added.length))
  return seconds.length === 0 ? undefined : least(seconds)

  function sumOf(added: readonly Term[], count: number): bigint | undefined {
    const values = added.map((term) => evaluateTerm(store, term, read))
    if (added.length < count || values.some((value) => value === undefined)) return undefined
    return values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n)
  }
}

function least(seconds: readonly (bigint | undefined)[]): bigint | undefined {
  let found = seconds[0]
  for (const each of seconds) {
    if (each === undefined) return undefined
    if (found === undefined || each < found) found = each
  }
  return found
}

const isZero = ({ op, value }: Term) => op === 'const' && value === 0n
const isByItself = ({ fn, effect }: Write) => {
  const guards = fn.guardsOf(effect.node)
  return guards.length > 0 && guards.every(({ kind }) => kind === 'self')
}

function variableOfTerm(term: Term): string {
  const key = storageKeyOf(term)
  return key === undefined ? UNKNOWN_VARIABLE : classifyKey(key).id
}

/** What is added to the present moment; `undefined` where it is no such sum. */
function addedToNow(value: Term): Term[] | undefined {
  if (value.op === 'TIMESTAMP') return []
  const [a, b] = value.args
  if (value.op !== 'ADD' || a === undefined || b === undefined) return undefined
  const other = a.op === 'TIMESTAMP' ? b : b.op === 'TIMESTAMP' ? a : undefined
  return other === undefined ? undefined : [other]
}

/** Whether all that decides about the call was told when its moment was stored. */
function isTold(call: CallEffect, key: Term, isAnnounced: (id: string) => boolean): boolean {
  const hashed = new Set(classifyKey(key).keys.flatMap(({ taint }) => taint.sources))
  const sources = [...call.target.taint.sources, ...call.inputTaint.sources, ...call.selector.taint.sources]
  return sources.every((source) => {
    if (fromStorage(source)) return isAnnounced(variableOf(source))
    if (fromArgument(source)) return hashed.has(source)
    return fromEnvironment(source)
  })
}

interface Gate {
  /** What is stored of the moment, and what is added to it. */
  moment: Term
  added: readonly Term[]
  /** Stored terms without which, being zero, the call is not reached. */
  nonZero: readonly Term[]
}

/** The moment before which the call cannot be reached. */
function findGate({ run }: FunctionFacts, { node }: Located<CallEffect>): Gate | undefined {
  const closes = (isGate: (edge: Edge) => boolean) => !findReachable(run, (edge) => !isGate(edge)).has(node)
  const moments = new Map<string, { moment: Term; added: readonly Term[] }>()
  const stored = new Map<number, Term>()
  for (const { edges } of run.nodes)
    for (const { condition, taken } of edges) {
      if (condition === undefined || taken === undefined) continue
      for (const each of momentsIn(condition, taken)) moments.set(nameOf(each), each)
      for (const each of nonZeroIn(condition, taken)) stored.set(each.id, each)
    }
  const has = (edge: Edge, name: string) =>
    edge.condition !== undefined &&
    edge.taken !== undefined &&
    momentsIn(edge.condition, edge.taken).some((each) => nameOf(each) === name)
  const nonZero = [...stored.values()].filter((term) =>
    closes(
      ({ condition, taken }) =>
        condition !== undefined && taken !== undefined && nonZeroIn(condition, taken).includes(term),
    ),
  )
  const found = [...moments].find(([name]) => closes((edge) => has(edge, name)))
  return found && { ...found[1], nonZero }
}

const nameOf = ({ moment, added }: Pick<Gate, 'moment' | 'added'>) => [moment, ...added].map(({ id }) => id).join()

/** Deeper conditions are no compiler's. */
const MAX_DEPTH = 8

/** Stored moments that have come when the condition comes out as `holds`. */
function momentsIn(term: Term, holds: boolean, depth = 0): Pick<Gate, 'moment' | 'added'>[] {
  const [a, b] = term.args
  if (depth > MAX_DEPTH || a === undefined) return []
  if (term.op === 'ISZERO') return momentsIn(a, !holds, depth + 1)
  if (b === undefined) return []
  if (isJoined(term, holds)) return [...momentsIn(a, holds, depth + 1), ...momentsIn(b, holds, depth + 1)]
  if (term.op !== 'LT' && term.op !== 'GT') return []
  const [small, large] = (term.op === 'LT') === holds ? [a, b] : [b, a]
  return readMoment(small, large)
}

/** `small` is below `large`, or as large: is one a stored moment, and the other now? */
function readMoment(small: Term, large: Term): Pick<Gate, 'moment' | 'added'>[] {
  if (large.op === 'TIMESTAMP') {
    if (isStored(small)) return [{ moment: small, added: [] }]
    const [a, b] = small.args
    if (small.op !== 'ADD' || a === undefined || b === undefined) return []
    return [
      ...(isStored(a) ? [{ moment: a, added: [b] }] : []),
      ...(isStored(b) && !isStored(a) ? [{ moment: b, added: [a] }] : []),
    ]
  }
  const [now, moment] = large.args
  const isPassed = large.op === 'SUB' && now?.op === 'TIMESTAMP' && moment !== undefined && isStored(moment)
  return isPassed ? [{ moment, added: [small] }] : []
}

const isJoined = ({ op, boolean }: Term, holds: boolean) => boolean && (op === 'AND' ? holds : op === 'OR' && !holds)

/** Stored terms that are not zero when the condition comes out as `holds`. */
function nonZeroIn(term: Term, holds: boolean, depth = 0): Term[] {
  const [a, b] = term.args
  if (depth > MAX_DEPTH) return []
  if (isStored(term)) return holds ? [term] : []
  if (a === undefined) return []
  if (term.op === 'ISZERO') return nonZeroIn(a, !holds, depth + 1)
  if (b === undefined) return []
  if (isJoined(term, holds)) return [...nonZeroIn(a, holds, depth + 1), ...nonZeroIn(b, holds, depth + 1)]
  if (term.op === 'EQ' && !holds && (isZero(a) || isZero(b))) return [isZero(a) ? b : a].filter(isStored)
  const large = term.op === 'GT' ? a : term.op === 'LT' ? b : undefined
  return holds && large !== undefined && isStored(large) ? [large] : []
}
