/**
 * Where a value may come from: a word of call data, what a call returned, the world outside, or
 * some bits of a storage variable. How a source is spelled is known here alone; a text keeps sets
 * of sources cheap to compare, and lets them go between threads.
 */
export type Source = string & { readonly [brand]: true }
declare const brand: unique symbol

const ENVIRONMENT = 'env:'
const STORED = 'store:'

const of = (text: string) => text as Source

/** The result of an opcode that says something about the world outside, by its mnemonic. */
export const environmentSource = (opcode: string): Source => of(`${ENVIRONMENT}${opcode}`)

/** Sources that there is one of. */
export const SOURCE = {
  /** The first word of call data, which holds the selector. */
  selector: of('selector'),
  /** Call data at a place that is computed. */
  anyArgument: of('arg:*'),
  caller: environmentSource('CALLER'),
  origin: environmentSource('ORIGIN'),
  timestamp: environmentSource('TIMESTAMP'),
  blockNumber: environmentSource('NUMBER'),
  callValue: environmentSource('CALLVALUE'),
  selfBalance: environmentSource('SELFBALANCE'),
} as const

/** The word of call data at this offset in bytes; the first argument is at 4. */
export const argumentSource = (offset: number | bigint): Source => of(`arg:${offset}`)

/** What the call at this place in the code returned. */
export const callSource = (pc: number): Source => of(`call:${pc}`)

/** Some bits of a variable; the whole word without them. */
export const storageSource = (variable: string, bits?: { shift: number | bigint; width: number }): Source =>
  of(bits === undefined ? `${STORED}${variable}` : `${STORED}${variable}.${bits.shift}.${bits.width}`)

/** The name of what is stored under a key whose shape is not known. */
export const UNKNOWN_VARIABLE = '?'
/** What is stored under a key whose shape is not known. */
export const UNKNOWN_STORAGE = storageSource(UNKNOWN_VARIABLE)

export const fromArgument = (source: Source): boolean => source.startsWith('arg:')
export const fromEnvironment = (source: Source): boolean => source.startsWith(ENVIRONMENT)
export const fromCall = (source: Source): boolean => source.startsWith('call:')
export const fromStorage = (source: Source): boolean => source.startsWith(STORED)

/** The mnemonic of the opcode that a source of the environment names. */
export const opcodeOf = (source: Source): string => source.slice(ENVIRONMENT.length)

/** The variable that a source of storage names, without the bits of it; `''` for other sources. */
export const variableOf = (source: Source): string =>
  fromStorage(source) ? (source.slice(STORED.length).split('.', 1)[0] ?? '') : ''

/** A stored source for people: the variable, and the bits where it is not the whole word. */
export const nameOfStored = (source: Source): string => source.slice(STORED.length)

/** Some bits of a variable. */
export interface FieldBits {
  variable: string
  shift: number
  width: number
}

/** The variable and the bits that a source of storage names. */
export function fieldOfSource(source: Source): FieldBits | undefined {
  if (!fromStorage(source)) return undefined
  const [variable = '', shift = 0, width = 256] = source.slice(STORED.length).split('.')
  return { variable, shift: Number(shift), width: Number(width) }
}
