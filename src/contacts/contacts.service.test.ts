import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SmtpStandIn, startSmtpStandIn } from '../../test/contacts/smtp-stand-in.js'
import { BOT_TOKEN, startTelegramStandIn, type TelegramStandIn } from '../../test/contacts/telegram-stand-in.js'
import { createTestApp } from '../../test/http/test-app.js'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import { createSqlJobQueue } from '../batches/sql-job-queue.js'
import { chains } from '../chains/index.js'
import { type Clock, createSystemClock } from '../clock.js'
import { readConfig } from '../config.js'
import { toPaddedHex } from '../hex.js'
import { createLog } from '../log.js'
import { type Db, openDatabase } from '../stores/database.js'
import { createSqlWatchStore } from '../watching/sql-watch-store.js'
import { alertsOf, type Event } from '../watching/tell-changes.js'
import { ALERT_KINDS, type Watch } from '../watching/watch.js'
import { createContactService } from '../wiring/create-contact-service.js'
import type { OpenQueue } from '../wiring/load-queues.js'
import { NOTICE_KEPT_MS } from './contact.js'
import type { Contacts } from './create-contacts.js'

const ORIGIN = 'https://assay.example'
const TOKEN = toPaddedHex(0x70_0001n, 20)
const SHARES = { ofKey: 100, ofChain: 100 }

async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('what was waited for did not come')
}

const linkIn = (text: string, kind: 'confirm' | 'stop') =>
  new RegExp(`${ORIGIN}/contacts/${kind}/([\\w-]{43})(?![\\w-])`).exec(text)?.[1] ?? ''

const eventNo = (n: number, text = 'What decides a sale was changed.'): Event => ({
  ...{ kind: 'condition', text, before: undefined, after: undefined, key: `condition ${n}` },
  origin: { block: { number: BigInt(n), hash: toPaddedHex(BigInt(n), 32) }, transaction: undefined },
})

