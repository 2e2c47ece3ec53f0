import { randomBytes } from 'node:crypto'
import type { Db } from '../stores/database.js'
import {
  type AccountStore,
  AccountStoreError,
  MAX_SESSIONS_PER_WALLET,
  MAX_USED_NONCES_PER_WALLET,
  NONCE_KEPT_MS,
  SECRET_BYTES,
} from './account-store.js'

/** Sign-ins and sessions in SQLite or PostgreSQL. Does not own `db`. */
export function createSqlAccountStore(db: Db): AccountStore {
  return {
    spendNonce: ({ nonce, wallet, usedAt, expiresAt }) =>
      guard('end a sign-in', async () => {
        await db
          .deleteFrom('used_nonces')
          .where('expires_at', '<=', usedAt - NONCE_KEPT_MS)
          .execute()
        const { count } = await db
          .selectFrom('used_nonces')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('wallet', '=', wallet)
          .where('expires_at', '>', usedAt)
          .executeTakeFirstOrThrow()
        if (Number(count) >= MAX_USED_NONCES_PER_WALLET) return 'full'
        // Of several at the same time, the database lets one in.
        const row = await db
          .insertInto('used_nonces')
          .values({ nonce, wallet, expires_at: expiresAt })
          .onConflict((conflict) => conflict.column('nonce').doNothing())
          .returning('nonce')
          .executeTakeFirst()
        return row === undefined ? 'used' : 'taken'
      }),
    sharedSecret: (name) =>
      guard('read a secret', async () => {
        const made = { name, secret: randomBytes(SECRET_BYTES).toString('hex') }
        await db
          .insertInto('shared_secrets')
          .values(made)
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute()
        const { secret } = await db
          .selectFrom('shared_secrets')
          .select('secret')
          .where('name', '=', name)
          .executeTakeFirstOrThrow()
        return Buffer.from(secret, 'hex')
      }),
    addSession: ({ hash, wallet, createdAt, expiresAt }) =>
      guard('begin a session', async () => {
        await db.deleteFrom('sessions').where('expires_at', '<=', createdAt).execute()
        await db.insertInto('sessions').values({ hash, wallet, created_at: createdAt, expires_at: expiresAt }).execute()
        await dropSurplus(db, wallet)
      }),
    findSession: (hash) =>
      guard('read a session', async () => {
        const row = await db.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()
        return row && { hash, wallet: row.wallet, createdAt: row.created_at, expiresAt: row.expires_at }
      }),
    removeSession: (hash) =>
      guard('end a session', async () => {
        await db.deleteFrom('sessions').where('hash', '=', hash).execute()
      }),
    addKeyOrder: ({ id, caller, orderedAt }, { since, limit }) =>
      guard('write an order down', async () => {
        await db.deleteFrom('key_orders').where('ordered_at', '<', since).execute()
        if ((await countOrders(db, caller)) >= limit) return false
        await db.insertInto('key_orders').values({ id, caller, ordered_at: orderedAt }).execute()
        // Counted after it was added too: of two at the same time, the later one sees both.
        if ((await countOrders(db, caller)) <= limit) return true
        await db.deleteFrom('key_orders').where('id', '=', id).execute()
        return false
      }),
  }
}

async function countOrders(db: Db, caller: string): Promise<number> {
  const { count } = await db
    .selectFrom('key_orders')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('caller', '=', caller)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function dropSurplus(db: Db, wallet: string): Promise<void> {
  const rows = await db
    .selectFrom('sessions')
    .select('hash')
    .where('wallet', '=', wallet)
    .orderBy('created_at', 'desc')
    // One sign-in adds one; a few more are there when several came at the same time.
    .limit(2 * MAX_SESSIONS_PER_WALLET)
    .execute()
  const surplus = rows.slice(MAX_SESSIONS_PER_WALLET).map(({ hash }) => hash)
  if (surplus.length > 0) await db.deleteFrom('sessions').where('hash', 'in', surplus).execute()
}

async function guard<T>(operation: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    throw new AccountStoreError(operation, error)
  }
}
