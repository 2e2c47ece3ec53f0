import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../stores/database.js'
import type { Tables } from '../stores/tables.js'
import { asNumber, chainIdUnindexed, chainPlacesIn } from '../watching/chain-places.js'
import { takePlaces } from '../watching/sql-alerts.js'
import { guard, inParts } from '../watching/watch-rows.js'
import type { ClaimedListing, FeedChange, FeedStep, FeedStore, ListingFilter, ListingVerdict } from './feed-store.js'
import { listingRow, omissionRow, toGwei, toListing, toOmission, verdictColumns } from './listing-rows.js'
import { DRY_MS, KEPT_MS, MAX_DRY, MAX_KEPT } from './new-listing.js'

const places = chainPlacesIn('feed_chains')

/** The feed in SQLite or PostgreSQL. Does not own `db`. */
export function createSqlFeedStore(db: Db): FeedStore {
  const listings = () => db.selectFrom('listings').selectAll()
  return {
    holdChain: (...of) => guard('take a chain', () => places.hold(db, ...of)),
    releaseChain: (...of) => guard('let go of a chain', () => places.release(db, ...of)),
    advance: (step) => guard('step along a chain', () => advance(db, step)),
    readFollowed: (chainId) => guard('read how far a chain was followed', () => places.read(db, chainId)),
    countWaiting: (chainId) =>
      guard('count listings', async () => {
        const { count } = await db
          .selectFrom('listings')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('due_at', 'is not', null)
          .where('chain_id', '=', chainId)
          .executeTakeFirstOrThrow()
        return Number(count)
      }),
    listDry: (chainId, now) =>
      guard('list pools', async () => {
        const dry = await db
          .selectFrom('listings')
          .select('pool')
          .where('chain_id', '=', chainId)
          .where('found_at', '>', now - DRY_MS)
          .where('is_undone', '=', 0)
          .where('liquidity', 'is', null)
          .orderBy('found_at', 'desc')
          .limit(MAX_DRY)
          .execute()
        return [...new Set(dry.map(({ pool }) => pool))]
      }),
    claimDue: (...of) => guard('take a listing', () => claimDue(db, ...of)),
    settle: (...of) => guard('write a verdict', () => settle(db, ...of)),
    postpone: ({ id }, dueAt) =>
      guard('put off a listing', () =>
        db.transaction().execute(async (transaction) => {
          const place = dueAt === undefined ? { place: await takePlaces(transaction, 'feed', 1) } : {}
          await transaction
            .updateTable('listings')
            .set((is) => ({ due_at: dueAt ?? null, held_until: 0, failures: is('failures', '+', 1), ...place }))
            .where('id', '=', id)
            .where('is_undone', '=', 0)
            .execute()
        }),
      ),
    listNewest: (filter, limit) =>
      guard('list listings', async () => {
        const newest = filtered(listings(), filter).where('is_undone', '=', 0)
        return (await newest.orderBy('found_at', 'desc').orderBy('place', 'desc').limit(limit).execute()).map(toListing)
      }),
    listChanges: (filter, from) => guard('list changes', () => listChanges(db, filter, from)),
    listOmissions: ({ chainId }, limit) =>
      guard('list omissions', async () => {
        const all = db.selectFrom('feed_omissions').selectAll().orderBy('place', 'desc').limit(limit)
        const rows = await (chainId === undefined ? all : all.where('chain_id', '=', chainId)).execute()
        return rows.map(toOmission)
      }),
    newestPlace: () =>
      guard('read a place', async () => {
        const counter = db.selectFrom('alert_places').select('place').where('name', '=', 'feed')
        return (await counter.executeTakeFirstOrThrow()).place
      }),
    forgetOld: (chainIds, now) => guard('forget listings', () => forgetOld(db, chainIds, now)),
  }
}

type Listings = SelectQueryBuilder<Tables, 'listings', Tables['listings']>

