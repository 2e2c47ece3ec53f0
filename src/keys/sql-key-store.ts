import { type Selectable, sql } from 'kysely'
import type { Db } from '../stores/database.js'
import type { Tables } from '../stores/tables.js'
import { type KeyRecord, TIERS, type Tier } from './key-record.js'
import { type KeyChange, type KeyStore, KeyStoreError, MAX_LISTED } from './key-store.js'

/** Keys in SQLite or PostgreSQL. Owns `db` and closes it. */
export function createSqlKeyStore(db: Db): KeyStore {
  return {
    insert: (record) =>
      guard('add a key', async () => {
        await db.insertInto('api_keys').values(toRow(record)).execute()
      }),
    find: (id) => guard('read a key', () => findWhere(db, 'id', id)),
    findByHash: (hash) => guard('read a key', () => findWhere(db, 'hash', hash)),
    list: () =>
      guard('list the keys', async () => {
        const rows = await db.selectFrom('api_keys').selectAll().orderBy('created_at').limit(MAX_LISTED).execute()
        return rows.map(toRecord)
      }),
    listOf: (wallet) =>
      guard('list the keys', async () => {
        const rows = await db
          .selectFrom('api_keys')
          .selectAll()
          .where('wallet', '=', wallet)
          .where('revoked_at', 'is', null)
          .orderBy('created_at', 'desc')
          .limit(MAX_LISTED)
          .execute()
        return rows.map(toRecord)
      }),
    replace: (id, successor) => guard('replace a key', () => replaceKey(db, id, successor)),
    remove: (id) =>
      guard('take back a key', async () => {
        await db.deleteFrom('api_keys').where('id', '=', id).execute()
      }),
    update: (id, change) =>
      guard('change a key', async () => {
        const columns = toColumns(change)
        if (Object.keys(columns).length === 0) return (await findWhere(db, 'id', id)) !== undefined
        const { numUpdatedRows } = await db.updateTable('api_keys').set(columns).where('id', '=', id).executeTakeFirst()
        return numUpdatedRows > 0n
      }),
    touch: (uses) => guard('record the last uses', () => touchAll(db, uses)),
    ping: () =>
      guard('answer', async () => {
        await db.selectFrom('api_keys').select('id').limit(1).execute()
      }),
    close: () => db.destroy(),
  }
}

async function findWhere(db: Db, column: 'id' | 'hash', value: string): Promise<KeyRecord | undefined> {
  const row = await db.selectFrom('api_keys').selectAll().where(column, '=', value).executeTakeFirst()
  return row && toRecord(row)
}

async function replaceKey(db: Db, id: string, successor: KeyRecord): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('api_keys')
      .set({ revoked_at: successor.createdAt })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await transaction.insertInto('api_keys').values(toRow(successor)).execute()
    return true
  })
}

/**
 * One transaction, so that one wait for the disk covers all; sorted, so that two processes cannot
 * wait for each other.
 */
async function touchAll(db: Db, uses: ReadonlyMap<string, number>): Promise<void> {
  const sorted = [...uses].sort(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length === 0) return
  await db.transaction().execute(async (transaction) => {
    for (const [id, usedAt] of sorted) {
      await transaction
        .updateTable('api_keys')
        .set({ last_used_at: usedAt })
        .where('id', '=', id)
        .where(sql<number>`coalesce(last_used_at, 0)`, '<', usedAt)
        .execute()
    }
  })
}

async function guard<T>(operation: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    throw new KeyStoreError(operation, error)
  }
}

type Row = Selectable<Tables['api_keys']>

function toRow({ id, hash, masked, label, wallet, tier, limits, origins, ...times }: KeyRecord): Row {
  return {
    id,
    hash,
    masked,
    label,
    wallet: wallet ?? null,
    tier,
    analysis_limit: limits.analysis,
    general_limit: limits.general,
    origins: origins.join(' '),
    created_at: times.createdAt,
    last_used_at: times.lastUsedAt ?? null,
    revoked_at: times.revokedAt ?? null,
  }
}

function toRecord(row: Row): KeyRecord {
  return {
    id: row.id,
    hash: row.hash,
    masked: row.masked,
    label: row.label,
    wallet: row.wallet ?? undefined,
    tier: toTier(row.tier),
    limits: { analysis: row.analysis_limit, general: row.general_limit },
    origins: row.origins.split(' ').filter((origin) => origin !== ''),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  }
}

function toTier(text: string): Tier {
  const tier = TIERS.find((name) => name === text)
  if (tier === undefined) throw new TypeError(`unknown tier in the database: ${text}`)
  return tier
}

function toColumns({ tier, limits, revokedAt }: KeyChange): Partial<Row> {
  return {
    ...(tier !== undefined && { tier }),
    ...(limits !== undefined && { analysis_limit: limits.analysis, general_limit: limits.general }),
    ...(revokedAt !== undefined && { revoked_at: revokedAt }),
  }
}
