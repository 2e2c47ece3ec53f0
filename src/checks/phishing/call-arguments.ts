import type { Hex } from '../../hex.js'

/**
 * A type of the contract ABI, as far as encoding needs it: `word` is any static type of one word.
 */
export type ArgumentType =
  | { kind: 'word'; type: string }
  | { kind: 'bytes' }
  | { kind: 'array'; item: ArgumentType; length: number | undefined }
  | { kind: 'tuple'; items: readonly ArgumentType[] }

/**
 * One value inside the arguments that can be chosen. Arrays have one element, or as many as their
 * type says.
 */
export interface Leaf {
  index: number
  /** `bytes` for everything of dynamic length, else the type's own name. */
  type: string
  /** It stands in a list without a length of its own. */
  isItem: boolean
}

/** The arguments of one function: how they are laid out, and what can be chosen in them. */
export interface ArgumentTemplate {
  leaves: readonly Leaf[]
  /** Writes the arguments with a value for each leaf: a number for words, bytes for the rest. */
  encode(values: readonly (bigint | Hex)[]): Hex
  /**
   * The same with so many elements in each list, or with bytes for each list of words: what reads
   * single bytes is told from a list by nothing. `undefined` where that asks for too many values.
   */
  withItems?(items: number | 'bytes'): ArgumentTemplate | undefined
}

/**
 * Words behind the last argument that was recognised: where a finder overlooked arguments, the code
 * still has something to read.
 */
export const SPARE_WORDS = 3
const MAX_TYPE_LENGTH = 2_000
const MAX_LEAVES = 48
const MAX_FIXED_LENGTH = 4
const MAX_DEPTH = 6

/**
 * Reads a list of types as evmole writes it, such as `address,(uint256,bytes)[],uint8`. `undefined`
 * for text that is no such list or asks for more values than a caller would pass.
 */
export function parseArguments(text: string): ArgumentTemplate | undefined {
  if (text.length > MAX_TYPE_LENGTH) return undefined
  const reader = { text, at: 0 }
  const types = text === '' ? [] : readList(reader, 0)
  if (types === undefined || reader.at !== text.length) return undefined
  const spare = Array.from({ length: SPARE_WORDS }, (): ArgumentType => ({ kind: 'word', type: 'uint256' }))
  return templateOf({ kind: 'tuple', items: [...types, ...spare] }, 1)
}

function templateOf(root: ArgumentType, count: number): ArgumentTemplate | undefined {
  const leaves: Leaf[] = []
  collect(root, leaves, { count, isItem: false })
  if (leaves.length > MAX_LEAVES) return undefined
  return {
    leaves,
    encode: (values) => `0x${encode(root, { values, next: 0, count })}`,
    withItems: (items) => (items === 'bytes' ? templateOf(asBytes(root), 1) : templateOf(root, items)),
  }
}

interface Reader {
  text: string
  at: number
}

function readList(reader: Reader, depth: number): ArgumentType[] | undefined {
  const types: ArgumentType[] = []
  for (;;) {
    const type = readType(reader, depth)
    if (type === undefined) return undefined
    types.push(type)
    if (reader.text[reader.at] !== ',') return types
    reader.at += 1
  }
}

function readType(reader: Reader, depth: number): ArgumentType | undefined {
  if (depth > MAX_DEPTH) return undefined
  let type = reader.text[reader.at] === '(' ? readTuple(reader, depth) : readName(reader)
  while (type !== undefined && reader.text[reader.at] === '[') {
    const match = /^\[(\d{0,2})\]/.exec(reader.text.slice(reader.at, reader.at + 5))
    if (match === null) return undefined
    reader.at += match[0].length
    const length = match[1] === '' ? undefined : Number(match[1])
    if (length !== undefined && (length === 0 || length > MAX_FIXED_LENGTH)) return undefined
    type = { kind: 'array', item: type, length }
  }
  return type
}

function readTuple(reader: Reader, depth: number): ArgumentType | undefined {
  reader.at += 1
  const items = readList(reader, depth + 1)
  if (items === undefined || reader.text[reader.at] !== ')') return undefined
  reader.at += 1
  return { kind: 'tuple', items }
}

function readName(reader: Reader): ArgumentType | undefined {
  const name = /^[a-z]+\d{0,3}/.exec(reader.text.slice(reader.at, reader.at + 12))?.[0]
  if (name === undefined) return undefined
  reader.at += name.length
  return name === 'bytes' || name === 'string' ? { kind: 'bytes' } : { kind: 'word', type: name }
}

/** The type with bytes in place of its lists of words. */
function asBytes(type: ArgumentType): ArgumentType {
  if (type.kind === 'tuple') return { kind: 'tuple', items: type.items.map(asBytes) }
  if (type.kind !== 'array') return type
  if (type.length === undefined && type.item.kind === 'word') return { kind: 'bytes' }
  return { ...type, item: asBytes(type.item) }
}

/** `count`: elements of lists without a length of their own; `isItem`: the type is one of them. */
function collect(type: ArgumentType, leaves: Leaf[], lists: { count: number; isItem: boolean }): void {
  if (leaves.length > MAX_LEAVES) return
  const { isItem, count } = lists
  if (type.kind === 'word') leaves.push({ index: leaves.length, type: type.type, isItem })
  if (type.kind === 'bytes') leaves.push({ index: leaves.length, type: 'bytes', isItem })
  if (type.kind === 'tuple') for (const item of type.items) collect(item, leaves, lists)
  if (type.kind !== 'array') return
  const inside = { count, isItem: isItem || type.length === undefined }
  for (let i = 0; i < (type.length ?? count); i += 1) collect(type.item, leaves, inside)
}

function isDynamic(type: ArgumentType): boolean {
  if (type.kind === 'bytes') return true
  if (type.kind === 'tuple') return type.items.some(isDynamic)
  return type.kind === 'array' && (type.length === undefined || isDynamic(type.item))
}

const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')

/** What is to be written: values up to `next` have been, and lists have `count` elements. */
interface Writing {
  values: readonly (bigint | Hex)[]
  next: number
  count: number
}

/** Hex digits of one value, by the ABI specification's head and tail. */
function encode(type: ArgumentType, writing: Writing): string {
  if (type.kind === 'word') {
    const value = writing.values[writing.next++]
    return word(typeof value === 'bigint' ? value : BigInt(value ?? 0n))
  }
  if (type.kind === 'bytes') {
    const value = writing.values[writing.next++]
    const digits = typeof value === 'string' ? value.slice(2) : ''
    return word(BigInt(digits.length / 2)) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
  }
  if (type.kind === 'tuple') return encodeAll(type.items, writing)
  const count = type.length ?? writing.count
  const items = Array.from({ length: count }, () => type.item)
  return (type.length === undefined ? word(BigInt(count)) : '') + encodeAll(items, writing)
}

function encodeAll(types: readonly ArgumentType[], writing: Writing): string {
  const parts = types.map((type) => ({ dynamic: isDynamic(type), digits: encode(type, writing) }))
  const headBytes = parts.reduce((sum, { dynamic, digits }) => sum + (dynamic ? 32 : digits.length / 2), 0)
  let tailBytes = 0
  const heads: string[] = []
  const tails: string[] = []
  for (const { dynamic, digits } of parts) {
    heads.push(dynamic ? word(BigInt(headBytes + tailBytes)) : digits)
    if (!dynamic) continue
    tails.push(digits)
    tailBytes += digits.length / 2
  }
  return heads.join('') + tails.join('')
}
