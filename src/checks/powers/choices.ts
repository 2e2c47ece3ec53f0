import { type AbiParameter, encodeAbiParameters, parseAbiParameters } from 'viem'
import type { ArgumentFacts } from '../../bytecode/function-arguments.js'
import { type Address, type Hex, toPaddedHex } from '../../hex.js'
import type { AddressRole, AmountRole, Choice } from './power.js'
import type { Stage } from './stage.js'

/** Calls of one function that are made up from its arguments, at most. */
export const MAX_CHOICES = 48
/** Numeric arguments that are tried alone, the others being zero. */
const MAX_FOCUS = 4
/** A call with more arguments than the machine's stack can hold was misread. */
const MAX_PARAMETERS = 16
const MAX_NESTING = 3

/** What all tokens' setters are tried with, the graver first. */
const NUMBERS: readonly (bigint | AmountRole)[] = ['inflation', 'max', 0n, 1n, 100n, 10_000n, 'held', 'reserve']
const ADDRESSES: readonly [AddressRole, AddressRole][] = [
  ['buyer', 'holder'],
  ['hostile', 'hostile'],
  ['pool', 'holder'],
  ['holder', 'buyer'],
  ['router', 'holder'],
  ['fresh', 'holder'],
]

/** The types of a function's arguments; `undefined` where they cannot be told or filled in. */
export function readParameters(
  types: string | undefined,
  facts: readonly ArgumentFacts[],
): readonly AbiParameter[] | undefined {
  const seen = typesOf(facts)
  // Who misses an argument calls the function with too little; one too many does no harm.
  const text = types === undefined || countOf(types) < countOf(seen) ? seen : types
  if (text === '') return []
  try {
    const parameters = parseAbiParameters(text)
    return parameters.length <= MAX_PARAMETERS ? parameters : undefined
  } catch {
    // Only what another finder made of hostile code comes here.
    return undefined
  }
}

/**
 * Arguments in a list of types; those of a tuple count as one at least, which is enough to compare.
 */
const countOf = (types: string) => (types === '' ? 0 : types.split(',').length)

/** What the code itself shows of each word. */
function typesOf(facts: readonly ArgumentFacts[]): string {
  const last = facts.at(-1)
  if (last === undefined) return ''
  const count = Number((last.offset - 4n) / 32n) + 1
  return Array.from({ length: Math.min(count, MAX_PARAMETERS) }, (_, i) => {
    const found = facts.find(({ offset }) => offset === 4n + BigInt(i) * 32n)
    return found?.kind === 'address' ? 'address' : found?.kind === 'boolean' ? 'bool' : 'uint256'
  }).join()
}

/**
 * Calls worth trying, gravest first: each kind of argument with what the code, and the trade,
 * suggest. `keys` are entries of mappings that a sale asks for.
 */
export function listChoices(
  parameters: readonly AbiParameter[],
  facts: readonly ArgumentFacts[],
  keys: readonly bigint[] = [],
): Choice[] {
  const has = (kind: Kind) => parameters.some((parameter) => kindsOf(parameter, 0).has(kind))
  const numbers = has('number')
    ? [...new Set([...NUMBERS.slice(0, 2), ...suggestedBy(facts), ...NUMBERS.slice(2)])]
    : [0n]
  const addresses = has('address') ? ADDRESSES : ADDRESSES.slice(0, 1)
  const flags = has('flag') ? [true, false] : [true]
  const numeric = parameters.filter((parameter) => kindsOf(parameter, 0).has('number')).length
  const focuses =
    numeric > 1 ? [undefined, ...Array.from({ length: Math.min(numeric, MAX_FOCUS) }, (_, i) => i)] : [undefined]
  const found: Choice[] = []
  for (const [round, [address, others]] of addresses.entries())
    for (const focus of focuses)
      for (const number of round === 0 ? numbers : numbers.slice(0, NUMBERS_OF_LATER_ADDRESSES))
        for (const flag of flags) found.push({ address, others, number, flag, ...(focus !== undefined && { focus }) })
  if (keys.length === 0 || !parameters.some(({ type }) => isWord(type))) return found.slice(0, MAX_CHOICES)
  const each = Math.ceil(MAX_CHOICES / (1 + keys.length))
  const named = keys.flatMap((word) => found.slice(0, each).map((choice) => ({ ...choice, word })))
  return [...named, ...found].slice(0, MAX_CHOICES)
}

