import type { Address } from '../../hex.js'
import type { Approval } from './wallet-report.js'
import type { Json, TypedData } from './wallet-request.js'

/** What a signature would allow, as far as the kind of its message is known. */
export interface SignedIntent {
  /** Who signs, where the message says so. */
  signer: Address | undefined
  approvals: readonly Approval[]
  /** A sale for next to nothing: what the signer would get, in words. */
  zeroPrice: string | undefined
  /** `false`: what such a message means is not known here. */
  isKnown: boolean
}

/** Orders in one signature: a bulk order is a tree of them. */
const MAX_ORDERS = 64
const MAX_ITEMS = 64
const MAX_TREE_NODES = 4_096
/**
 * From here on an amount means "all there is and will be": the largest numbers of the types that
 * permits use.
 */
const UNLIMITED = [(1n << 160n) - 1n, (1n << 96n) - 1n]
/**
 * Less of a coin than stands on any price tag: a millionth, and a hundredth of a dollar with six
 * decimals.
 */
const DUST_WEI = 1_000_000_000_000n
const DUST_TOKENS = 10_000n

/**
 * Reads permits (EIP-2612, DAI), Permit2's permissions, and orders of Seaport. Never throws,
 * whatever the message is.
 */
export function readTypedData({ domain, primaryType, message }: TypedData): SignedIntent {
  const verifier = toAddress(domain.verifyingContract)
  if (primaryType === 'Permit') return readPermit(message, verifier)
  if (/^Permit(Single|Batch)$/.test(primaryType)) return readPermit2Allowance(message)
  if (/^Permit(Batch)?(Witness)?TransferFrom$/.test(primaryType)) return readPermit2Transfer(message)
  if (primaryType === 'OrderComponents' || primaryType === 'BulkOrder') return readOrders(message)
  return { ...NOTHING, isKnown: false }
}

const NOTHING: SignedIntent = { signer: undefined, approvals: [], zeroPrice: undefined, isKnown: true }

type Message = Readonly<Record<string, Json | undefined>>

function readPermit(message: Message, token: Address | undefined): SignedIntent {
  const spender = toAddress(message.spender)
  const signer = toAddress(message.owner) ?? toAddress(message.holder)
  if (spender === undefined) return { ...NOTHING, signer, isKnown: false }
  const isDai = message.holder !== undefined
  // DAI's permit takes the allowance back when `allowed` is false.
  if (isDai && message.allowed !== true && message.allowed !== 'true') return { ...NOTHING, signer }
  const amount = isDai ? undefined : limitOf(toNumber(message.value))
  const expires = expiryOf(toNumber(isDai ? message.expiry : message.deadline))
  return { ...NOTHING, signer, approvals: [{ kind: 'permit', token, spender, amount, expires }] }
}

function readPermit2Allowance({ details, spender }: Message): SignedIntent {
  const taker = toAddress(spender)
  if (taker === undefined) return { ...NOTHING, isKnown: false }
  const approvals = listOf(details).map(({ token, amount, expiration }): Approval => {
    const expires = expiryOf(toNumber(expiration))
    return { kind: 'permit2', token: toAddress(token), spender: taker, amount: limitOf(toNumber(amount)), expires }
  })
  return { ...NOTHING, approvals }
}

function readPermit2Transfer({ permitted, spender, deadline }: Message): SignedIntent {
  const taker = toAddress(spender)
  if (taker === undefined) return { ...NOTHING, isKnown: false }
  const expires = expiryOf(toNumber(deadline))
  const approvals = listOf(permitted).map(({ token, amount }): Approval => {
    return { kind: 'permit2', token: toAddress(token), spender: taker, amount: limitOf(toNumber(amount)), expires }
  })
  return { ...NOTHING, approvals }
}

/** Seaport's item types: the native coin, EIP-20, and beyond them NFTs in four kinds. */
const NATIVE = 0n
const ERC20 = 1n

function readOrders(message: Message): SignedIntent {
  const orders = flattenOrders(message)
  const signer = orders.map(({ offerer }) => toAddress(offerer)).find((each) => each !== undefined)
  const cheap = orders.find(isForNothing)
  const zeroPrice = cheap === undefined ? undefined : priceInWords(cheap)
  return { ...NOTHING, signer, zeroPrice, isKnown: orders.length > 0 }
}

/**
 * The order itself, or the leaves of a bulk order's tree; what only fills the tree up names no
 * account.
 */
function flattenOrders(message: Message): Message[] {
  if (message.offerer !== undefined) return [message]
  const orders: Message[] = []
  const open: (Json | undefined)[] = [message.tree]
  for (let seen = 0; open.length > 0 && seen < MAX_TREE_NODES && orders.length < MAX_ORDERS; seen += 1) {
    const node = open.shift()
    if (Array.isArray(node)) open.push(...node.slice(0, MAX_ITEMS))
    else if (isObject(node) && toNumber(node.offerer) !== 0n) orders.push(node)
  }
  return orders
}

function isForNothing(order: Message): boolean {
  const signer = toAddress(order.offerer)
  if (signer === undefined || listOf(order.offer).length === 0) return false
  return !receivedBy(order, signer).some(isWorthSomething)
}

const receivedBy = (order: Message, signer: Address) =>
  listOf(order.consideration).filter(({ recipient }) => toAddress(recipient) === signer)

function isWorthSomething({ itemType, startAmount, endAmount }: Message): boolean {
  const type = toNumber(itemType)
  // A price may move from the one amount to the other while the order stands.
  const amounts = [toNumber(startAmount) ?? 0n, toNumber(endAmount) ?? 0n]
  const least = type === NATIVE ? DUST_WEI : type === ERC20 ? DUST_TOKENS : 1n
  return amounts.every((amount) => amount >= least)
}

function priceInWords(order: Message): string {
  const signer = toAddress(order.offerer)
  return signer !== undefined && receivedBy(order, signer).length > 0 ? 'next to nothing' : 'nothing'
}

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One object or a list of them. */
function listOf(value: Json | undefined): Message[] {
  const items: readonly Json[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return items.slice(0, MAX_ITEMS).filter(isObject)
}

function toAddress(value: Json | undefined): Address | undefined {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? (value.toLowerCase() as Address) : undefined
}

/** Wallets take numbers as JSON numbers, decimal text and hex. */
function toNumber(value: Json | undefined): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === 'string' && /^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value) ? BigInt(value) : undefined
}

/** An amount that cannot be read is taken for the worst. */
function limitOf(amount: bigint | undefined): bigint | undefined {
  return amount === undefined || amount > (UNLIMITED[0] ?? 0n) - 1n || amount === UNLIMITED[1] ? undefined : amount
}

/** Seconds; no calendar goes beyond. */
const MAX_TIME = 8_640_000_000_000n

function expiryOf(time: bigint | undefined): bigint | undefined {
  return time === undefined || time === 0n || time > MAX_TIME ? undefined : time
}
