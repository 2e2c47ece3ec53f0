import { CLOCK_SYSVAR } from '../../src/solana/programs.js'
import type { ProxyAnswer } from '../fault-proxy/fault-proxy.js'

/** What a node answers instead of the truth, whatever it was asked. */
export type Lie = (honest: ProxyAnswer, params: readonly unknown[]) => ProxyAnswer

type Item = Record<string, unknown>

const isObject = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)
const isAtSlot = (result: unknown): result is { context: { slot: number }; value: unknown } =>
  isObject(result) && 'context' in result && 'value' in result

/** Changes what was asked for, and lets the slot stand that it was read at. */
const withValue = (honest: ProxyAnswer, change: (value: unknown) => unknown): ProxyAnswer => ({
  ...honest,
  result: isAtSlot(honest.result) ? { ...honest.result, value: change(honest.result.value) } : change(honest.result),
})

const ofList = (change: (list: unknown[]) => unknown): Lie => {
  return (honest) => withValue(honest, (value) => (Array.isArray(value) ? change(value) : value))
}

/** Changes each thing of an answer, or the one thing that it is. */
const ofEach = (change: (item: Item) => Item): Lie => {
  const one = (item: unknown) => (isObject(item) ? change(item) : item)
  return (honest) => withValue(honest, (value) => (Array.isArray(value) ? value.map(one) : one(value)))
}

/** Changes the data of accounts, wherever they are in an answer. */
const ofData = (change: (bytes: Buffer) => void): Lie => {
  const changed = (account: Item): Item => {
    if (!Array.isArray(account.data)) return account
    const bytes = Buffer.from(String(account.data[0]), 'base64')
    change(bytes)
    return { ...account, data: [bytes.toString('base64'), 'base64'] }
  }
  return ofEach((item) => (isObject(item.account) ? { ...item, account: changed(item.account) } : changed(item)))
}

const OTHER_OWNER = 'Vote111111111111111111111111111111111111111'
const OTHER_HASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const MINT_BYTES = 82
const HOLDING_BYTES = 165
const HOUR = 3_600n
const SLOTS_BEHIND = 9_000

/** As a mint of the token programs is, with extensions or without. */
const isMint = (bytes: Buffer) => bytes.length === MINT_BYTES || (bytes.length > HOLDING_BYTES && bytes[165] === 1)
const isHolding = (bytes: Buffer) =>
  bytes.length === HOLDING_BYTES || (bytes.length > HOLDING_BYTES && bytes[165] === 2 && bytes[108] !== 0)

/** An hour ago, by the slot of the answer and by the clock in it. */
const stale: Lie = (honest, [addresses]) => {
  const clockAt = Array.isArray(addresses) ? addresses.indexOf(CLOCK_SYSVAR) : -1
  const older = withValue(honest, (value) => {
    const clock = Array.isArray(value) && clockAt >= 0 ? (value[clockAt] as Item | null) : null
    if (!Array.isArray(value) || clock === null || !Array.isArray(clock.data)) return value
    const bytes = Buffer.from(String(clock.data[0]), 'base64')
    bytes.writeBigInt64LE(bytes.readBigInt64LE(32) - HOUR, 32)
    return value.with(clockAt, { ...clock, data: [bytes.toString('base64'), 'base64'] })
  })
  if (!isAtSlot(older.result)) return older
  return {
    ...older,
    result: { ...older.result, context: { slot: Math.max(1, older.result.context.slot - SLOTS_BEHIND) } },
  }
}

/** Whatever is a number, or a text of digits, is as large as it can be. */
function huge(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(huge)
  if (typeof value === 'number') return Number.MAX_SAFE_INTEGER
  if (typeof value === 'string') return /^\d+$/.test(value) ? String(2n ** 64n - 1n) : value
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, huge(each)])) : value
}

/** The kinds of lies: each may be told of any method. */
export const LIES: Readonly<Record<string, Lie>> = {
  null: (honest) => ({ ...honest, result: null }),
  'an empty list': ofList(() => []),
  'nothing there': (honest) => withValue(honest, (value) => (Array.isArray(value) ? value.map(() => null) : null)),
  'the first left out': ofList((list) => list.slice(1)),
  'the last left out': ofList((list) => list.slice(0, -1)),
  'every other left out': ofList((list) => list.filter((_, i) => i % 2 === 1)),
  'the first twice': ofList((list) => [...list.slice(0, 1), ...list]),
  'of others': ofList((list) => (list.length > 1 ? [...list.slice(1), list[0]] : list)),
  'an hour ago': stale,
  'huge numbers': (honest) => withValue(honest, huge),
  'another owner': ofEach((item) => {
    if (isObject(item.account)) return { ...item, account: { ...item.account, owner: OTHER_OWNER } }
    return 'owner' in item ? { ...item, owner: OTHER_OWNER } : item
  }),
  'no powers': ofData((bytes) => {
    // Neither who can make tokens nor who can freeze them.
    if (isMint(bytes)) bytes.fill(0, 0, 36).fill(0, 46, 82)
  }),
  'holders by another name': ofData((bytes) => {
    if (isHolding(bytes)) bytes[32] = (bytes[32] ?? 0) ^ 1
  }),
  'the middle turned round': ofData((bytes) => {
    for (let i = 32; i < Math.min(bytes.length, 72); i += 1) bytes[i] = ~(bytes[i] ?? 0)
  }),
  'data of zeros': ofData((bytes) => void bytes.fill(0)),
  'another word': (honest) => (typeof honest.result === 'string' ? { ...honest, result: OTHER_HASH } : honest),
  'it failed': ofEach((item) => ('err' in item ? { ...item, err: { InstructionError: [2, { Custom: 1 }] } } : item)),
  'it went well': ofEach((item) => ('err' in item ? { ...item, err: null } : item)),
}
