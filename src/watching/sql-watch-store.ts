import { sql } from 'kysely'
import type { TokenAddress } from '../solana/token-address.js'
import type { Db } from '../stores/database.js'
import { asNumber, chainIdUnindexed, chainPlacesIn } from './chain-places.js'
import { createSqlAlerts, insertAlerts } from './sql-alerts.js'
import { writeDependencies, writeJudgement } from './stored-forms.js'
import { ALERT_KEPT_MS, type Watch } from './watch.js'
import { guard, inParts, toToken, toWatch } from './watch-rows.js'
import {
  type Advance,
  aheadOfOld,
  MAX_LISTED_WATCHES,
  type Settlement,
  STALE_MS,
  type WatchedToken,
  type WatchRefusal,
  type WatchShares,
  type WatchStore,
} from './watch-store.js'

const places = chainPlacesIn('watch_chains')

/** Watches in SQLite or PostgreSQL. Does not own `db`. */
export function createSqlWatchStore(db: Db): WatchStore {
  const watches = () => db.selectFrom('watches').selectAll()
  const tokensOf = (chainId: number) => db.selectFrom('watched_tokens').selectAll().where('chain_id', '=', chainId)
  const onToken = (chainId: number, address: TokenAddress) =>
    db.updateTable('watched_tokens').where('chain_id', '=', chainId).where('address', '=', address)
  return {
    add: (watch, shares) => guard('add a watch', () => add(db, watch, shares)),
    find: (id) =>
      guard('read a watch', async () => {
        const row = await watches().where('id', '=', id).executeTakeFirst()
        return row && toWatch(row)
      }),
    list: (keyId, now) =>
      guard('list watches', async () => {
        const ofKey = watches().where('key_id', '=', keyId).where('expires_at', '>', now)
        return (await ofKey.orderBy('created_at', 'desc').limit(MAX_LISTED_WATCHES).execute()).map(toWatch)
      }),
    remove: (id, keyId) =>
      guard('remove a watch', async () => {
        const { numDeletedRows } = await db
          .deleteFrom('watches')
          .where('id', '=', id)
          .where('key_id', '=', keyId)
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),
    listOn: (chainId, addresses, now) =>
      guard('list watches', async () => {
        if (addresses.length === 0) return []
        const query = watches().where('chain_id', '=', chainId).where('expires_at', '>', now)
        const parts = inParts(addresses).map((part) => query.where('address', 'in', part).execute())
        return (await Promise.all(parts)).flat().map(toWatch)
      }),
    readToken: (chainId, address) =>
      guard('read a token', async () => {
        const row = await tokensOf(chainId).where('address', '=', address).executeTakeFirst()
        return row && toToken(row)
      }),
    listChains: () =>
      guard('list chains', async () => {
        const rows = await db.selectFrom('watched_tokens').select('chain_id').distinct().execute()
        return rows.map((row) => row.chain_id)
      }),
    holdChain: (...of) => guard('take a chain', () => places.hold(db, ...of)),
    readFollowed: (chainId) => guard('read how far a chain was followed', () => places.read(db, chainId)),
    releaseChain: (...of) => guard('let go of a chain', () => places.release(db, ...of)),
    advance: (step) => guard('step along a chain', () => advance(db, step)),
    listTokens: (chainId, { after, limit }) =>
      guard('list tokens', async () => {
        const following = after === undefined ? tokensOf(chainId) : tokensOf(chainId).where('address', '>', after)
        return (await following.orderBy('address').limit(limit).execute()).map(toToken)
      }),
    listJudged: (chainId, since) =>
      guard('list tokens', async () =>
        (await tokensOf(chainId).where('updated_at', '>', since).execute()).map(toToken),
      ),
    countTokens: (chainId) => guard('count tokens', () => countTokens(db, chainId)),
    claimDue: (...of) => guard('take a token', () => claimDue(db, ...of)),
    settle: (settlement) => guard('write a verdict', () => settle(db, settlement)),
    postpone: ({ chainId, address, version }, dueAt) =>
      guard('put off a token', async () => {
        await onToken(chainId, address)
          .set((is) => ({ due_at: dueAt, held_until: 0, failures: is('failures', '+', 1) }))
          .where('version', '=', version)
          .execute()
      }),
    ...createSqlAlerts(db),
    forgetOld: (now) => guard('forget watches', () => forgetOld(db, now)),
  }
}

async function add(db: Db, watch: Watch, { ofKey, ofChain }: WatchShares): Promise<Watch | WatchRefusal> {
  const { keyId, chainId, address, webhook, createdAt, expiresAt } = watch
  const wish = {
    tells: watch.tells.join(' '),
    webhook_url: webhook?.url ?? null,
    webhook_secret: webhook?.secret ?? null,
    contacts: watch.contacts.join(' '),
    expires_at: expiresAt,
  }
  return db.transaction().execute(async (transaction) => {
    const renewed = await transaction
      .updateTable('watches')
      .set(wish)
      .where('key_id', '=', keyId)
      .where('chain_id', '=', chainId)
      .where('address', '=', address)
      .returningAll()
      .executeTakeFirst()
    if (renewed === undefined) {
      const { count } = await transaction
        .selectFrom('watches')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('key_id', '=', keyId)
        .where('expires_at', '>', createdAt)
        .executeTakeFirstOrThrow()
      if (Number(count) >= ofKey) return 'watches'
      if ((await countTokens(transaction, chainId)) >= ofChain) return 'tokens'
      const row = { id: watch.id, key_id: keyId, chain_id: chainId, address, created_at: createdAt, ...wish }
      await transaction.insertInto('watches').values(row).execute()
    }
    // Judged at once where it is not watched yet.
    const token = { chain_id: chainId, address, version: 0, changed_block: 0, failures: 0, held_until: 0 }
    await transaction
      .insertInto('watched_tokens')
      .values({
        ...token,
        judgement: null,
        dependencies: null,
        judged_at: null,
        due_at: aheadOfOld(createdAt),
        updated_at: createdAt,
      })
      .onConflict((conflict) => conflict.columns(['chain_id', 'address']).doNothing())
      .execute()
    return renewed === undefined ? watch : toWatch(renewed)
  })
}

async function countTokens(db: Db, chainId: number): Promise<number> {
  const { count } = await db
    .selectFrom('watched_tokens')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('chain_id', '=', chainId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function advance(db: Db, step: Advance): Promise<boolean> {
  const { chainId, due, allDueAt, undone, alerts } = step
  return db.transaction().execute(async (transaction) => {
    if (!(await places.move(transaction, step))) return false
    if (undone !== undefined)
      await transaction
        .updateTable('watched_tokens')
        .set({ changed_block: Number(undone.beyond), due_at: atLatest(undone.dueAt) })
        .where('chain_id', '=', chainId)
        .where('changed_block', '>', Number(undone.beyond))
        .execute()
    if (allDueAt !== undefined)
      await transaction
        .updateTable('watched_tokens')
        .set({ due_at: atLatest(allDueAt) })
        .where('chain_id', '=', chainId)
        .where('due_at', '>', allDueAt)
        .execute()
    for (const { address, dueAt, changedBlock } of due)
      await transaction
        .updateTable('watched_tokens')
        .set((is) => ({
          due_at: atLatest(dueAt),
          changed_block: changedBlock === undefined ? is.ref('changed_block') : Number(changedBlock),
        }))
        .where('chain_id', '=', chainId)
        .where('address', '=', address)
        .execute()
    await insertAlerts(transaction, alerts)
    return true
  })
}

/** Tokens that are looked at for one that no other process takes first. */
const CANDIDATES = 8

async function claimDue(
  db: Db,
  chainIds: readonly number[],
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<WatchedToken | undefined> {
  if (chainIds.length === 0) return undefined
  const due = await db
    .selectFrom('watched_tokens')
    .select(['chain_id', 'address', 'held_until'])
    .where('due_at', '<=', now)
    .where('held_until', '<=', now)
    .where(chainIdUnindexed, 'in', chainIds)
    .orderBy('due_at')
    .limit(CANDIDATES)
    .execute()
  for (const candidate of due) {
    // The first to change the row has it.
    const taken = await db
      .updateTable('watched_tokens')
      .set({ held_until: now + leaseMs })
      .where('chain_id', '=', candidate.chain_id)
      .where('address', '=', candidate.address)
      .where('held_until', '=', candidate.held_until)
      .returningAll()
      .executeTakeFirst()
    if (taken) return toToken(taken)
  }
  return undefined
}

async function settle(
  db: Db,
  { token, judgement, dependencies, judgedAt, dueAt, staleMs = STALE_MS, alerts }: Settlement,
): Promise<boolean> {
  const block = Number(judgement.block.number)
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('watched_tokens')
      .set({
        version: token.version + 1,
        judgement: JSON.stringify(writeJudgement(judgement)),
        dependencies: dependencies === undefined ? null : JSON.stringify(writeDependencies(dependencies)),
        // A change in a block that the verdict has not seen calls for the next one.
        due_at: sql<number>`case when changed_block > ${block} then ${asNumber(judgedAt + staleMs)} else ${asNumber(dueAt)} end`,
        ...{ judged_at: judgedAt, held_until: 0, failures: 0, updated_at: judgedAt },
      })
      .where('chain_id', '=', token.chainId)
      .where('address', '=', token.address)
      .where('version', '=', token.version)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await insertAlerts(transaction, alerts)
    return true
  })
}

const atLatest = (dueAt: number) => sql<number>`case when due_at < ${dueAt} then due_at else ${asNumber(dueAt)} end`

/** What one round of forgetting clears away, so that no statement takes long. */
const FORGOTTEN_AT_ONCE = 500

async function forgetOld(db: Db, now: number): Promise<void> {
  await db.deleteFrom('watches').where('expires_at', '<=', now).execute()
  const old = db
    .selectFrom('alerts')
    .select('id')
    .where('at', '<', now - ALERT_KEPT_MS)
    .limit(FORGOTTEN_AT_ONCE)
  await db.deleteFrom('alerts').where('id', 'in', old).execute()
  await sql`delete from watched_tokens where not exists (
    select 1 from watches
    where watches.chain_id = watched_tokens.chain_id and watches.address = watched_tokens.address
  )`.execute(db)
}
