import { SOLANA_ID } from '../chains/chain-id.js'
import { TRUSTED_MINTS } from '../checks/solana/trusted-mints.js'
import { unwrap } from '../rpc/request.js'
import { createCountedLru } from '../scheduling/lru.js'
import type { SolanaAccount } from '../solana/account.js'
import { WATCHED_BYTES } from '../solana/account-words.js'
import type { SolanaAddress } from '../solana/address.js'
import { isSlotThere, readNewestSlot } from '../solana/confirmed-slots.js'
import { venueName } from '../solana/pools/layouts.js'
import { candidatesOf, hasVaults, isNew, isSupplied, poolsAmong } from '../solana/pools/new-pools.js'
import type { Pool } from '../solana/pools/pool.js'
import { readPool } from '../solana/pools/read-pool.js'
import { getMultipleAccounts, MAX_ACCOUNTS_PER_CALL } from '../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../solana/rpc/solana-rpc-client.js'
import type { MadeAccounts } from '../solana/rpc/transaction-methods.js'
import { listingId, takeInTurns } from './choose-listings.js'
import type { CreationSource } from './creation-source.js'
import type { FoundListing, MarketRange, MarketSource } from './market-source.js'

/** Pools without liquidity are looked at each so many looks. */
const DRY_EVERY = 4
/** Pools that were told to have liquidity. */
const MAX_TOLD = 4_096

type Accounts = ReadonlyMap<SolanaAddress, SolanaAccount | undefined>

/**
 * New markets of Solana, by the transactions that may have made them. What they made is read from
 * the accounts themselves.
 */
export function createSolanaMarkets(rpc: SolanaRpc, creations: CreationSource): MarketSource {
  const told = createCountedLru<string, true>(MAX_TOLD)
  let looks = 0

  async function readAccounts(addresses: readonly SolanaAddress[], minSlot: bigint): Promise<Accounts> {
    const asked = [...new Set(addresses)]
    const parts: SolanaAddress[][] = []
    for (let at = 0; at < asked.length; at += MAX_ACCOUNTS_PER_CALL)
      parts.push(asked.slice(at, at + MAX_ACCOUNTS_PER_CALL))
    if (parts.length === 0) return new Map()
    const requests = parts.map((part) => getMultipleAccounts({ addresses: part, prefixBytes: WATCHED_BYTES, minSlot }))
    const accounts = (await rpc.batch(requests, { suspect: 'chain' })).flatMap((answer) => unwrap(answer).value)
    return new Map(asked.map((address, i) => [address, accounts[i]]))
  }

  /** Of these pools those that have got liquidity, at the newest slot. */
  async function findSupplied(dry: readonly string[], { number: slot }: MarketRange['last']) {
    looks += 1
    const waiting = dry.filter((pool) => told.get(pool) === undefined) as SolanaAddress[]
    if (waiting.length === 0 || looks % DRY_EVERY !== 0) return new Map<string, bigint>()
    const accounts = await readAccounts(waiting, slot)
    const pools = waiting.flatMap((at) => readPool(at, accounts.get(at), 0n) ?? [])
    const vaults = await readAccounts(
      pools.flatMap((pool) => pool.vaults),
      slot,
    )
    const supplied = pools.filter((pool) => isSupplied(pool, (at) => vaults.get(at)))
    for (const { address } of supplied) told.set(address, true)
    return new Map<string, bigint>(supplied.map(({ address }) => [address, slot]))
  }

  return {
    newest: () => readNewestSlot(rpc),
    standing: async (slot) => ((await isSlotThere(rpc, slot)) ? 'there' : 'gone'),
    reach: creations.reach,
    async find(range) {
      const { last, room, dry } = range
      const { made, leftOut } = await creations.read(range)
      const candidates = made.flatMap(candidatesOf)
      // As of the transactions at least: a node behind them has no such accounts.
      const slot = made.toSorted((a, b) => Number(a.slot - b.slot)).at(-1)?.slot ?? last.number
      const accounts = await readAccounts(candidates, slot)
      const pools = made.flatMap((transaction) => {
        const among = poolsAmong(candidatesOf(transaction), (at) => accounts.get(at), transaction.time ?? 0n)
        return among.filter((pool) => isNew(pool, transaction)).map((pool) => ({ pool, transaction }))
      })
      const vaults = await readAccounts(
        pools.flatMap(({ pool }) => pool.vaults),
        slot,
      )
      const real = pools.filter(({ pool }) => hasVaults(pool, (at) => vaults.get(at)))
      for (const { pool } of real) if (isSupplied(pool, (at) => vaults.get(at))) told.set(pool.address, true)
      const found = real.flatMap(({ pool, transaction }) => listingsOf(pool, transaction, last.hash))
      const payers = new Map(made.map(({ signature, payer }) => [signature, payer]))
      // Who makes a thousand pools displaces no other, unless each is paid from another wallet.
      const inTurns = takeInTurns(found, (each) => payers.get(each.transaction) ?? '')
      return {
        found: inTurns.slice(0, room),
        supplied: await findSupplied(dry, last),
        leftOut: leftOut === undefined ? undefined : leftOut + Math.max(0, found.length - room),
      }
    },
  }
}

/** A listing for each side that is news: all but what everything is traded for. */
function listingsOf({ address, venue, mints }: Pool, transaction: MadeAccounts, hash: string): FoundListing[] {
  const [a, b] = mints
  const sides = [
    { token: a, quote: b },
    { token: b, quote: a },
  ]
  return sides
    .filter(({ token }) => !TRUSTED_MINTS.has(token))
    .map(({ token, quote }) => ({
      ...{ id: listingId(SOLANA_ID, address, token), token, quote, pool: address, exchange: venueName(venue) },
      ...{ transaction: transaction.signature, block: { number: transaction.slot, hash } },
      blockTime: Number(transaction.time ?? 0n) * 1_000,
    }))
}
