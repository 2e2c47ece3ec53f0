import { isOfClock, maskBitsOf } from '../../../bytecode/clock-terms.js'
import { outcomesOf } from '../../../bytecode/deciding-branches.js'
import type { FunctionFacts } from '../../../bytecode/facts.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import { inputsOf } from '../../../bytecode/join.js'
import {
  fromArgument,
  fromEnvironment,
  opcodeOf,
  SOURCE,
  type Source,
  storageSource,
} from '../../../bytecode/source.js'
import { isHolding } from '../../../bytecode/source-bits.js'
import { classifyKey, sourceOfKey } from '../../../bytecode/storage-key.js'
import { isNumber, isStored, type Term } from '../../../bytecode/terms.js'
import { isForwardedSender, readTokenFacts, transferParties } from '../../../bytecode/token-facts.js'
import { LEAVES_OF_OPCODES, type LeafKind } from '../../conditions/leaf-kind.js'
import type { CodeCondition } from '../code-conditions.js'
import { assertInTime } from '../deadline.js'
import type { Subject } from '../subject.js'

/** Terms that the outcomes of one function are computed from: ordinary ones need some hundred. */
const MAX_TERMS = 20_000

/** `transfer`, `transferFrom`, `approve`: those of the standard functions that name an amount. */
const OF_AMOUNTS: ReadonlySet<string> = new Set(['0xa9059cbb', '0x23b872dd', '0x095ea7b3'])

/**
 * What a function does where it looks that up by what differs from sale to sale: there is no
 * comparison that could be solved or forced, and no number of sales sees all entries of a table.
 */
export interface Lookups {
  /** Kinds of what the condition, which is not an ordinary one, looks up by. */
  inCondition(term: Term): ReadonlySet<LeafKind>
  /** What goes into balances, allowances and the answer with no branch. */
  inOutcomes(): CodeCondition[]
}

export function createLookups(subject: Subject, fn: FunctionFacts): Lookups {
  const read = createReader(subject, fn)
  return {
    inCondition: (term) => read([term]),
    inOutcomes: () =>
      outcomesOf(subject.facts, fn).flatMap(({ pc, terms }) => {
        const kinds = read(terms)
        if (kinds.size === 0) return []
        const { address } = subject
        return [
          {
            ...{ address, selector: fn.selector ?? '0x', pc, outcome: 'differs', leaves: [...kinds], asks: [] },
            text: 'does what it looks up',
            ...ofLookup,
            explainedBy: [],
          },
        ]
      }),
  }
}

/** What is said of each of them. */
export const ofLookup = {
  isLookup: true,
  movers: [{ by: 'chance', selectors: [] }],
  unexplained: 'it looks up what to do by what differs from sale to sale',
} as const satisfies Partial<CodeCondition>

/** Kinds by which something is looked up among the terms, and in all that they come from. */
function createReader(subject: Subject, fn: FunctionFacts): (terms: readonly Term[]) => ReadonlySet<LeafKind> {
  const { facts } = subject
  const kindOf = createKinds(subject, fn)
  const known = new Map<Term, readonly LeafKind[]>()
  const chanceIn = (term: Term) => kindsIn(term).filter((kind) => CHANCE.has(kind))
  let left = MAX_TERMS

  /** All parts, also of what ways bring together; where asked, how what is stored was found. */
  function* partsOf(terms: readonly Term[], isThroughStorage: boolean): Generator<Term> {
    const [seen, open] = [new Set<Term>(), [...terms]]
    for (let term = open.pop(); term !== undefined && left > 0; term = open.pop()) {
      if (seen.has(term)) continue
      seen.add(term)
      left -= 1
      yield term
      if (isStored(term) && !isThroughStorage) continue
      open.push(...term.args, ...inputsOf(fn.run, term))
      if (isStored(term)) open.push(...notedIn(term))
    }
  }

  /** What the function itself writes to the word before it, or another time, reads it. */
  function notedIn(word: Term): Term[] {
    const key = storageKeyOf(word)
    if (key === undefined) return []
    const { id } = classifyKey(key)
    if (facts.roles.holdings.has(id)) return []
    const own = readTokenFacts(facts)
      .writesOf(storageSource(id))
      .filter((write) => write.fn.entry === fn.entry)
    // Where ways of it are closed, the same write has other values.
    const places = new Set(own.map(({ effect }) => effect.pc))
    if (own.some((write) => write.fn === fn)) return own.map(({ effect }) => effect.value)
    return fn.effects.flatMap((effect) => (effect.kind === 'write' && places.has(effect.pc) ? [effect.value] : []))
  }

  /** What differs from sale to sale and goes into the term with no table between. */
  function kindsIn(term: Term): readonly LeafKind[] {
    const done = known.get(term)
    if (done !== undefined) return done
    const found = new Set<LeafKind>()
    // The term names fields of what its parts ask for as whole words.
    const asked = new Set(term.taint.sources.map(kindOf))
    asked.delete(undefined)
    if (asked.size > 0)
      for (const part of partsOf([term], false))
        for (const source of ownSources(part)) {
          const kind = kindOf(source)
          if (kind !== undefined && asked.has(kind)) found.add(kind)
        }
    const kinds = [...found]
    known.set(term, kinds)
    return kinds
  }

  /**
   * By what an entry is chosen: any chance, and digits of what the seller chooses, for a whole
   * amount or account has an entry of its own.
   */
  function choosersIn(term: Term): LeafKind[] {
    if (kindsIn(term).length === 0) return []
    const digits = [...partsOf([term], false)].filter(takesDigits)
    return [...chanceIn(term), ...digits.flatMap(kindsIn)]
  }

  /** By what a formula has a peak or a hollow somewhere. */
  function peaksOver(part: Term): LeafKind[] {
    const { op, args } = part
    const ofRest = keepsRest(part) ? chanceIn(part) : []
    const [a, b] = args
    if (!SCALES.has(op) || a === undefined || b === undefined || kindsIn(part).length === 0) return ofRest
    const ofDigits = [...addendsOf(a), ...addendsOf(b)].filter(keepsRest).flatMap(kindsIn)
    if (op === 'DIV') return [...ofRest, ...ofDigits]
    const isHash = op === 'EXP' || a.value > MAX_FACTOR || b.value > MAX_FACTOR
    const ofProduct = isHash ? chanceIn(part) : chanceIn(a).filter((kind) => chanceIn(b).includes(kind))
    return [...ofRest, ...ofDigits, ...ofProduct]
  }

  return (terms) => {
    const kinds = new Set<LeafKind>()
    for (const part of partsOf(terms, true)) {
      assertInTime(subject)
      for (const kind of [...choosersOf(part).flatMap(choosersIn), ...peaksOver(part)]) kinds.add(kind)
    }
    return kinds
  }
}