const watchOf = (contacts: readonly string[], keyId = 'key_a'): Watch => ({
  ...{ id: `watch_${keyId}`, keyId, chainId: 1, address: TOKEN, tells: ALERT_KINDS, webhook: undefined, contacts },
  ...{ createdAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
})

const schemas = createTestSchemas('contacts')
const stores = [
  { name: 'SQLite', url: async () => undefined, isHere: true },
  { name: 'PostgreSQL', url: schemas.newUrl, isHere: await hasPostgres() },
]
afterAll(() => schemas.drop())

describe.each(stores.filter(({ isHere }) => isHere))('contacts in $name', ({ url }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-contacts-'))
  const running: Contacts[] = []
  let db: Db
  let smtp: SmtpStandIn
  let telegram: TelegramStandIn
  let aheadMs = 0
  const clock: Clock = { ...createSystemClock(), now: () => Date.now() + aheadMs }

  beforeAll(async () => {
    db = await openDatabase({ dataDir, databaseUrl: await url() })
  })
  beforeEach(async () => {
    for (const contacts of running.splice(0)) await contacts.close()
    await smtp?.close()
    await telegram?.close()
    const tables = ['watches', 'watched_tokens', 'watch_chains', 'alerts', 'contacts', 'contact_asks'] as const
    for (const table of [...tables, 'refused_receivers', 'notices', 'notice_jobs', 'bot_places'] as const)
      await db.deleteFrom(table).execute()
    smtp = await startSmtpStandIn()
    telegram = await startTelegramStandIn()
    aheadMs = 0
  })
  afterAll(async () => {
    for (const contacts of running) await contacts.close()
    await smtp?.close()
    await telegram?.close()
    await db?.destroy()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** As one process has them. */
  function startProcess(): Contacts {
    const config = readConfig({
      ...{ ASSAY_SMTP_URL: smtp.url, ASSAY_MAIL_FROM: 'Assay <alerts@assay.example>', ASSAY_PUBLIC_URL: ORIGIN },
      ...{ ASSAY_TELEGRAM_TOKEN: BOT_TOKEN, ASSAY_TELEGRAM_URL: telegram.url },
    })
    const watchStore = createSqlWatchStore(db)
    const openQueue: OpenQueue = (kind, onFailure) => createSqlJobQueue({ db, kind, clock, onFailure })
    const log = createLog({ level: 'silent' })
    const contacts = createContactService(config, { db, openQueue, watchStore, clock, log })
    contacts.start()
    running.push(contacts)
    return contacts
  }
  const order = async (contacts: Contacts, kind: string, address?: string, keyId = 'key_a') => {
    const ordered = await contacts.order({ keyId, kind, address })
    if (typeof ordered === 'string') throw new Error(ordered)
    return ordered
  }
  /** A mailbox that said yes. */
  async function confirmed(contacts: Contacts, address = 'reader@mail.example', keyId = 'key_a') {
    const { contact } = await order(contacts, 'email', address, keyId)
    expect(await contacts.confirm(linkIn(smtp.mails.at(-1)?.text ?? '', 'confirm'))).toMatchObject({ id: contact.id })
    smtp.mails.length = 0
    return contact
  }
  /** Watches, and has a follower write down what happened. */
  async function tell(watch: Watch, events: readonly Event[], holder = 'a') {
    const store = createSqlWatchStore(db)
    if ((await store.find(watch.id)) === undefined) await store.add(watch, SHARES)
    const times = { now: clock.now(), leaseMs: 1 }
    const before = await until(() => store.holdChain(1, holder, { ...times, now: clock.now() }))
    const last = events.at(-1)?.origin?.block ?? { number: 0n, hash: toPaddedHex(0n, 32) }
    const alerts = alertsOf([watch], TOKEN, events, clock.now())
    return store.advance({ chainId: 1, holder, before, after: [last], due: [], alerts })
  }
  const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to === address)
  const recordOf = async (contacts: Contacts, keyId = 'key_a') => (await contacts.list(keyId))[0]?.record

  test('a mailbox is told once it has confirmed, of each alert once, and ends it by the link', async () => {
    const contacts = startProcess()
    const { contact } = await order(contacts, 'email', 'Reader+tokens@Mail.example')
    const [question] = smtp.mails
    expect(question).toMatchObject({ to: 'Reader+tokens@mail.example' })
    await tell(watchOf([contact.id]), [eventNo(1)])
    await until(async () => ((await recordOf(contacts))?.failure ? true : undefined))
    expect(await recordOf(contacts)).toMatchObject({ failure: 'The receiver has not confirmed yet', delivered: 0 })

    const code = linkIn(question?.text ?? '', 'confirm')
    expect(await contacts.confirm(`${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined()
    expect(await contacts.confirm(code)).toMatchObject({ isConfirmed: true })
    expect(await contacts.confirm(code)).toBeUndefined()
    await tell(watchOf([contact.id]), [eventNo(2, 'It is "x.example" http://evil.example/a now. @evil 12.5 %')])
    await until(() => (smtp.mails.length > 1 ? true : undefined))
    const [, told] = smtp.mails
    expect(told?.text).toContain('It is x. example http: evil. example a now. evil 12.5 %'.replaceAll(/ +/g, ' '))
    expect(told?.headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m)
    expect(told?.headers).toMatch(/^Content-Type: text\/plain/m)
    expect(told?.headers).toMatch(/^Message-ID: <notice_[0-9a-f]{32}@assay.example>/m)

    expect(await contacts.stop(linkIn(told?.text ?? '', 'stop'), false)).toBe(true)
    await tell(watchOf([contact.id]), [eventNo(3)])
    await until(async () => {
      const row = await db.selectFrom('notices').selectAll().where('failure', 'like', '%wants no%').executeTakeFirst()
      return row && true
    })
    expect(smtp.mails).toHaveLength(2)
  })

  test('two processes and two followers that find the same: nothing is lost and nothing doubled', async () => {
    const [one, two] = [startProcess(), startProcess()]
    const mailbox = await confirmed(one)
    const { link } = await order(two, 'telegram')
    telegram.write(77, `/start ${new URL(link ?? '').searchParams.get('start')}`)
    const chat = await until(async () => (await one.list('key_a')).find((each) => each.contact.address === '77'))
    const events = Array.from({ length: 12 }, (_, i) => eventNo(i))
    const watch = watchOf([mailbox.id, chat.contact.id])
    await createSqlWatchStore(db).add(watch, SHARES)
    await Promise.all([tell(watch, events, 'a'), tell(watch, events, 'b')])
    await until(() => (smtp.mails.length >= 12 && telegram.sent.length >= 13 ? true : undefined))
    await until(async () =>
      (await db.selectFrom('notice_jobs').selectAll().execute()).length === 0 ? true : undefined,
    )
    const blocksIn = (texts: readonly string[]) =>
      texts
        .flatMap((text) => /^Block: (\d+)$/m.exec(text)?.[1] ?? [])
        .map(Number)
        .toSorted((a, b) => a - b)
    const all = events.map((_, i) => i)
    expect(blocksIn(mailsTo('reader@mail.example').map(({ text }) => text))).toEqual(all)
    expect(blocksIn(telegram.sent.filter((each) => each.chat_id === 77).map(({ text }) => text))).toEqual(all)
    expect(telegram.sent.every((each) => each.parse_mode === undefined)).toBe(true)
    expect(telegram.mostReaders()).toBe(1)
  })

  test('what a server does not take now comes later, and what it never takes is given up at once', async () => {
    const contacts = startProcess()
    const { id } = await confirmed(contacts)
    smtp.refusals.push('451 later')
    await tell(watchOf([id]), [eventNo(1)])
    await until(() => (smtp.mails.length === 1 ? true : undefined))
    smtp.refusals.push('550 no such mailbox')
    await tell(watchOf([id]), [eventNo(2)])
    const failure = await until(async () => (await recordOf(contacts))?.failure)
    expect(failure).toBe('The mail server refused the message')
    expect(smtp.mails).toHaveLength(1)
    expect(await recordOf(contacts)).toMatchObject({ delivered: 1, waiting: 0 })
  })

  test('a chat confirms by its own message alone, and ends all by /stop or by blocking the bot', async () => {
    const contacts = startProcess()
    const { link, contact } = await order(contacts, 'telegram')
    expect(link).toMatch(/^https:\/\/t\.me\/stand_in_bot\?start=[\w-]{43}$/)
    const code = new URL(link ?? '').searchParams.get('start') ?? ''
    expect(await contacts.confirm(code)).toBeUndefined()
    telegram.write(-5, `/start ${code}`, 'group')
    telegram.write(8, `/start ${'x'.repeat(43)}`)
    telegram.write(7, `/start ${code}`)
    await until(async () => ((await contacts.list('key_a'))[0]?.contact.isConfirmed ? true : undefined))
    await until(() => (telegram.sent.length === 2 ? true : undefined))
    expect(telegram.sent.map(({ chat_id: chat }) => chat)).toEqual([8, 7])
    telegram.write(8, '/stop')
    telegram.write(7, '/stop')
    await until(async () => ((await contacts.list('key_a')).length === 0 ? true : undefined))

    const again = await order(contacts, 'telegram')
    telegram.write(7, `/start ${new URL(again.link ?? '').searchParams.get('start')}`)
    await until(async () => ((await contacts.list('key_a'))[0]?.contact.isConfirmed ? true : undefined))
    await until(() => (telegram.sent.length === 4 ? true : undefined))
    telegram.refusals.push({ status: 403 })
    await tell(watchOf([again.contact.id]), [eventNo(1)])
    await until(async () => ((await contacts.list('key_a')).length === 0 ? true : undefined))
    expect(contact.id).not.toBe(again.contact.id)
  })

  test('strangers are asked seldom: by one key, by many, and not at all once they refused', async () => {
    const contacts = startProcess()
    const ask = (keyId: string, address: string) => contacts.order({ keyId, kind: 'email', address })
    for (const note of ['', '+a', '+b']) expect(await ask(`key_${note}`, `v${note}@mail.example`)).toBeTypeOf('object')
    expect(await ask('key_z', 'V+c@mail.example')).toBe('receiver')
    expect(mailsTo('v@mail.example')).toHaveLength(1)
    for (let i = 0; i < 10; i += 1) await ask('key_a', `r${i}@mail.example`)
    expect(await ask('key_a', 'one-more@mail.example')).toBe('contacts')
    for (const { contact } of await contacts.list('key_a')) await contacts.remove(contact.id, 'key_a')
    for (let i = 0; i < 10; i += 1) await ask('key_a', `s${i}@mail.example`)
    for (const { contact } of await contacts.list('key_a')) await contacts.remove(contact.id, 'key_a')
    expect(await ask('key_a', 't@mail.example')).toBe('asks')
    await ask('key_b', 'never@mail.example')
    expect(await contacts.stop(linkIn(mailsTo('never@mail.example')[0]?.text ?? '', 'stop'), true)).toBe(true)
    expect(await ask('key_c', 'never+again@mail.example')).toBe('receiver')
    for (const wrong of [
      'a@b',
      'a@b.example, c@d.example',
      'A <a@b.example>',
      '"a b"@c.example',
      'a@[127.0.0.1]',
      'a\r\n@b.example',
    ])
      expect(await ask('key_d', wrong)).toBe('no-address')
    expect(await contacts.order({ keyId: 'key_d', kind: 'fax', address: undefined })).toBe('unknown-way')
  })

  test('a receiver has room for thirty messages an hour; the others wait, and are given up after a day', async () => {
    const contacts = startProcess()
    const { id } = await confirmed(contacts)
    const ended = { state: 'delivered', attempts: 1, failure: null, ended_at: clock.now() }
    await db
      .insertInto('notices')
      .values(
        Array.from({ length: 30 }, (_, i) => ({
          ...{
            id: `notice_${i}`,
            alert_id: `a${i}`,
            contact_id: id,
            key_id: 'key_a',
            place: 0,
            created_at: clock.now(),
          },
          ...ended,
        })),
      )
      .execute()
    await tell(watchOf([id]), [eventNo(1)])
    const job = await until(async () => {
      const row = await db.selectFrom('notice_jobs').selectAll().executeTakeFirst()
      return row && row.holder === null && row.ready_at > clock.now() + 60_000 ? row : undefined
    })
    expect(job).toBeDefined()
    expect(smtp.mails).toEqual([])
    aheadMs = NOTICE_KEPT_MS + 60_000
    expect(await until(async () => (await recordOf(contacts))?.failure)).toBe('There was no room for it within a day')
  })

  test('pages change nothing when they are opened, and do it at a button, for mail programs too', async () => {
    const contacts = startProcess()
    const { app, key, keyId } = await createTestApp({ services: { contacts } })
    const headers = { authorization: `Bearer ${key}` }
    const ordered = await app.inject({
      ...{ method: 'POST', url: '/api/contacts', headers },
      payload: { kind: 'email', address: 'reader@mail.example' },
    })
    expect(ordered).toMatchObject({ statusCode: 201 })
    expect(ordered.json()).toMatchObject({ contact: { address: 'r…@mail.example', isConfirmed: false }, link: null })
    const confirm = `/contacts/confirm/${linkIn(smtp.mails[0]?.text ?? '', 'confirm')}`
    const opened = await app.inject({ url: confirm, headers: { 'sec-fetch-site': 'cross-site' } })
    expect(opened).toMatchObject({ statusCode: 200 })
    expect(opened.headers['content-security-policy']).toContain("form-action 'self'")
    const isConfirmed = async () => (await contacts.list(keyId)).map(({ contact }) => contact.isConfirmed)
    expect(await isConfirmed()).toEqual([false])
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await app.inject({ method: 'POST', url: confirm, headers: form })).toMatchObject({ statusCode: 200 })
    expect(await isConfirmed()).toEqual([true])
    expect(await app.inject({ url: confirm })).toMatchObject({ statusCode: 404 })

    const stop = `/contacts/stop/${linkIn(smtp.mails[0]?.text ?? '', 'stop')}`
    expect((await app.inject({ url: stop })).body).toContain('Never write to me again')
    expect(await isConfirmed()).toEqual([true])
    const body = 'List-Unsubscribe=One-Click'
    expect(await app.inject({ method: 'POST', url: stop, headers: form, payload: body })).toMatchObject({
      statusCode: 200,
    })
    expect(await isConfirmed()).toEqual([])
    expect(await app.inject({ url: '/contacts/stop/<script>' })).toMatchObject({ statusCode: 200 })

    const others = await contacts.order({ keyId: 'key_b', kind: 'email', address: 'b@mail.example' })
    const id = typeof others === 'string' ? '' : others.contact.id
    const watch = { targetContractAddress: TOKEN, chainId: chains[0]?.id, contacts: [id] }
    const refused = await app.inject({ method: 'POST', url: '/api/watches', headers, payload: watch })
    expect(refused.json()).toMatchObject({ code: 'invalid_contacts' })
    await app.close()
  })
})
