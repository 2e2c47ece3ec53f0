import { type Term, termsIn } from '../../evm/inspectors/term.js'

/** Some bits of a word. */
export interface Field {
  /** The lowest. */
  from: bigint
  /** The one above the highest. */
  to: bigint
}

const BITS = 256n

/** What a stored word is put together from, by the masks and shifts of its formula. */
export function fieldsIn(stored: Term): Field[] {
  const borders = new Set([0n, BITS])
  for (const term of termsIn(stored)) {
    if (term.kind !== 'operation') continue
    const constants = term.operands.flatMap((each) => (each.kind === 'constant' ? [each.value] : []))
    if (term.name === 'AND') for (const mask of constants) for (const border of bordersOf(mask)) borders.add(border)
    if (term.name === 'SHL') for (const by of constants) if (by < BITS) borders.add(by)
    if (term.name === 'MUL') for (const factor of constants) if (isPower(factor)) borders.add(lengthOf(factor) - 1n)
  }
  const sorted = [...borders].toSorted((a, b) => (a < b ? -1 : 1))
  return sorted.slice(1).map((to, i) => ({ from: sorted[i] ?? 0n, to }))
}

export const readField = (word: bigint, { from, to }: Field): bigint => (word >> from) & ((1n << (to - from)) - 1n)

/** The word with another value in the field, which has to fit. */
export const withField = (word: bigint, field: Field, value: bigint): bigint =>
  word + ((value - readField(word, field)) << field.from)

/** Where the bits that a mask keeps, or those that it clears, begin and end; nothing for others. */
function bordersOf(mask: bigint): bigint[] {
  const run = [mask, (1n << BITS) - 1n - mask].find(isRun)
  return run === undefined ? [] : [lowestOf(run), lengthOf(run)]
}

const isPower = (value: bigint) => value > 0n && (value & (value - 1n)) === 0n
/** One row of bits that are set. */
const isRun = (value: bigint) => value > 0n && isPower((value >> lowestOf(value)) + 1n)
const lengthOf = (value: bigint) => BigInt(value.toString(2).length)
const lowestOf = (value: bigint) => lengthOf(value & -value) - 1n
