import type { TradeContext } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import type { Decisions } from '../../evm/inspectors/decisions.js'
import type { StorageAccess } from '../../evm/inspectors/storage-access.js'
import type { MappingEntry } from '../../evm/inspectors/term.js'
import type { Address, Hex } from '../../hex.js'
import type { SolanaAddress } from '../../solana/address.js'
import { readBalanceWordsOf } from '../conditions/balance-words.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { leavesOf } from '../conditions/conditions.js'

/**
 * What a word means for the verdict. `decides`: the token's side reads it in an ordinary trade, and
 * no trade changes it. `moves`: it reads it, and each trade changes it. `liquidity`: what the pool
 * has of the coin. `guards`: it says who may call a privileged function.
 */
export const WORD_ROLES = ['decides', 'guards', 'liquidity', 'moves'] as const
export type WordRole = (typeof WORD_ROLES)[number]

/** A word of storage that a verdict stands on, with its value at the block of the verdict. */
export interface Word {
  /** On Solana an account, of which the words are those of `solana/account-words.ts`. */
  address: Address | SolanaAddress
  slot: bigint
  value: bigint
  role: WordRole
}

/** Code that a verdict stands on. */
export interface Code {
  address: Address
  hash: Hex
}

/** What a verdict stands on. */
export interface Dependencies {
  words: readonly Word[]
  codes: readonly Code[]
  /** There is more than is kept: what is here does not tell every change. */
  isTruncated: boolean
}

/** Words of one trade that are kept; an ordinary token has a dozen, a large one a hundred. */
const MAX_WORDS = 300
/** Codes of one trade: proxy, logic, libraries, and contracts that the token asks. */
const MAX_CODES = 24

/** What was seen of one purchase and of the sale of what it brought. */
export interface SeenTrades {
  decisions: readonly Pick<Decisions, 'branches' | 'isTruncated'>[]
  /** In the order of time. */
  storage: readonly StorageAccess[]
}

/**
 * Storage and code on the token's side that an ordinary purchase and sale were computed from: as
 * long as none of it changes, another one in the same state of the market comes out the same.
 * Words that the token keeps for the invented trader alone are left out.
 */
export function findTradeDependencies(context: TradeContext, { decisions, storage }: SeenTrades): Dependencies {
  const isOurs = isCodeOfToken(context)
  const isOwn = createIsOwn(context, decisions)
  const values = firstValues(storage)
  const written = new Set(storage.flatMap(({ writes }) => placesOf(writes)))
  const words: Word[] = []
  for (const [address, slots] of values) {
    if (!isOurs(address)) continue
    for (const [slot, value] of slots) {
      const place = placeOf(address, slot)
      if (!isOwn(place)) words.push({ address, slot, value, role: written.has(place) ? 'moves' : 'decides' })
    }
  }
  const codes = new Set([context.market.pool.token])
  for (const { branches } of decisions)
    for (const { address, codeAddress } of branches)
      if (isOurs(address) && isOurs(codeAddress)) for (const each of [address, codeAddress]) codes.add(each)
  const kept = [
    ...words.filter(isDeciding),
    ...liquidityOf(context, values),
    ...words.filter((word) => !isDeciding(word)),
  ]
  return {
    words: kept.slice(0, MAX_WORDS),
    codes: [...codes].slice(0, MAX_CODES).map((address) => ({
      address,
      hash: context.fork.evm.account(address).codeHash,
    })),
    isTruncated:
      kept.length > MAX_WORDS ||
      codes.size > MAX_CODES ||
      storage.some((each) => each.isTruncated) ||
      decisions.some((each) => each.isTruncated),
  }
}

const isDeciding = ({ role }: Word) => role === 'decides'

const placeOf = (address: Address, slot: bigint) => `${address} ${slot}`

const placesOf = (words: StorageAccess['writes']) =>
  [...words].flatMap(([address, slots]) => [...slots.keys()].map((slot) => placeOf(address, slot)))

/** What each word that was read held before any of the trades. */
function firstValues(storage: readonly StorageAccess[]): Map<Address, Map<bigint, bigint>> {
  const before = new Map<string, bigint>()
  const values = new Map<Address, Map<bigint, bigint>>()
  for (const { reads, writes } of storage) {
    for (const [address, slots] of reads) {
      const known = values.get(address) ?? new Map<bigint, bigint>()
      values.set(address, known)
      for (const [slot, value] of slots)
        if (!known.has(slot)) known.set(slot, before.get(placeOf(address, slot)) ?? value)
    }
    for (const [address, slots] of writes)
      for (const [slot, change] of slots) {
        const place = placeOf(address, slot)
        if (!before.has(place)) before.set(place, change.before)
      }
  }
  return values
}

/** Tells words of mappings that have the invented trader among their keys. */
function createIsOwn({ trader }: TradeContext, decisions: SeenTrades['decisions']): (place: string) => boolean {
  const key = BigInt(trader.address)
  const isKeyed = (entry: MappingEntry | undefined): boolean =>
    entry !== undefined && (entry.key === key || isKeyed(entry.within))
  const own = new Set<string>()
  for (const { branches } of decisions)
    for (const { condition } of branches)
      for (const leaf of leavesOf(condition))
        if (leaf.kind === 'slot' && isKeyed(leaf.entry)) own.add(placeOf(leaf.address, leaf.slot))
  return (place) => own.has(place)
}

/**
 * The word that holds what the pool has of the coin or token that it is paid in. None where many
 * pools share one account, or where the balance is told from several words.
 */
function liquidityOf({ fork, market: { pool } }: TradeContext, values: ReturnType<typeof firstValues>): Word[] {
  if (pool.id !== undefined) return []
  const balance = balanceOf(fork, pool.quote, pool.address)
  const found = [...readBalanceWordsOf(fork, pool.quote, pool.address)].flatMap(([address, slots]) =>
    [...slots].flatMap(([slot, value]) => (value === balance ? [{ address, slot, value }] : [])),
  )
  return found.length === 1
    ? found.map((word) => ({
        ...word,
        value: values.get(word.address)?.get(word.slot) ?? word.value,
        role: 'liquidity',
      }))
    : []
}
