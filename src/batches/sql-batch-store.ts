import type { Selectable } from 'kysely'
import type { Db, Tables } from '../stores/database.js'
import type { Batch, BatchItem, BatchRequest, ItemState, WebhookState } from './batch.js'
import {
  type BatchStore,
  BatchStoreError,
  KEPT_MS,
  MAX_LISTED_OPEN,
  MAX_OPEN_BATCHES,
  type NewBatch,
} from './batch-store.js'

/** Batches in SQLite or PostgreSQL. Does not own `db`. */
export function createSqlBatchStore(db: Db): BatchStore {
  return {
    insert: (batch) => guard('add a batch', () => insert(db, batch)),
    find: (id) =>
      guard('read a batch', async () => {
        const row = await db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst()
        return row && toBatch(row)
      }),
    listItems: (id) => guard('read a batch', () => listItems(db, id)),
    readResults: (id, positions) => guard('read results', () => readResults(db, id, positions)),
    listOpen: () =>
      guard('list batches', async () => {
        const rows = await db
          .selectFrom('batches')
          .select('id')
          .where((is) => is.or([is('finished_at', 'is', null), is('webhook_state', '=', 'waiting')]))
          .orderBy('created_at')
          .limit(MAX_LISTED_OPEN)
          .execute()
        return rows.map(({ id }) => id)
      }),
    beginItem: (id, position) =>
      guard('begin an item', async () => {
        const { attempts } = await db
          .updateTable('batch_items')
          .set((is) => ({ attempts: is('attempts', '+', 1) }))
          .where('batch_id', '=', id)
          .where('position', '=', position)
          .returning('attempts')
          .executeTakeFirstOrThrow()
        return attempts
      }),
    finishItem: (id, position, { state, result }) =>
      guard('store a result', async () => {
        await db
          .updateTable('batch_items')
          .set({ state, result: JSON.stringify(result) })
          .where('batch_id', '=', id)
          .where('position', '=', position)
          .execute()
      }),
    finish: (id, at) =>
      guard('finish a batch', async () => {
        await db.updateTable('batches').set({ finished_at: at }).where('id', '=', id).execute()
      }),
    setWebhook: (id, state, attempts) =>
      guard('record a delivery', async () => {
        const columns = { webhook_state: state, webhook_attempts: attempts }
        await db.updateTable('batches').set(columns).where('id', '=', id).execute()
      }),
  }
}

async function insert(db: Db, { id, keyId, createdAt, requests, webhook }: NewBatch): Promise<boolean> {
  await forgetOld(db, createdAt - KEPT_MS)
  return db.transaction().execute(async (transaction) => {
    const { count } = await transaction
      .selectFrom('batches')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('key_id', '=', keyId)
      .where('finished_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_OPEN_BATCHES) return false
    const row: Row = {
      id,
      key_id: keyId,
      created_at: createdAt,
      finished_at: null,
      webhook_url: webhook?.url ?? null,
      webhook_secret: webhook?.secret ?? null,
      webhook_state: webhook === undefined ? 'none' : 'waiting',
      webhook_attempts: 0,
    }
    await transaction.insertInto('batches').values(row).execute()
    const items = requests.map(({ request, outcome }, position) => ({
      batch_id: id,
      position,
      request: JSON.stringify(request),
      state: outcome?.state ?? 'waiting',
      attempts: 0,
      result: outcome === undefined ? null : JSON.stringify(outcome.result),
    }))
    await transaction.insertInto('batch_items').values(items).execute()
    return true
  })
}

async function forgetOld(db: Db, before: number): Promise<void> {
  const old = db.selectFrom('batches').select('id').where('created_at', '<', before)
  await db.deleteFrom('batch_items').where('batch_id', 'in', old).execute()
  await db.deleteFrom('batches').where('created_at', '<', before).execute()
}

async function listItems(db: Db, id: string): Promise<BatchItem[]> {
  const rows = await db
    .selectFrom('batch_items')
    .select(({ fn, val }) => [
      'position',
      'request',
      'state',
      fn<number>('length', [fn.coalesce('result', val(''))]).as('chars'),
    ])
    .where('batch_id', '=', id)
    .orderBy('position')
    .execute()
  return rows.map(({ position, request, state, chars }) => ({
    position,
    request: JSON.parse(request) as BatchRequest,
    state: state as ItemState,
    resultChars: Number(chars),
  }))
}

async function readResults(db: Db, id: string, positions: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (positions.length === 0) return new Map()
  const rows = await db
    .selectFrom('batch_items')
    .select(['position', 'result'])
    .where('batch_id', '=', id)
    .where('position', 'in', positions)
    .execute()
  return new Map(rows.flatMap(({ position, result }) => (result === null ? [] : [[position, result]])))
}

type Row = Selectable<Tables['batches']>

function toBatch(row: Row): Batch {
  const { webhook_url: url, webhook_secret: secret } = row
  return {
    id: row.id,
    keyId: row.key_id,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
    webhook: url === null || secret === null ? undefined : { url, secret },
    webhookState: row.webhook_state as WebhookState,
    webhookAttempts: row.webhook_attempts,
  }
}

async function guard<T>(operation: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    throw new BatchStoreError(operation, error)
  }
}