const filtered = (query: Listings, { chainId, levels, leastLiquidity }: ListingFilter) =>
  query
    .$if(chainId !== undefined, (of) => of.where('chain_id', '=', chainId ?? 0))
    .$if(levels !== undefined, (of) => of.where('level', 'in', [...(levels ?? [])]))
    .$if(leastLiquidity !== undefined, (of) => of.where('liquidity_gwei', '>=', toGwei(leastLiquidity ?? 0n)))

async function advance(db: Db, step: FeedStep): Promise<boolean> {
  const { chainId, found, supplied, omissions, undoneBeyond, now } = step
  return db.transaction().execute(async (transaction) => {
    if (!(await places.move(transaction, step))) return false
    if (undoneBeyond !== undefined) await undo(transaction, { chainId, beyond: Number(undoneBeyond), now })
    const count = found.length + omissions.length
    if (count > 0) {
      const first = await takePlaces(transaction, 'feed', count)
      for (const [i, listing] of found.entries()) {
        const { id, ...row } = listingRow(listing, first + i)
        await transaction
          .insertInto('listings')
          .values({ id, ...row })
          // One that stands is told once, also where it is found again.
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row).where('listings.is_undone', '=', 1))
          .execute()
      }
      const rows = omissions.map((omission, i) => omissionRow(omission, first + found.length + i))
      if (rows.length > 0) await transaction.insertInto('feed_omissions').values(rows).execute()
    }
    for (const [pool, block] of supplied)
      await transaction
        .updateTable('listings')
        .set((is) => ({
          ...{ changed_block: Number(block), failures: 0, supplies: is('supplies', '+', 1) },
          due_at: is
            .case()
            .when('supplies', '<', QUICK_SUPPLIES)
            .then(asNumber(now))
            .else(sql<number>`coalesce(judged_at, ${asNumber(now)}) + ${asNumber(SUPPLY_PAUSE_MS)}`)
            .end(),
        }))
        .where('chain_id', '=', chainId)
        .where('pool', '=', pool)
        .where('is_undone', '=', 0)
        .where('changed_block', '<', Number(block))
        .execute()
    return true
  })
}

/** So often is a token judged at once for its pool's liquidity: crumbs must not buy our work. */
const QUICK_SUPPLIES = 4
/** From then on it is judged this long after the last time. */
const SUPPLY_PAUSE_MS = 600_000

/** Takes back what came in blocks that are the chain's no more, with the verdicts made there. */
async function undo(db: Db, { chainId, beyond, now }: { chainId: number; beyond: number; now: number }): Promise<void> {
  const undone = await db
    .selectFrom('listings')
    .select('id')
    .where('chain_id', '=', chainId)
    .where('block_number', '>', beyond)
    .where('is_undone', '=', 0)
    .orderBy('block_number')
    .execute()
  if (undone.length > 0) {
    const first = await takePlaces(db, 'feed', undone.length)
    for (const [i, { id }] of undone.entries())
      await db
        .updateTable('listings')
        .set({ is_undone: 1, due_at: null, place: first + i })
        .where('id', '=', id)
        .execute()
  }
  await db
    .updateTable('listings')
    .set({ due_at: now, changed_block: beyond })
    .where('chain_id', '=', chainId)
    .where('is_undone', '=', 0)
    .where('judged_block', '>', beyond)
    .execute()
}

/** Listings that are looked at for one that no other process takes first. */
const CANDIDATES = 8

