import { type Selectable, sql } from 'kysely'
import type { WebhookState } from '../batches/batch.js'
import type { Db } from '../stores/database.js'
import type { Tables } from '../stores/tables.js'
import { ALERT_KEPT_MS } from '../watching/watch.js'
import { NOTICES_MS, NOTICES_OF_KEY, NOTICES_OF_RECEIVER } from './contact.js'
import type { ContactStore, Notice } from './contact-store.js'
import { guardContacts } from './guard-contacts.js'

type Notices = Pick<
  ContactStore,
  'findNotice' | 'listUndelivered' | 'setDelivery' | 'findNoRoom' | 'readRecord' | 'holdBot' | 'moveBot' | 'releaseBot'
>

/** The part of the store that is about what contacts are told, and what bots hear. */
export function createSqlNotices(db: Db): Notices {
  const notices = () => db.selectFrom('notices').selectAll()
  const bots = () => db.updateTable('bot_places')
  return {
    findNotice: (id) =>
      guardContacts('read a notice', async () => {
        const row = await notices().where('id', '=', id).executeTakeFirst()
        return row && toNotice(row)
      }),
    listUndelivered: (after, limit) =>
      guardContacts('list notices', async () => {
        const waiting = notices().where('state', '=', sql.lit('waiting')).where('place', '>', after)
        return (await waiting.orderBy('place').limit(limit).execute()).map(toNotice)
      }),
    setDelivery: (id, { state, attempts, failure = null }, now) =>
      guardContacts('record a delivery', async () => {
        const columns = { state, attempts, failure, ended_at: state === 'waiting' ? null : now }
        await db.updateTable('notices').set(columns).where('id', '=', id).execute()
      }),
    findNoRoom: ({ keyId, receiver = '' }, now) =>
      guardContacts('count notices', async () => {
        const sent = db
          .selectFrom('notices')
          .select('ended_at')
          .where('state', '=', 'delivered')
          .where('ended_at', '>', now - NOTICES_MS)
          .orderBy('ended_at', 'desc')
        const ofReceiver = db.selectFrom('contacts').select('id').where('receiver', '=', receiver)
        // The message before as many as there is room for is the one whose hour has to end.
        const full = await Promise.all([
          sent
            .where('contact_id', 'in', ofReceiver)
            .offset(NOTICES_OF_RECEIVER - 1)
            .limit(1)
            .executeTakeFirst(),
          sent
            .where('key_id', '=', keyId)
            .offset(NOTICES_OF_KEY - 1)
            .limit(1)
            .executeTakeFirst(),
        ])
        const ends = full.flatMap((row) => (row?.ended_at == null ? [] : [row.ended_at + NOTICES_MS]))
        return ends.length === 0 ? undefined : { until: Math.max(...ends) }
      }),
    readRecord: (contactId) =>
      guardContacts('count notices', async () => {
        const of = db.selectFrom('notices').where('contact_id', '=', contactId)
        const rows = await of
          .select(['state', ({ fn }) => fn.countAll().as('count')])
          .groupBy('state')
          .execute()
        const count = (state: WebhookState) => Number(rows.find((row) => row.state === state)?.count ?? 0)
        const failed = of.select('failure').where('state', '=', 'failed').orderBy('ended_at', 'desc').limit(1)
        const failure = (await failed.executeTakeFirst())?.failure ?? undefined
        return { delivered: count('delivered'), waiting: count('waiting'), failure }
      }),
    holdBot: (name, holder, { now, leaseMs }) =>
      guardContacts('take a bot', async () => {
        await db
          .insertInto('bot_places')
          .values({ name, holder, held_until: 0, place: 0 })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute()
        return bots()
          .set({ holder, held_until: now + leaseMs })
          .where('name', '=', name)
          .where((is) => is.or([is('holder', '=', holder), is('held_until', '<=', now)]))
          .returning('place')
          .executeTakeFirst()
      }),
    moveBot: (name, holder, place) =>
      guardContacts('move a bot on', async () => {
        const moved = bots().set({ place }).where('name', '=', name).where('holder', '=', holder)
        return (await moved.executeTakeFirst()).numUpdatedRows > 0n
      }),
    releaseBot: (name, holder) =>
      guardContacts('let go of a bot', async () => {
        await bots().set({ held_until: 0 }).where('name', '=', name).where('holder', '=', holder).execute()
      }),
  }
}

/** What one round of forgetting clears away, so that no statement takes long. */
const FORGOTTEN_AT_ONCE = 500

/** Notices go with their alerts. */
export async function forgetNotices(db: Db, now: number): Promise<void> {
  const old = db
    .selectFrom('notices')
    .select('id')
    .where('created_at', '<', now - ALERT_KEPT_MS)
    .limit(FORGOTTEN_AT_ONCE)
  await db.deleteFrom('notices').where('id', 'in', old).execute()
}

const toNotice = (row: Selectable<Tables['notices']>): Notice => ({
  id: row.id,
  alertId: row.alert_id,
  contactId: row.contact_id,
  keyId: row.key_id,
  place: row.place,
  createdAt: row.created_at,
  state: row.state as WebhookState,
  attempts: row.attempts,
})