const isWord = (type: string) => type === 'bytes32' || type === 'uint256'

/** The first address is the buyer's, with every number; others get the graver ones. */
const NUMBERS_OF_LATER_ADDRESSES = 4

/** Each constant that the code compares an argument with, and its neighbours. */
function suggestedBy(facts: readonly ArgumentFacts[]): bigint[] {
  const constants = facts.flatMap((argument) => argument.constants).filter((value) => value > 1n)
  return [...new Set(constants.flatMap((value) => [value, value - 1n, value + 1n]))].slice(0, MAX_SUGGESTED)
}

const MAX_SUGGESTED = 9

type Kind = 'address' | 'number' | 'flag' | 'other'

function kindsOf(parameter: AbiParameter, depth: number): Set<Kind> {
  const { type } = parameter
  if (depth > MAX_NESTING) return new Set(['other'])
  if (type.endsWith(']')) return kindsOf({ ...parameter, type: elementOf(type) }, depth + 1)
  if (type === 'address') return new Set(['address'])
  if (type === 'bool') return new Set(['flag'])
  if (/^u?int\d*$/.test(type)) return new Set(['number'])
  if ('components' in parameter) return new Set(parameter.components.flatMap((part) => [...kindsOf(part, depth + 1)]))
  return new Set(['other'])
}

const elementOf = (type: string) => type.slice(0, type.lastIndexOf('['))

/** Fills a choice in for those who stand on the stage. */
export function encodeChoice(
  { fork, buyer, market, token, hostile, fresh, baseline }: Stage,
  holder: Address,
  selector: Hex,
  parameters: readonly AbiParameter[],
  choice: Choice,
): Hex {
  const roles: Record<AddressRole, Address> = {
    ...{ buyer: buyer.context.trader.address, pool: market.pool.address, token, hostile, fresh, holder },
    router: market.venue.spender ?? fork.chain.wrappedNative,
  }
  let addresses = 0
  let numbers = 0
  let words = 0
  /** Finders of types do not tell a name from a number; names come first. */
  const namedWord = (type: string) => (isWord(type) && words++ === 0 ? (choice.word ?? 0n) : 0n)
  const numberFor = (bits: number, isSigned: boolean): bigint => {
    const isFocus = choice.focus === undefined || choice.focus === numbers
    numbers += 1
    const most = (1n << BigInt(isSigned ? bits - 1 : bits)) - 1n
    const value = isFocus ? amountOf(choice.number, most) : 0n
    return value > most ? most : value
  }
  const amountOf = (number: Choice['number'], most: bigint): bigint => {
    if (number === 'max') return most
    if (number === 'held') return buyer.held
    if (number === 'reserve') return baseline.ledger.pool ?? market.pool.tokenReserve
    if (number === 'inflation') return (baseline.ledger.supply ?? market.pool.tokenReserve) * INFLATION
    return number
  }
  const fillIn = (parameter: AbiParameter, depth: number): unknown => {
    const { type } = parameter
    if (type.endsWith(']') && depth <= MAX_NESTING) {
      const count = Number(/\[(\d*)\]$/.exec(type)?.[1] || 1)
      return Array.from({ length: Math.min(count, MAX_PARAMETERS) }, () =>
        fillIn({ ...parameter, type: elementOf(type) }, depth + 1),
      )
    }
    if (type === 'address') return roles[addresses++ === 0 ? choice.address : choice.others]
    if (type === 'bool') return choice.flag
    if (type === 'uint256' && words === 0 && choice.word !== undefined) return namedWord(type)
    const integer = /^(u?)int(\d*)$/.exec(type)
    if (integer) return numberFor(Number(integer[2] || 256), integer[1] === '')
    if ('components' in parameter) return parameter.components.map((part) => fillIn(part, depth + 1))
    if (type.startsWith('bytes') && type !== 'bytes') return toPaddedHex(namedWord(type), Number(type.slice(5)))
    return type === 'string' ? '' : '0x'
  }
  const values = parameters.map((parameter) => fillIn(parameter, 0))
  return `${selector}${encodeAbiParameters(parameters, values).slice(2)}`
}

/** So many times the supply is issued for no honest purpose. */
const INFLATION = 1_000n