/** Of what differs from sale to sale. */
function createKinds({ facts: { roles } }: Subject, fn: FunctionFacts): (source: Source) => LeafKind | undefined {
  const { amount } = transferParties(fn)
  const isOfAmounts = fn.selector !== undefined && OF_AMOUNTS.has(fn.selector)
  return (source) => {
    if (source === SOURCE.caller || source === SOURCE.origin) return 'seller'
    if (fromEnvironment(source)) return LEAVES_OF_OPCODES[opcodeOf(source)]
    if (source === amount && isOfAmounts) return 'amount'
    if (fromArgument(source)) return 'seller'
    return isHolding(roles, source) ? 'balance' : undefined
  }
}

/** What the part itself asks for, and not what it is computed from, or found by. */
function ownSources(part: Term): readonly Source[] {
  const key = storageKeyOf(part)
  if (key !== undefined) return [sourceOfKey(key)]
  return part.args.length === 0 || part.op === 'BALANCE' ? part.taint.sources : []
}

/** What tells which entry, or which digits, become the value of the term. */
function choosersOf(term: Term): readonly Term[] {
  const key = storageKeyOf(term)
  if (key !== undefined) return classifyKey(key).keys
  const [first, second] = term.args
  if (first === undefined || second === undefined) return []
  switch (term.op) {
    case 'BYTE':
    case 'SHL':
    case 'SHR':
    case 'SAR':
      return [first]
    default:
      return []
  }
}

/** What no seller chooses outright. */
const CHANCE: ReadonlySet<LeafKind> = new Set(['block', 'gas', 'gas-price', 'coins'])

/** Wider fields hold a whole amount. */
const DIGITS_BITS = 64

/** Larger factors make products that do not fit, so that what is left of them is as a hash. */
const MAX_FACTOR = 1n << 128n

/** Steps that make much of a little. */
const SCALES: ReadonlySet<string> = new Set(['MUL', 'DIV', 'EXP'])

/** Whether many values of the argument come to the same. Searches halve what they look among. */
function takesDigits(term: Term): boolean {
  const [first, second] = term.args
  if (term.op === 'DIV') return second?.value !== 2n
  if (term.op === 'SHR') return first?.value !== 1n && !isNamedByForwarder(term)
  return keepsRest(term)
}

/** The sender at the end of a forwarded call, of which no digit is left out (ERC-2771). */
const isNamedByForwarder = (term: Term) => isNumber(term.args[0], 96n) && isForwardedSender(term)

/** Whether the value goes up and down as the argument grows. */
function keepsRest(term: Term): boolean {
  const { op, args } = term
  if (op !== 'AND') return op === 'MOD' || op === 'BYTE'
  if (isOfClock(term)) return false
  // Compilers cut what is a small number anyway, as one that could not be followed may be.
  const hasMask = args.some((arg) => arg.op === 'const')
  return hasMask && maskBitsOf(term) < DIGITS_BITS && args.every(({ op }) => op !== 'unknown' && op !== 'element')
}

/** What a sum is made of. Who takes off what is left of a division rounds. */
function addendsOf(term: Term): Term[] {
  const [first, second] = term.args
  if (first === undefined || second === undefined || (term.op !== 'ADD' && term.op !== 'SUB')) return [term]
  if (term.op === 'SUB' && second.op === 'MOD' && second.args[0] === first) return addendsOf(first)
  return [...addendsOf(first), ...addendsOf(second)]
}