async function claimDue(
  db: Db,
  chainIds: readonly number[],
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<ClaimedListing | undefined> {
  if (chainIds.length === 0) return undefined
  const due = await db
    .selectFrom('listings')
    .select(['id', 'held_until'])
    .where('due_at', '<=', now)
    .where('held_until', '<=', now)
    .where(chainIdUnindexed, 'in', chainIds)
    .orderBy('familiarity', 'desc')
    .orderBy('due_at')
    .orderBy('place')
    .limit(CANDIDATES)
    .execute()
  for (const { id, held_until } of due) {
    // The first to change the row has it.
    const taken = await db
      .updateTable('listings')
      .set({ held_until: now + leaseMs })
      .where('id', '=', id)
      .where('held_until', '=', held_until)
      .returningAll()
      .executeTakeFirst()
    if (taken) return toListing(taken)
  }
  return undefined
}

async function settle(db: Db, { chainId, token }: ClaimedListing, verdict: ListingVerdict): Promise<void> {
  const block = Number(verdict.judgement.block.number)
  await db.transaction().execute(async (transaction) => {
    const ofToken = await transaction
      .selectFrom('listings')
      .select('id')
      .where('chain_id', '=', chainId)
      .where('token', '=', token)
      .where('is_undone', '=', 0)
      .where('block_number', '<=', block)
      .where('due_at', 'is not', null)
      .execute()
    if (ofToken.length === 0) return
    const first = await takePlaces(transaction, 'feed', ofToken.length)
    for (const [i, { id }] of ofToken.entries())
      await transaction
        .updateTable('listings')
        .set((is) => ({
          ...verdictColumns(verdict),
          place: first + i,
          // Liquidity that the verdict has not seen calls for the next one.
          due_at: is.case().when('changed_block', '>', block).then(asNumber(verdict.judgedAt)).else(null).end(),
        }))
        .where('id', '=', id)
        .execute()
  })
}

async function listChanges(
  db: Db,
  filter: ListingFilter,
  { after, limit }: { after: number; limit: number },
): Promise<FeedChange[]> {
  const all = db.selectFrom('listings').selectAll().where('place', '>', after).orderBy('place').limit(limit)
  const omitted = db.selectFrom('feed_omissions').selectAll().where('place', '>', after).orderBy('place').limit(limit)
  const { chainId } = filter
  const listings = (await filtered(all, filter).execute()).map(toListing)
  const omissions = await (chainId === undefined ? omitted : omitted.where('chain_id', '=', chainId)).execute()
  const changes = [
    ...listings.map((listing) => ({ place: listing.place, change: { listing } })),
    ...omissions.map(toOmission).map((omission) => ({ place: omission.place, change: { omission } })),
  ]
  return changes
    .toSorted((a, b) => a.place - b.place)
    .slice(0, limit)
    .map(({ change }) => change)
}

/** What one round of forgetting clears away, so that no statement takes long. */
const FORGOTTEN_AT_ONCE = 500

async function forgetOld(db: Db, chainIds: readonly number[], now: number): Promise<void> {
  const old = db
    .selectFrom('listings')
    .select('id')
    .where('found_at', '<', now - KEPT_MS)
  const surplus = chainIds.map((chainId) =>
    db
      .selectFrom('listings')
      .select('id')
      .where('chain_id', '=', chainId)
      .orderBy('found_at', 'desc')
      .orderBy('id')
      .offset(MAX_KEPT),
  )
  for (const query of [old, ...surplus]) {
    const ids = (await query.limit(FORGOTTEN_AT_ONCE).execute()).map(({ id }) => id)
    for (const part of inParts(ids)) await db.deleteFrom('listings').where('id', 'in', part).execute()
  }
  const omitted = db.deleteFrom('feed_omissions').where('at', '<', now - KEPT_MS)
  await omitted.execute()
  await forgetOmissions(db)
}

/** Of all chains; the newest say that there were more. */
const MAX_OMISSIONS = 2_000

async function forgetOmissions(db: Db): Promise<void> {
  const { place } =
    (await db
      .selectFrom('feed_omissions')
      .select('place')
      .orderBy('place', 'desc')
      .offset(MAX_OMISSIONS)
      .limit(1)
      .executeTakeFirst()) ?? {}
  if (place !== undefined) await db.deleteFrom('feed_omissions').where('place', '<=', place).execute()
}
