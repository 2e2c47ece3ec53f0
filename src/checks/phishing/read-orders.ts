import type { Address } from '../../hex.js'
import type { Json } from '../wallet-request.js'
import { NOTHING_SIGNED, type SignedIntent } from './signed-intent.js'
import { expiryOf, isCut, isObject, listOf, MAX_ITEMS, type Message, toAddress, toNumber } from './typed-values.js'
import type { Right, Transfer } from './wallet-report.js'

/** Orders in one signature: a bulk order is a tree of them. */
const MAX_ORDERS = 64
const MAX_TREE_NODES = 4_096
/**
 * Less of a coin than stands on any price tag: a millionth, and a hundredth of a dollar with six
 * decimals.
 */
const DUST_WEI = 1_000_000_000_000n
const DUST_TOKENS = 10_000n

/** Seaport's item types: the native coin, EIP-20, and beyond them NFTs, from 4 on of any number. */
const NATIVE = 0n
const ERC20 = 1n
const ANY_NUMBER = 4n

/** What an order of Seaport, or a tree of them, sells, and what the signer has of it. */
export function readOrders(message: Message, exchange: Address | undefined): SignedIntent {
  const { orders, isWhole } = flattenOrders(message)
  const signer = orders.map(({ offerer }) => toAddress(offerer)).find((each) => each !== undefined)
  const cheap = orders.find(isForNothing)
  return {
    ...NOTHING_SIGNED,
    signer,
    approvals: exchange === undefined ? [] : orders.flatMap((order) => rightsOf(order, exchange)),
    leaves: orders.flatMap(({ offer }) => listOf(offer).map((item) => toTransfer(item, 'most'))),
    arrives: orders.flatMap((order) =>
      receivedBy(order, toAddress(order.offerer)).map((item) => toTransfer(item, 'least')),
    ),
    zeroPrice: cheap === undefined ? undefined : priceInWords(cheap),
    isKnown: orders.length > 0,
    isCut: !isWhole,
  }
}

/**
 * The order itself, or the leaves of a bulk order's tree; what only fills the tree up names no
 * account.
 */
function flattenOrders(message: Message): { orders: Message[]; isWhole: boolean } {
  if (message.offerer !== undefined) return { orders: [message], isWhole: isWholeOrder(message) }
  const orders: Message[] = []
  const open: (Json | undefined)[] = [message.tree]
  let isWhole = true
  for (let seen = 0; open.length > 0 && seen < MAX_TREE_NODES && orders.length < MAX_ORDERS; seen += 1) {
    const node = open.shift()
    if (Array.isArray(node)) {
      open.push(...node.slice(0, MAX_ITEMS))
      isWhole &&= node.length <= MAX_ITEMS
    } else if (isObject(node) && toNumber(node.offerer) !== 0n) {
      orders.push(node)
      isWhole &&= isWholeOrder(node)
    }
  }
  return { orders, isWhole: isWhole && open.length === 0 }
}

const isWholeOrder = ({ offer, consideration }: Message) => !isCut(offer) && !isCut(consideration)

function isForNothing(order: Message): boolean {
  const signer = toAddress(order.offerer)
  if (signer === undefined || listOf(order.offer).length === 0) return false
  return !receivedBy(order, signer).some(isWorthSomething)
}

const receivedBy = (order: Message, signer: Address | undefined) =>
  listOf(order.consideration).filter(({ recipient }) => signer !== undefined && toAddress(recipient) === signer)

/** A price may move from the one amount to the other while the order stands. */
const amountsOf = ({ startAmount, endAmount }: Message) => [toNumber(startAmount) ?? 0n, toNumber(endAmount) ?? 0n]

function isWorthSomething(item: Message): boolean {
  const type = toNumber(item.itemType)
  const least = type === NATIVE ? DUST_WEI : type === ERC20 ? DUST_TOKENS : 1n
  return amountsOf(item).every((amount) => amount >= least)
}

function priceInWords(order: Message): string {
  return receivedBy(order, toAddress(order.offerer)).length > 0 ? 'next to nothing' : 'nothing'
}

function toTransfer(item: Message, which: 'most' | 'least'): Transfer {
  const amounts = amountsOf(item).toSorted((a, b) => (a < b ? -1 : 1))
  const amount = (which === 'most' ? amounts.at(-1) : amounts[0]) ?? 0n
  const token = toNumber(item.itemType) === NATIVE ? undefined : toAddress(item.token)
  return { token, amount, id: numberOf(item), counterparty: undefined }
}

function numberOf({ itemType, identifierOrCriteria }: Message): bigint | undefined {
  const type = toNumber(itemType) ?? NATIVE
  return type > ERC20 && type < ANY_NUMBER ? toNumber(identifierOrCriteria) : undefined
}

/** Until the order ends, any account may have what it offers, at its price. */
function rightsOf({ offer, endTime }: Message, exchange: Address): Right[] {
  const expires = expiryOf(toNumber(endTime))
  return listOf(offer).map((item) => {
    const { token, amount, id } = toTransfer(item, 'most')
    return { kind: 'order', token, spender: exchange, amount, id, expires }
  })
}
