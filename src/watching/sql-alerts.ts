import { sql } from 'kysely'
import type { Db } from '../stores/database.js'
import type { Alert } from './watch.js'
import { alertRow, guard, inParts, noticeRows, toAlert } from './watch-rows.js'
import type { WatchStore } from './watch-store.js'

type Alerts = Pick<WatchStore, 'findAlert' | 'listAlerts' | 'listUndelivered' | 'newestPlace' | 'setDelivery'>

/** The part of the store that is about what was told. */
export function createSqlAlerts(db: Db): Alerts {
  return {
    listAlerts: (keyId, { after, limit, watchId }) =>
      guard('list alerts', async () => {
        const rows = await db
          .selectFrom('alerts')
          .selectAll()
          .where('key_id', '=', keyId)
          .where('place', '>', after)
          .$if(watchId !== undefined, (query) => query.where('watch_id', '=', watchId ?? ''))
          .orderBy('place')
          .limit(limit)
          .execute()
        return rows.map(toAlert)
      }),
    newestPlace: (keyId) =>
      guard('read a place', async () => {
        const newest = db.selectFrom('alerts').select(({ fn }) => fn.max('place').as('place'))
        const { place } = await newest.where('key_id', '=', keyId).executeTakeFirstOrThrow()
        return Number(place ?? 0)
      }),
    findAlert: (id) =>
      guard('read an alert', async () => {
        const row = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst()
        return row && toAlert(row)
      }),
    setDelivery: (id, { state, attempts, failure = null }) =>
      guard('record a delivery', async () => {
        const columns = { webhook_state: state, webhook_attempts: attempts, webhook_failure: failure }
        await db.updateTable('alerts').set(columns).where('id', '=', id).execute()
      }),
    listUndelivered: (after, limit) =>
      guard('list webhooks', async () => {
        const waiting = db.selectFrom('alerts').selectAll().where('webhook_state', '=', sql.lit('waiting'))
        return (await waiting.where('place', '>', after).orderBy('place').limit(limit).execute()).map(toAlert)
      }),
  }
}

/** Part of the transaction that found them: an alert that is there already stays as it is. */
export async function insertAlerts(db: Db, alerts: readonly Alert[]): Promise<void> {
  if (alerts.length === 0) return
  const first = await takePlaces(db, 'alerts', alerts.length)
  const placed = alerts.map((alert, i) => ({ alert, at: first + i }))
  for (const part of inParts(placed.map(({ alert, at }) => alertRow(alert, at))))
    await db
      .insertInto('alerts')
      .values(part)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  for (const part of inParts(placed.flatMap(({ alert, at }) => noticeRows(alert, at))))
    await db
      .insertInto('notices')
      .values(part)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
}

/**
 * The first of so many places, one after the other. A transaction that takes some holds the row
 * until it can be seen, so that no reader passes over one.
 */
export async function takePlaces(db: Db, name: 'alerts' | 'feed', count: number): Promise<number> {
  const { place } = await db
    .updateTable('alert_places')
    .set((is) => ({ place: is('place', '+', count) }))
    .where('name', '=', name)
    .returning('place')
    .executeTakeFirstOrThrow()
  return place - count + 1
}
