import { randomBytes } from 'node:crypto'
import type { JobQueue, Work } from '../batches/job-queue.js'
import type { Clock } from '../clock.js'
import { startLoops } from '../scheduling/start-loops.js'
import {
  CONTACT_KINDS,
  type Contact,
  type ContactKind,
  isContactId,
  isSecretForm,
  mailboxOf,
  parseMailAddress,
} from './contact.js'
import type { ContactRecord, ContactRefusal, ContactStore } from './contact-store.js'
import { hashCode, type TelegramListener } from './hear-telegram.js'
import type { SendMail } from './send-mail.js'
import type { TelegramApi } from './telegram-api.js'
import { writeQuestion } from './write-message.js'

/** A contact, and how its last messages went. */
export interface ContactStatus {
  contact: Contact
  record: ContactRecord
}

/** A contact that was ordered. */
export interface OrderedContact {
  contact: Contact
  /** By which its receiver says yes, where that is not in a mail. */
  link: string | undefined
}

/** Why a contact was not made. */
export type OrderRefusal = ContactRefusal | 'unknown-way' | 'no-address'

export interface Contacts {
  /** What the operator has set up. */
  readonly ways: readonly ContactKind[]
  /** Asks the receiver, which is told of nothing before it said yes. */
  order(order: { keyId: string; kind: string; address: string | undefined }): Promise<OrderedContact | OrderRefusal>
  list(keyId: string): Promise<ContactStatus[]>
  remove(id: string, keyId: string): Promise<boolean>
  /** Whether all of these are the key's. */
  areOf(keyId: string, ids: readonly string[]): Promise<boolean>
  /** The contact that a code would confirm. */
  findByCode(code: string): Promise<Contact | undefined>
  confirm(code: string): Promise<Contact | undefined>
  findByStopToken(token: string): Promise<Contact | undefined>
  /** Ends the messages of one contact; `forGood`: of the receiver, which is asked no more. */
  stop(token: string, forGood: boolean): Promise<boolean>
  start(): void
  close(): Promise<void>
}

export interface ContactsOptions {
  store: ContactStore
  clock: Clock
  queue: JobQueue
  work: Work
  sendMail: SendMail | undefined
  telegram: Pick<TelegramApi, 'readName'> | undefined
  listener: TelegramListener | undefined
  origin: string
  onFailure(error: unknown): void
}

const REQUEUE_MS = 30_000
const LOOK_MS = 1_000
const FORGET_MS = 60_000
/** Notices that are put into the queue again in one go. */
const MAX_REQUEUED = 1_000

/** People that keys have told of what their watches find. */
export function createContacts(options: ContactsOptions): Contacts {
  const { store, clock, queue, sendMail, telegram, listener, origin, onFailure } = options
  const ways = CONTACT_KINDS.filter((kind) => (kind === 'email' ? sendMail : telegram) !== undefined)
  const controller = new AbortController()
  let loops: Promise<void> = Promise.resolve()
  let closed: Promise<void> | undefined
  let botName: string | undefined

  const linkToBot = async (code: string) => {
    botName ??= await telegram?.readName()
    return `https://t.me/${botName}?start=${code}`
  }
  let [place, requeuedAt] = [0, Number.NEGATIVE_INFINITY]
  /** New notices at once; now and then all, for a queue can lose some. */
  const requeue = async () => {
    if (clock.monotonic() - requeuedAt > REQUEUE_MS) [place, requeuedAt] = [0, clock.monotonic()]
    for (const { id, keyId, contactId, place: at } of await store.listUndelivered(place, MAX_REQUEUED)) {
      await queue.add({ id, owner: keyId, lane: contactId })
      place = at
    }
  }

  return {
    ways,
    async order({ keyId, kind: wanted, address: text }) {
      const kind = ways.find((each) => each === wanted)
      if (kind === undefined) return 'unknown-way'
      const address = kind === 'email' ? parseMailAddress(text ?? '') : undefined
      if (kind === 'email' && address === undefined) return 'no-address'
      const [code, stopToken] = [secret(), secret()]
      // Before anything is written: what cannot be answered is not begun.
      const link = kind === 'telegram' ? await linkToBot(code) : undefined
      const id = `contact_${randomBytes(16).toString('hex')}`
      const receiver = address === undefined ? undefined : mailboxOf(address)
      const now = clock.now()
      const wish = { id, keyId, kind, receiver, address, isConfirmed: false, stopToken, createdAt: now }
      const contact = await store.ask({ contact: wish, codeHash: hashCode(code), now })
      if (typeof contact === 'string') return contact
      if (contact.isConfirmed) return { contact, link: undefined }
      if (contact.address !== undefined) {
        const question = writeQuestion(code, contact.stopToken, { origin })
        await sendMail?.({ ...question, to: contact.address, id: `question_${hashCode(code).slice(0, 32)}` })
      }
      return { contact, link }
    },
    list: async (keyId) =>
      Promise.all(
        (await store.list(keyId)).map(async (contact) => ({ contact, record: await store.readRecord(contact.id) })),
      ),
    remove: async (id, keyId) => isContactId(id) && store.remove(id, keyId),
    async areOf(keyId, ids) {
      if (ids.length === 0) return true
      const own = new Set((await store.list(keyId)).map(({ id }) => id))
      return ids.every((id) => own.has(id))
    },
    findByCode: async (code) => (isSecretForm(code) ? store.findByCode(hashCode(code), clock.now()) : undefined),
    confirm: async (code) => (isSecretForm(code) ? store.confirm(hashCode(code), clock.now()) : undefined),
    findByStopToken: async (token) => (isSecretForm(token) ? store.findByStopToken(token) : undefined),
    async stop(token, forGood) {
      const contact = isSecretForm(token) ? await store.findByStopToken(token) : undefined
      if (contact === undefined) return false
      if (forGood && contact.receiver !== undefined)
        return (await store.stopReceiver(contact.receiver, clock.now())) > 0
      return store.stop(token)
    },
    start() {
      if (ways.length === 0) return
      loops = startLoops({ signal: controller.signal, onFailure }, [
        [requeue, LOOK_MS],
        [() => store.forgetOld(clock.now()), FORGET_MS],
        ...(listener === undefined ? [] : [[() => listener.listen(controller.signal), LOOK_MS] as const]),
      ])
      queue.start(options.work)
    },
    close() {
      closed ??= (async () => {
        controller.abort()
        await loops
        if (ways.length > 0) await listener?.release().catch(onFailure)
        await queue.close()
      })()
      return closed
    },
  }
}

/** Too long to be guessed, and short enough for a link of Telegram's. */
const secret = () => randomBytes(32).toString('base64url')
