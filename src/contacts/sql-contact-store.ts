import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db } from '../stores/database.js'
import type { Tables } from '../stores/tables.js'
import {
  ASKS_MS,
  ASKS_OF_KEY,
  ASKS_OF_RECEIVER,
  CODE_MS,
  CONTACT_KINDS,
  type Contact,
  MAX_CONTACTS,
  REFUSED_MS,
} from './contact.js'
import type { ContactRefusal, ContactStore, Question } from './contact-store.js'
import { guardContacts } from './guard-contacts.js'
import { createSqlNotices, forgetNotices } from './sql-notices.js'

/** Contacts in SQLite or PostgreSQL. Does not own `db`. */
export function createSqlContactStore(db: Db): ContactStore {
  const contacts = () => db.selectFrom('contacts').selectAll()
  const ending = () => db.deleteFrom('contacts')
  return {
    ask: (question) => guardContacts('ask a contact', () => ask(db, question)),
    find: (id) => guardContacts('read a contact', () => first(contacts().where('id', '=', id))),
    list: (keyId) =>
      guardContacts('list contacts', async () => {
        const rows = await contacts()
          .where('key_id', '=', keyId)
          .orderBy('created_at', 'desc')
          .limit(MAX_CONTACTS)
          .execute()
        return rows.map(toContact)
      }),
    findByCode: (codeHash, now) =>
      guardContacts('read a contact', () =>
        first(contacts().where('code_hash', '=', codeHash).where('code_until', '>', now)),
      ),
    findByStopToken: (token) =>
      guardContacts('read a contact', () => first(contacts().where('stop_token', '=', token))),
    confirm: (...of) => guardContacts('confirm a contact', () => confirm(db, ...of)),
    remove: (id, keyId) =>
      guardContacts('remove a contact', () =>
        countDeleted(ending().where('id', '=', id).where('key_id', '=', keyId)),
      ).then((count) => count > 0),
    stop: (token) =>
      guardContacts('end a contact', () => countDeleted(ending().where('stop_token', '=', token))).then(
        (count) => count > 0,
      ),
    stopReceiver: (receiver, refusedAt) =>
      guardContacts('end contacts', async () => {
        if (refusedAt !== undefined)
          await db
            .insertInto('refused_receivers')
            .values({ receiver, at: refusedAt })
            .onConflict((conflict) => conflict.column('receiver').doUpdateSet({ at: refusedAt }))
            .execute()
        return countDeleted(ending().where('receiver', '=', receiver))
      }),
    ...createSqlNotices(db),
    forgetOld: (now) =>
      guardContacts('forget contacts', async () => {
        await db.deleteFrom('contacts').where('state', '=', 'asked').where('code_until', '<=', now).execute()
        await db
          .deleteFrom('contact_asks')
          .where('at', '<=', now - ASKS_MS)
          .execute()
        await db
          .deleteFrom('refused_receivers')
          .where('at', '<=', now - REFUSED_MS)
          .execute()
        await forgetNotices(db, now)
      }),
  }
}

async function ask(db: Db, { contact, codeHash, now }: Question): Promise<Contact | ContactRefusal> {
  const { keyId, kind, receiver } = contact
  return db.transaction().execute(async (transaction) => {
    const own = await transaction.selectFrom('contacts').selectAll().where('key_id', '=', keyId).execute()
    const known = own.find((row) => receiver !== undefined && row.receiver === receiver)
    if (known?.state === 'confirmed') return toContact(known)
    if (known === undefined && own.length >= MAX_CONTACTS) return 'contacts'
    const asked = (column: 'key_id' | 'receiver', value: string) =>
      transaction
        .selectFrom('contact_asks')
        .select(({ fn }) => fn.countAll().as('count'))
        .where(column, '=', value)
        .where('at', '>', now - ASKS_MS)
        .executeTakeFirstOrThrow()
        .then(({ count }) => Number(count))
    if ((await asked('key_id', keyId)) >= ASKS_OF_KEY) return 'asks'
    if (receiver !== undefined) {
      if ((await asked('receiver', receiver)) >= ASKS_OF_RECEIVER) return 'receiver'
      const refused = transaction.selectFrom('refused_receivers').selectAll().where('receiver', '=', receiver)
      if ((await refused.where('at', '>', now - REFUSED_MS).executeTakeFirst()) !== undefined) return 'receiver'
    }
    await transaction
      .insertInto('contact_asks')
      .values({ id: randomUUID(), key_id: keyId, receiver: receiver ?? kind, at: now })
      .execute()
    const code = { code_hash: codeHash, code_until: now + CODE_MS }
    if (known !== undefined) {
      await transaction.updateTable('contacts').set(code).where('id', '=', known.id).execute()
      return toContact(known)
    }
    await transaction
      .insertInto('contacts')
      .values({
        ...{ id: contact.id, key_id: keyId, kind, receiver: receiver ?? null, address: contact.address ?? null },
        ...{ state: 'asked', stop_token: contact.stopToken, created_at: contact.createdAt, ...code },
      })
      .execute()
    return contact
  })
}

async function confirm(
  db: Db,
  codeHash: string,
  now: number,
  chat?: { receiver: string; address: string },
): Promise<Contact | undefined> {
  return db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('contacts')
      .set({ state: 'confirmed', code_hash: null, ...chat })
      .where('code_hash', '=', codeHash)
      .where('code_until', '>', now)
      .where('kind', '=', chat === undefined ? 'email' : 'telegram')
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) return undefined
    // One receiver is told once by one key.
    await transaction
      .deleteFrom('contacts')
      .where('key_id', '=', row.key_id)
      .where('receiver', '=', row.receiver)
      .where('id', '!=', row.id)
      .execute()
    return toContact(row)
  })
}

function toContact(row: Selectable<Tables['contacts']>): Contact {
  return {
    id: row.id,
    keyId: row.key_id,
    kind: CONTACT_KINDS.find((kind) => kind === row.kind) ?? 'email',
    receiver: row.receiver ?? undefined,
    address: row.address ?? undefined,
    isConfirmed: row.state === 'confirmed',
    stopToken: row.stop_token,
    createdAt: row.created_at,
  }
}

async function first(query: { executeTakeFirst(): Promise<Selectable<Tables['contacts']> | undefined> }) {
  const row = await query.executeTakeFirst()
  return row && toContact(row)
}

async function countDeleted(query: { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> }): Promise<number> {
  return Number((await query.executeTakeFirst()).numDeletedRows)
}
