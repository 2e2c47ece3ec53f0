import { sql } from 'kysely'
import type { Db } from '../stores/database.js'
import type { ChainPlace, FollowedPlace, HoldTimes } from './watch-store.js'

/** From one place along a chain to the next. */
export interface Move {
  chainId: number
  holder: string
  before: ChainPlace
  after: ChainPlace
}

/**
 * How far each chain was followed, and by which process, in a table of its own for each purpose.
 * Whatever a step finds is written in the transaction that moves the place.
 */
export function chainPlacesIn(table: 'watch_chains' | 'feed_chains') {
  return {
    /** Takes the chain, or keeps it; `undefined` while another process has it. */
    async hold(
      db: Db,
      chainId: number,
      holder: string,
      { now, leaseMs, reachedAt }: HoldTimes,
    ): Promise<ChainPlace | undefined> {
      await db
        .insertInto(table)
        .values({ chain_id: chainId, holder, held_until: 0, place: '[]', reached_at: null })
        .onConflict((conflict) => conflict.column('chain_id').doNothing())
        .execute()
      const held = await db
        .updateTable(table)
        .set({ holder, held_until: now + leaseMs, ...(reachedAt !== undefined && { reached_at: reachedAt }) })
        .where('chain_id', '=', chainId)
        .where((is) => is.or([is('holder', '=', holder), is('held_until', '<=', now)]))
        .returning('place')
        .executeTakeFirst()
      return held && readPlace(held.place)
    },
    /** How far the chain was followed, by whichever process. */
    async read(db: Db, chainId: number): Promise<FollowedPlace | undefined> {
      const columns = db.selectFrom(table).select(['place', 'reached_at'])
      const row = await columns.where('chain_id', '=', chainId).executeTakeFirst()
      const block = row && readPlace(row.place).at(-1)
      return row === undefined || block === undefined || row.reached_at === null
        ? undefined
        : { block, reachedAt: row.reached_at }
    },
    async release(db: Db, chainId: number, holder: string): Promise<void> {
      const released = db.updateTable(table).set({ held_until: 0 })
      await released.where('chain_id', '=', chainId).where('holder', '=', holder).execute()
    },
    /** Whether it moved: not where another process has moved on, or has the chain. */
    async move(db: Db, { chainId, holder, before, after }: Move): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable(table)
        .set({ place: writePlace(after) })
        .where('chain_id', '=', chainId)
        .where('holder', '=', holder)
        .where('place', '=', writePlace(before))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

/**
 * The chain as a condition that no index is chosen for: nearly all rows are of one chain, and few
 * of them are due. Without the sign SQLite goes through every row of the chain.
 */
export const chainIdUnindexed = sql<number>`+chain_id`

/** PostgreSQL takes a parameter in an expression for a text. */
export const asNumber = (value: number) => sql<number>`cast(${value} as bigint)`

const writePlace = (place: ChainPlace) => JSON.stringify(place.map(({ number, hash }) => [String(number), hash]))

const readPlace = (text: string): ChainPlace =>
  (JSON.parse(text) as [string, string][]).map(([number, hash]) => ({ number: BigInt(number), hash }))
