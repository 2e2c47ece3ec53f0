import { randomUUID } from 'node:crypto'
import { NOTICE_QUEUE } from '../batches/job-queue.js'
import { createSqlJobQueue } from '../batches/sql-job-queue.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import { type Contacts, createContacts } from '../contacts/create-contacts.js'
import { createTelegramListener } from '../contacts/hear-telegram.js'
import { createSendMail } from '../contacts/send-mail.js'
import { createSqlContactStore } from '../contacts/sql-contact-store.js'
import { createTelegramApi } from '../contacts/telegram-api.js'
import { createNoticeWork } from '../contacts/work-on-notice.js'
import type { Log } from '../log.js'
import type { Db } from '../stores/database.js'
import type { WatchStore } from '../watching/watch-store.js'
import type { OpenQueue } from './load-queues.js'

interface ContactParts {
  db: Db
  openQueue: OpenQueue
  watchStore: WatchStore
  clock: Clock
  log: Log
}

/** Contacts live in the database. */
export function createContactService(
  { chains, mail, telegram, publicOrigins }: Config,
  { db, openQueue, watchStore, clock, log }: ContactParts,
): Contacts {
  const store = createSqlContactStore(db)
  const onFailure = (error: unknown) => log.warn({ error }, 'telling contacts failed; it goes on')
  // Without a way to tell any there is nothing to hand out.
  const isUsed = mail !== undefined || telegram !== undefined
  const queue = isUsed
    ? openQueue(NOTICE_QUEUE, onFailure)
    : createSqlJobQueue({ db, kind: NOTICE_QUEUE, clock, onFailure })
  const origin = publicOrigins[0] ?? ''
  const sendMail = mail && createSendMail(mail)
  const api = telegram && createTelegramApi(telegram)
  const parts = { store, sendMail, telegram: api, clock, origin, onFailure }
  return createContacts({
    ...parts,
    queue,
    work: createNoticeWork({ ...parts, alerts: watchStore, chains }),
    listener: api && createTelegramListener({ ...parts, api, holder: randomUUID(), now: clock.now }),
  })
}
