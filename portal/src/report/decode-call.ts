import { FUNCTIONS } from './call-names.js'

/** What stands in call data: a number, an address, a truth, bytes, or several of these. */
export type Value =
  | { kind: 'number'; value: bigint }
  | { kind: 'address'; value: string }
  | { kind: 'truth'; value: boolean }
  | { kind: 'bytes'; value: string }
  | { kind: 'list'; values: Argument[]; omitted: number }

export interface Argument {
  /** Empty where the function's signature names none. */
  name: string
  value: Value
}

export interface DecodedCall {
  arguments: Argument[]
  /** Empty where the call failed, or where what it gave back is none of what the signature says. */
  results: Argument[]
  /** Without a known signature: the words of the data, as what they look like. */
  isGuess: boolean
}

interface Parameter {
  name: string
  type: string
  /** Of a tuple. */
  parts: Parameter[]
}

/** Longer lists are for the raw answer. A hostile length is just a number here. */
const MAX_ITEMS = 12
/** Hex digits of a word. */
const WORD = 64

/** What a call was given and gave back. The data is a stranger's: what does not fit is not told. */
export function decodeCall(input: string, output: string): DecodedCall | undefined {
  if (input === '0x' || input === '') return { arguments: [], results: [], isGuess: false }
  const data = input.slice(10).toLowerCase()
  const signature = FUNCTIONS[input.slice(0, 10).toLowerCase()]
  if (signature === undefined) {
    const words = guess(data)
    return words === undefined ? undefined : { arguments: words, results: guess(output.slice(2)) ?? [], isGuess: true }
  }
  const [, given = '', returned = ''] = /^\w+\((.*?)\)(?: returns \((.*)\))?$/.exec(signature) ?? []
  const values = decode(parseParameters(given), data)
  if (values === undefined) return undefined
  return {
    arguments: values,
    results: decode(parseParameters(returned), output.slice(2).toLowerCase()) ?? [],
    isGuess: false,
  }
}

/** Splits at the commas that are in no bracket: `address to,(uint256 a,bytes b) order`. */
function parseParameters(text: string): Parameter[] {
  const found: Parameter[] = []
  let [depth, start] = [0, 0]
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text[at] ?? ','
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign !== ',' || depth > 0) continue
    const one = text.slice(start, at).trim()
    start = at + 1
    if (one !== '') found.push(parseParameter(one))
  }
  return found
}

function parseParameter(text: string): Parameter {
  const [, inner, suffix = '', name = ''] = /^(?:\((.*)\)|\w+)(\[\])? ?(\w*)$/.exec(text) ?? []
  const type = inner === undefined ? (/^\w+/.exec(text)?.[0] ?? '') : 'tuple'
  return { name, type: `${type}${suffix}`, parts: inner === undefined ? [] : parseParameters(inner) }
}

const isDynamic = ({ type, parts }: Parameter): boolean =>
  type === 'bytes' || type.endsWith('[]') || parts.some(isDynamic)

const wordsOf = (parameter: Parameter): number =>
  isDynamic(parameter) || parameter.type !== 'tuple' ? 1 : parameter.parts.reduce((sum, part) => sum + wordsOf(part), 0)

/** Values of a frame that begins where `data` does; `undefined` where the data is too short. */
function decode(parameters: readonly Parameter[], data: string): Argument[] | undefined {
  const found: Argument[] = []
  let at = 0
  for (const parameter of parameters) {
    const place = isDynamic(parameter) ? placeAt(data, at) : at
    const value = place === undefined ? undefined : decodeValue(parameter, data.slice(place))
    if (value === undefined) return undefined
    found.push({ name: parameter.name, value })
    at += wordsOf(parameter) * WORD
  }
  return found
}

function decodeValue({ type, parts }: Parameter, data: string): Value | undefined {
  if (type.endsWith('[]')) return decodeList({ name: '', type: type.slice(0, -2), parts }, data)
  if (type === 'tuple') {
    const values = decode(parts, data)
    return values && { kind: 'list', values, omitted: 0 }
  }
  const word = wordAt(data, 0)
  if (word === undefined) return undefined
  if (type === 'bytes') {
    const digits = lengthOf(word) * 2
    return data.length < WORD + digits ? undefined : { kind: 'bytes', value: `0x${data.slice(WORD, WORD + digits)}` }
  }
  if (type === 'address') return { kind: 'address', value: `0x${word.slice(24)}` }
  const number = BigInt(`0x${word}`)
  if (type === 'bool') return { kind: 'truth', value: number !== 0n }
  return { kind: 'number', value: type.startsWith('int') ? BigInt.asIntN(256, number) : number }
}

function decodeList(item: Parameter, data: string): Value | undefined {
  const length = wordAt(data, 0)
  if (length === undefined) return undefined
  const count = lengthOf(length)
  const shown = Math.min(count, MAX_ITEMS)
  const values = decode(
    Array.from({ length: shown }, () => item),
    data.slice(WORD),
  )
  return values && { kind: 'list', values, omitted: count - shown }
}

const wordAt = (data: string, at: number): string | undefined => {
  const word = data.slice(at, at + WORD)
  return /^[0-9a-f]{64}$/.test(word) ? word : undefined
}

/** A length or a place; one that no data has is infinite, and so beyond every end. */
const lengthOf = (word: string): number => (/^0{52}/.test(word) ? Number.parseInt(word, 16) : Number.POSITIVE_INFINITY)

function placeAt(data: string, at: number): number | undefined {
  const word = wordAt(data, at)
  const place = word === undefined ? Number.POSITIVE_INFINITY : lengthOf(word) * 2
  return place < data.length ? place : undefined
}

/** Numbers below this are amounts, counts and times more often than addresses. */
const LEAST_ADDRESS = 1n << 120n

/** Whole words alone, each as what it looks like. */
function guess(data: string): Argument[] | undefined {
  if (data.length % WORD !== 0 || data.length > MAX_ITEMS * WORD) return undefined
  const words = data.toLowerCase().match(/[0-9a-f]{64}/g) ?? []
  return words.length * WORD === data.length ? words.map((word) => ({ name: '', value: guessWord(word) })) : undefined
}

function guessWord(word: string): Value {
  const number = BigInt(`0x${word}`)
  if (number >= LEAST_ADDRESS && number < 1n << 160n) return { kind: 'address', value: `0x${word.slice(24)}` }
  return number >= 1n << 160n && number !== MAX_WORD
    ? { kind: 'bytes', value: `0x${word}` }
    : { kind: 'number', value: number }
}

/** What stands for "all" in approvals. */
export const MAX_WORD = (1n << 256n) - 1n
