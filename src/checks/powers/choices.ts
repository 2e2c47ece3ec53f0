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
 * suggest. `keys` are entries of mappings that a sale asks for, each by its keys, the outer first;
 * `positions` are places in lists at which a buyer may stand.
 */
export function listChoices(
  parameters: readonly AbiParameter[],
  facts: readonly ArgumentFacts[],
  keys: readonly (readonly bigint[])[] = [],
  positions: readonly bigint[] = [],
): Choice[] {
  const has = (kind: Kind) => parameters.some((parameter) => kindsOf(parameter, 0).has(kind))
  const numbers = has('number')
    ? [...new Set([...NUMBERS.slice(0, 2), ...positions, ...suggestedBy(facts), ...NUMBERS.slice(2)])]
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
  const entries = keys.map((each) => fixKeys(parameters, each)).filter(({ length }) => length > 0)
  if (entries.length === 0) return found.slice(0, MAX_CHOICES)
  const each = Math.ceil(MAX_CHOICES / (1 + entries.length))
  const named = entries.flatMap((fixed) => found.slice(0, each).map((choice) => ({ ...choice, fixed })))
  // A function that refuses this entry alone is seen to take another one before it is given up.
  const first = [...named.slice(0, NAMED_AT_FIRST), ...found.slice(0, UNNAMED_AT_FIRST)]
  return [...first, ...named.slice(NAMED_AT_FIRST), ...found.slice(UNNAMED_AT_FIRST)].slice(0, MAX_CHOICES)
}

const NAMED_AT_FIRST = 8
const UNNAMED_AT_FIRST = 4
/** Larger numbers are names, and hashes of names. */
const ADDRESSES_END = 1n << 160n
/** Smaller numbers are no accounts. */
const LEAST_ADDRESS = 1n << 120n

/** The arguments by which a call names an entry: each key the first one that it fits. */
export function fixKeys(parameters: readonly AbiParameter[], keys: readonly bigint[]): NonNullable<Choice['fixed']> {
  const fixed = new Map<number, bigint>()
  for (const key of keys) {
    const at = parameters.findIndex(({ type }, index) => !fixed.has(index) && fits(type, key))
    if (at >= 0) fixed.set(at, key)
  }
  return [...fixed]
}

function fits(type: string, key: bigint): boolean {
  if (type === 'address') return key >= LEAST_ADDRESS && key < ADDRESSES_END
  if (type === 'bytes32') return true
  const bits = /^uint(\d+)$/.exec(type)?.[1]
  return bits !== undefined && key >> BigInt(bits) === 0n
}

/** An argument of one word that is to be this. */
export const fixArgument = (choice: Choice, index: number, word: bigint): Choice => ({
  ...choice,
  fixed: [...(choice.fixed ?? []).filter(([other]) => other !== index), [index, word]],
})

/** Whether the argument is one word of the call data. */
export const isOneWord = (type: string | undefined) => /^(address|bool|u?int\d*|bytes\d+)$/.test(type ?? '')

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
  stage: Stage,
  holder: Address,
  selector: Hex,
  parameters: readonly AbiParameter[],
  choice: Choice,
): Hex {
  const { fork, buyer, market, token, hostile, fresh, baseline } = stage
  const roles: Record<AddressRole, Address> = {
    ...{ buyer: buyer.context.trader.address, pool: market.pool.address, token, hostile, fresh, holder },
    router: market.venue.spender ?? fork.chain.wrappedNative,
  }
  let addresses = 0
  let numbers = 0
  const fixed = new Map(choice.fixed)
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
      const count = Number(/\[(\d*)\]$/.exec(type)?.[1] || (choice.count ?? 1))
      return Array.from({ length: Math.min(count, MAX_PARAMETERS) }, () =>
        fillIn({ ...parameter, type: elementOf(type) }, depth + 1),
      )
    }
    if (type === 'address') return roles[addresses++ === 0 ? choice.address : choice.others]
    if (type === 'bool') return choice.flag
    const integer = /^(u?)int(\d*)$/.exec(type)
    if (integer) return numberFor(Number(integer[2] || 256), integer[1] === '')
    if ('components' in parameter) return parameter.components.map((part) => fillIn(part, depth + 1))
    if (type.startsWith('bytes') && type !== 'bytes') return toPaddedHex(0n, Number(type.slice(5)))
    return type === 'string' ? '' : encodeCall(stage, choice.call)
  }
  const values = parameters.map((parameter, index) => {
    const word = fixed.get(index)
    const { type } = parameter
    if (word === undefined) return fillIn(parameter, 0)
    if (type === 'bytes') return toPaddedHex(word << WORD_BITS, 64)
    if (/int/.test(type)) numbers += 1
    if (isOneWord(type)) return toArgument(type, word)
    return type.endsWith('[]') && isOneWord(elementOf(type))
      ? [toArgument(elementOf(type), word)]
      : fillIn(parameter, 0)
  })
  return `${selector}${encodeAbiParameters(parameters, values).slice(2)}`
}

const WORD_BITS = 256n

/** A call that the token makes of itself. */
function encodeCall(stage: Stage, call: Choice['call']): Hex {
  const parameters = call && readParameters(call.types, [])
  return call && parameters ? encodeChoice(stage, stage.token, call.selector, parameters, call.choice) : '0x'
}

/** A word of call data as the type that it is read as. */
function toArgument(type: string, word: bigint): unknown {
  if (type === 'address') return toPaddedHex(word & (ADDRESSES_END - 1n), 20)
  if (type === 'bool') return word !== 0n
  if (type.startsWith('bytes')) return toPaddedHex(word, 32).slice(0, 2 + 2 * Number(type.slice(5)))
  const [, sign, bits] = /^(u?)int(\d*)$/.exec(type) ?? []
  const width = Number(bits || 256)
  return sign === 'u' ? BigInt.asUintN(width, word) : BigInt.asIntN(width, word)
}

/** So many times the supply is issued for no honest purpose. */
const INFLATION = 1_000n
