import { type Selectable, sql } from 'kysely'
import type { Db } from '../stores/database.js'
import { packText, unpackText } from '../stores/pack-text.js'
import type { Tables } from '../stores/tables.js'
import {
  type Batch,
  type BatchItem,
  type BatchRequest,
  type BatchSummary,
  type DeliveryState,
  type ItemResult,
  type ItemState,
  MAX_ANSWER_CHARS,
  type WebhookState,
} from './batch.js'
import {
  type BatchStore,
  BatchStoreError,
  KEPT_MS,
  MAX_LISTED_BATCHES,
  MAX_LISTED_OPEN,
  MAX_LISTED_WEBHOOKS,
  MAX_OPEN_BATCHES,
  MAX_WAITING_WEBHOOKS,
  type NewBatch,
  type NewItem,
  type Refusal,
  type UndeliveredBatch,
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
    listNewest: (...of) => guard('list batches', () => listNewest(db, ...of)),
    listItems: (id) => guard('read a batch', () => listItems(db, id)),
    readResults: (id, positions) => guard('read results', () => readResults(db, id, positions)),
    bytesOf: (keyId) => guard('add up a share', () => bytesOf(db, keyId)),
    listOpen: () =>
      guard('list batches', () =>
        db
          .selectFrom('batches')
          .select(['id', 'key_id as keyId'])
          .where('finished_at', 'is', null)
          .orderBy('created_at')
          .limit(MAX_LISTED_OPEN)
          .execute(),
      ),
    listUndelivered: () => guard('list webhooks', () => listUndelivered(db)),
    countOpen: (keyId) => guard('count batches', () => countOpen(db, keyId)),
    countWaitingWebhooks: (keyId) => guard('count webhooks', () => countWaitingWebhooks(db, keyId)),
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
    finishItem: (id, position, result) => guard('store a result', () => finishItem(db, { id, position, result })),
    finish: (id, at) =>
      guard('finish a batch', async () => {
        await db.updateTable('batches').set({ finished_at: at }).where('id', '=', id).execute()
      }),
    listWebhooks: (...of) => guard('list webhooks', () => listWebhooks(db, ...of)),
    setWebhook: (id, { state, attempts, failure = null }) =>
      guard('record a delivery', async () => {
        const columns = { webhook_state: state, webhook_attempts: attempts, webhook_failure: failure }
        await db.updateTable('batches').set(columns).where('id', '=', id).execute()
      }),
  }
}

async function insert(db: Db, batch: NewBatch): Promise<Refusal | undefined> {
  const { id, keyId, createdAt, webhook } = batch
  await forgetOld(db, createdAt - KEPT_MS)
  const items = await Promise.all(batch.requests.map((item, position) => toItemRow(id, position, item)))
  return db.transaction().execute(async (transaction) => {
    const refusal = await findRefusal(transaction, batch)
    if (refusal !== undefined) return refusal
    const row: Row = {
      id,
      key_id: keyId,
      created_at: createdAt,
      finished_at: null,
      webhook_url: webhook?.url ?? null,
      webhook_secret: webhook?.secret ?? null,
      webhook_state: webhook === undefined ? 'none' : 'waiting',
      webhook_attempts: 0,
      webhook_failure: null,
      bytes: items.reduce((sum, { request, packed }) => sum + request.length + (packed?.length ?? 0), 0),
    }
    await transaction.insertInto('batches').values(row).execute()
    await transaction.insertInto('batch_items').values(items).execute()
    return undefined
  })
}

async function findRefusal(db: Db, { keyId, webhook, maxBytes }: NewBatch): Promise<Refusal | undefined> {
  if ((await countOpen(db, keyId)) >= MAX_OPEN_BATCHES) return 'open'
  if (webhook && (await countWaitingWebhooks(db, keyId)) >= MAX_WAITING_WEBHOOKS) return 'webhooks'
  return (await bytesOf(db, keyId)) >= maxBytes ? 'bytes' : undefined
}

