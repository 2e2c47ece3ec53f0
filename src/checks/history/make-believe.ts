import { type Address, ZERO_ADDRESS } from '../../hex.js'
import type { MakeBelieve, TransferRecord } from './history-report.js'

/**
 * Signs in the token's own events that it is made to look more alive than it is. They are worth a
 * look rather than a verdict: an airdrop is one sender's work as well.
 */
export function findMakeBelieve(transfers: readonly TransferRecord[], pool: Address | undefined): MakeBelieve[] {
  return [
    zeroValueTransfers(transfers),
    lookAlikeAddresses(transfers),
    oneSender(transfers, pool),
    fewAccounts(transfers, pool),
  ].filter((sign) => sign !== undefined)
}

/** Below this a share says nothing. */
const MIN_TRANSFERS = 20

const ZERO_VALUE_SHARE = 0.2

/**
 * Any address may move nothing from any other (EIP-20 demands it), and thereby write into its
 * history.
 */
function zeroValueTransfers(transfers: readonly TransferRecord[]): MakeBelieve | undefined {
  const empty = transfers.filter(({ value }) => value === 0n).length
  if (transfers.length < MIN_TRANSFERS || empty < transfers.length * ZERO_VALUE_SHARE) return undefined
  return {
    id: 'zero-value-transfers',
    description: `${empty} of ${transfers.length} transfers moved nothing.`,
  }
}

/**
 * Wallets shorten addresses to their ends; an address with the same ends is taken for the other. 32
 * bits do not agree by chance.
 */
const SHOWN_DIGITS = 4

/**
 * Address poisoning: an address with the same first and last digits as a real counterparty, which
 * only ever appears in empty transfers.
 */
function lookAlikeAddresses(transfers: readonly TransferRecord[]): MakeBelieve | undefined {
  const moved = new Set(transfers.filter(({ value }) => value > 0n).flatMap(({ from, to }) => [from, to]))
  const realByLook = new Map([...moved].map((account) => [lookOf(account), account]))
  const fake = transfers
    .filter(({ value }) => value === 0n)
    .flatMap(({ from, to }) => [from, to])
    .find((account) => isOrdinary(account) && !moved.has(account) && realByLook.has(lookOf(account)))
  if (fake === undefined) return undefined
  return {
    id: 'look-alike-addresses',
    description: `${fake} appears in empty transfers and looks like ${realByLook.get(lookOf(fake))}: copy no address from this history.`,
  }
}

const lookOf = (account: Address) => account.slice(2, 2 + SHOWN_DIGITS) + account.slice(-SHOWN_DIGITS)
const isOrdinary = (account: Address) => account !== ZERO_ADDRESS

const ONE_SENDER_SHARE = 0.8

/** Tokens handed out to many who never asked. */
function oneSender(transfers: readonly TransferRecord[], pool: Address | undefined): MakeBelieve | undefined {
  const [sender, sent] = most(transfers.map(({ from }) => from)) ?? [ZERO_ADDRESS, 0]
  if (sender === pool || transfers.length < MIN_TRANSFERS || sent < transfers.length * ONE_SENDER_SHARE)
    return undefined
  const receivers = new Set(transfers.filter(({ from }) => from === sender).map(({ to }) => to)).size
  if (receivers < sent / 2) return undefined
  const who = sender === ZERO_ADDRESS ? 'mints' : `transfers by ${sender}`
  return {
    id: 'one-sender',
    description: `${sent} of ${transfers.length} transfers are ${who}, to ${receivers} accounts: handed out rather than traded.`,
  }
}

const FEW_ACCOUNTS = 4

/** The same few sending to each other, or trading with the pool, over and over. */
function fewAccounts(transfers: readonly TransferRecord[], pool: Address | undefined): MakeBelieve | undefined {
  const accounts = new Set(transfers.flatMap(({ from, to }) => [from, to]))
  accounts.delete(ZERO_ADDRESS)
  if (pool !== undefined) accounts.delete(pool)
  if (transfers.length < MIN_TRANSFERS || accounts.size > FEW_ACCOUNTS) return undefined
  return {
    id: 'few-accounts',
    description: `All ${transfers.length} transfers are between ${accounts.size} accounts.`,
  }
}

function most(accounts: readonly Address[]): [Address, number] | undefined {
  const counts = new Map<Address, number>()
  for (const account of accounts) counts.set(account, (counts.get(account) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]
}
