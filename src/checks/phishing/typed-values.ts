import { ADDRESS_MASK, type Address, type Hex } from '../../hex.js'
import type { Json } from '../wallet-request.js'

/** A structure of typed data; every value in it is the stranger's own. */
export type Message = Readonly<Record<string, Json | undefined>>

/** Items of one list that are read; a signature that has more is said to be cut. */
export const MAX_ITEMS = 64
/**
 * From here on an amount means "all there is and will be": the largest numbers of the types that
 * permits use.
 */
const UNLIMITED = [ADDRESS_MASK, (1n << 96n) - 1n] as const

export function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const itemsOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value as Json]

/** One object or a list of them. */
export const listOf = (value: Json | undefined): Message[] => itemsOf(value).slice(0, MAX_ITEMS).filter(isObject)

/** Whether the list has more than are read. */
export const isCut = (value: Json | undefined): boolean => itemsOf(value).length > MAX_ITEMS

export function toAddress(value: Json | undefined): Address | undefined {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? (value.toLowerCase() as Address) : undefined
}

/** Wallets take numbers as JSON numbers, decimal text and hex. */
export function toNumber(value: Json | undefined): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === 'string' && /^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value) ? BigInt(value) : undefined
}

export function toBytes(value: Json | undefined): Hex | undefined {
  return typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value) ? (value.toLowerCase() as Hex) : undefined
}

/** An amount that cannot be read is taken for the worst. */
export function limitOf(amount: bigint | undefined): bigint | undefined {
  return amount === undefined || amount >= UNLIMITED[0] || amount === UNLIMITED[1] ? undefined : amount
}

/** Seconds; no calendar goes beyond. */
const MAX_TIME = 8_640_000_000_000n

/** When a right ends; `undefined` where it does not, or does not say. */
export function expiryOf(time: bigint | undefined): bigint | undefined {
  return time === undefined || time === 0n || time > MAX_TIME ? undefined : time
}
