import type { Decision } from '../../evm/inspectors/decisions.js'
import { type Slot, sourcesOf, type Term, termsIn } from '../../evm/inspectors/term.js'
import type { Address, Hex } from '../../hex.js'
import { COMPARISONS, ENVIRONMENT_WORDS, SYMBOLS, sayNumber } from '../conditions/words.js'

/** What decided that a sell failed. */
export interface Cause {
  /** Whose code, and which of its functions, refused; and where its last branch stands. */
  address: Address
  selector: Hex
  pc: number
  /** The storage that decided, with its value then; absent where none did. */
  slot: bigint | undefined
  value: bigint | undefined
  /** Where the mapping stands whose entry that slot is; absent where it is none. */
  mapping: bigint | undefined
  /** What was compared, in words. */
  reason: string
}

/** What means something in an explanation. */
export interface Names {
  /** People, by address; and amounts of the trade. */
  values: ReadonlyMap<bigint, string>
  /** Words of storage, by contract and slot (`placeOfWord`). */
  words: ReadonlyMap<string, string>
}

export const placeOfWord = (address: Address, slot: bigint): string => `${address} ${slot}`

/** Puts the branch that ended a sell into words. */
export function explainCause({ codeAddress, selector, pc, condition }: Decision, names: Names): Cause {
  const slot = firstSlot(condition)
  return {
    address: codeAddress,
    selector,
    pc,
    slot: slot?.slot,
    value: slot?.value,
    mapping: slot?.entry?.place,
    reason: sentence(condition, condition.value !== 0n, names),
  }
}

function firstSlot(condition: Term): Slot | undefined {
  for (const term of termsIn(condition)) if (term.kind === 'slot') return term
  return undefined
}

function sentence(term: Term, truth: boolean, names: Names): string {
  if (term.kind === 'operation') {
    const [first, second] = term.operands
    if (term.name === 'ISZERO' && first) return sentence(first, first.value !== 0n, names)
    if (term.name === 'AND' && first && second && isTruth(first) && isTruth(second)) {
      const decisive = [first, second].find((each) => (each.value !== 0n) === truth) ?? first
      return sentence(decisive, decisive.value !== 0n, names)
    }
    const words = COMPARISONS[term.name]
    if (words && first && second) return `${describe(first, names)} ${words[truth ? 0 : 1]} ${describe(second, names)}`
    if ((term.name === 'SUB' || term.name === 'XOR') && first && second)
      return `${describe(first, names)} ${truth ? 'is not' : 'is'} ${describe(second, names)}`
  }
  return `${describe(term, names)} is ${truth ? 'set' : 'zero'}`
}

function isTruth(term: Term): boolean {
  return term.kind === 'operation' && (term.name in COMPARISONS || term.name === 'ISZERO')
}

/** Longer formulas are shown by what they depend on. */
const MAX_FORMULA_DEPTH = 3

function describe(term: Term, names: Names, depth = 0): string {
  switch (term.kind) {
    case 'constant':
      return name(term.value, names)
    case 'slot':
      return `${place(term, names)} (${name(term.value, names)})`
    case 'environment':
      return `${ENVIRONMENT_WORDS[term.name] ?? term.name} (${name(term.value, names)})`
    case 'argument':
      return isNamed(term.value, names) ? name(term.value, names) : `an argument of the call (${sayNumber(term.value)})`
    case 'operation': {
      const [first, second] = term.operands
      const symbol = SYMBOLS[term.name]
      if (symbol && first && second && depth < MAX_FORMULA_DEPTH)
        return `${describe(first, names, depth + 1)} ${symbol} ${describe(second, names, depth + 1)}`
      // Masks and shifts cut a packed value out of its word.
      const followed = term.operands.find((each) => sourcesOf(each) !== 0)
      if (isNamed(term.value, names)) return name(term.value, names)
      if (!followed || depth >= MAX_FORMULA_DEPTH) return `a value of ${name(term.value, names)}`
      return followed.kind === 'operation'
        ? describe(followed, names, depth + 1)
        : describe({ ...followed, value: term.value }, names)
    }
  }
}

/** Keys and places below this are numbers; above, addresses or hashes. */
const SMALL = 1n << 64n

function place({ address, slot, entry }: Slot, names: Names): string {
  const known = names.words.get(placeOfWord(address, slot))
  if (known) return known
  if (entry) {
    const mapping = entry.place < SMALL ? `mapping ${entry.place}` : 'a nested mapping'
    return `the entry of ${name(entry.key, names)} in ${mapping}`
  }
  return slot < SMALL ? `slot ${slot}` : `slot 0x${slot.toString(16)}`
}

const isNamed = (value: bigint, names: Names) => value !== 0n && names.values.has(value)

function name(value: bigint, names: Names): string {
  const known = value === 0n ? undefined : names.values.get(value)
  return known ?? sayNumber(value)
}