async function countOpen(db: Db, keyId: string): Promise<number> {
  const { count } = await db
    .selectFrom('batches')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('key_id', '=', keyId)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function toItemRow(id: string, position: number, { request, outcome }: NewItem) {
  const text = outcome && JSON.stringify(outcome.result)
  return {
    batch_id: id,
    position,
    request: JSON.stringify(request),
    state: outcome?.state ?? 'waiting',
    attempts: 0,
    result: null,
    result_chars: text?.length ?? null,
    packed: text === undefined ? null : await packText(text),
  }
}

async function finishItem(
  db: Db,
  { id, position, result: { state, result } }: { id: string; position: number; result: ItemResult },
): Promise<void> {
  const text = JSON.stringify(result)
  const packed = await packText(text)
  await db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('batch_items')
      .set({ state, packed, result_chars: text.length })
      .where('batch_id', '=', id)
      .where('position', '=', position)
      // Two processes can finish one item, when the first was taken for dead.
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await transaction
      .updateTable('batches')
      .set((is) => ({ bytes: is('bytes', '+', packed.length) }))
      .where('id', '=', id)
      .execute()
  })
}

async function bytesOf(db: Db, keyId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('batches')
    .select(({ fn }) => fn.sum('bytes').as('bytes'))
    .where('key_id', '=', keyId)
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

async function countWaitingWebhooks(db: Db, keyId: string): Promise<number> {
  const { count } = await db
    .selectFrom('batches')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('key_id', '=', keyId)
    .where('webhook_state', '=', sql.lit('waiting'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function listUndelivered(db: Db): Promise<UndeliveredBatch[]> {
  const rows = await db
    .selectFrom('batches')
    .select(['id', 'key_id as keyId', 'webhook_url as url'])
    .where('webhook_state', '=', sql.lit('waiting'))
    .where('finished_at', 'is not', null)
    .orderBy('created_at')
    .limit(MAX_LISTED_OPEN)
    .execute()
  return rows.flatMap(({ url, ...batch }) => (url === null ? [] : [{ ...batch, url }]))
}

async function listWebhooks(db: Db, keyId: string, since: number, states: readonly DeliveryState[]): Promise<Batch[]> {
  const rows = await db
    .selectFrom('batches')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('finished_at', 'is not', null)
    .where('created_at', '>=', since)
    .where('webhook_state', 'in', states)
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED_WEBHOOKS)
    .execute()
  return rows.map(toBatch)
}

/**
 * What one order clears away: more than it adds, and no statement so long that the database gives
 * it up.
 */
const FORGOTTEN_AT_ONCE = 5

async function forgetOld(db: Db, before: number): Promise<void> {
  const old = await db
    .selectFrom('batches')
    .select('id')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(FORGOTTEN_AT_ONCE)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return
  await db.deleteFrom('batch_items').where('batch_id', 'in', ids).execute()
  await db.deleteFrom('batches').where('id', 'in', ids).execute()
}

async function listNewest(db: Db, keyId: string, since: number): Promise<BatchSummary[]> {
  const newest = db.selectFrom('batches').selectAll().where('key_id', '=', keyId).where('created_at', '>=', since)
  const rows = await newest.orderBy('created_at', 'desc').limit(MAX_LISTED_BATCHES).execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const items = db.selectFrom('batch_items').where('batch_id', 'in', ids).groupBy(['batch_id', 'state'])
  const counts = await items.select(({ fn }) => ['batch_id', 'state', fn.countAll().as('count')]).execute()
  return rows.map((row) => {
    const of = (state: ItemState) =>
      Number(counts.find((each) => each.batch_id === row.id && each.state === state)?.count ?? 0)
    return { batch: toBatch(row), waiting: of('waiting'), done: of('done'), failed: of('failed') }
  })
}

async function listItems(db: Db, id: string): Promise<BatchItem[]> {
  const rows = await db
    .selectFrom('batch_items')
    .select(['position', 'request', 'state', 'result_chars'])
    .where('batch_id', '=', id)
    .orderBy('position')
    .execute()
  return rows.map(({ position, request, state, result_chars: chars }) => ({
    position,
    request: JSON.parse(request) as BatchRequest,
    state: state as ItemState,
    resultChars: chars ?? (state === 'waiting' ? 0 : MAX_ANSWER_CHARS),
  }))
}

async function readResults(db: Db, id: string, positions: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (positions.length === 0) return new Map()
  const rows = await db
    .selectFrom('batch_items')
    .select(['position', 'result', 'packed'])
    .where('batch_id', '=', id)
    .where('position', 'in', positions)
    .execute()
  const texts = rows.map(async ({ position, result, packed }) => {
    const text = packed === null ? result : await unpackText(packed)
    return text === null ? [] : [[position, text] as const]
  })
  return new Map((await Promise.all(texts)).flat())
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
    webhookFailure: row.webhook_failure ?? undefined,
  }
}

async function guard<T>(operation: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    throw new BatchStoreError(operation, error)
  }
}
