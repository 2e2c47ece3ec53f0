import type { WebhookState } from '../batches/batch.js'
import type { Delivery } from '../batches/batch-store.js'
import { StoreError } from '../stores/store-error.js'
import type { Contact } from './contact.js'

/** Why a contact is not asked: the key has its share, or the receiver was asked or refused. */
export type ContactRefusal = 'contacts' | 'asks' | 'receiver'

/** What is needed to ask a receiver. */
export interface Question {
  contact: Contact
  codeHash: string
  now: number
}

/** One alert for one contact. */
export interface Notice {
  id: string
  alertId: string
  contactId: string
  keyId: string
  place: number
  createdAt: number
  state: WebhookState
  attempts: number
}

/** How the last messages to a contact went. */
export interface ContactRecord {
  delivered: number
  waiting: number
  /** Of the newest that was given up. */
  failure: string | undefined
}

/** Until when there is no room for a message, and for whose sake. */
export interface NoRoom {
  until: number
}

/** How far a bot's messages were read. */
export interface BotHold {
  place: number
}

/**
 * Where contacts and what they are to be told live. Every promise rejects with
 * {@link ContactStoreError} when the store cannot be asked.
 */
export interface ContactStore {
  /**
   * A contact that waits for its receiver's yes: a new one, or the key's own for that receiver
   * again, with a new code. One that is confirmed stays as it is, and nothing is asked.
   */
  ask(question: Question): Promise<Contact | ContactRefusal>
  find(id: string): Promise<Contact | undefined>
  /** Newest first. */
  list(keyId: string): Promise<Contact[]>
  findByCode(codeHash: string, now: number): Promise<Contact | undefined>
  findByStopToken(token: string): Promise<Contact | undefined>
  /**
   * The receiver said yes. A chat names itself with it. Gives nothing where the code is none, or is
   * too old; the same code confirms once.
   */
  confirm(codeHash: string, now: number, chat?: { receiver: string; address: string }): Promise<Contact | undefined>
  remove(id: string, keyId: string): Promise<boolean>
  /** Ends one contact of a receiver. */
  stop(token: string): Promise<boolean>
  /** Ends all contacts of a receiver; with `refusedAt` it is asked no more. */
  stopReceiver(receiver: string, refusedAt?: number): Promise<number>
  findNotice(id: string): Promise<Notice | undefined>
  /** Notices after a place that wait, oldest first. */
  listUndelivered(after: number, limit: number): Promise<Notice[]>
  setDelivery(id: string, delivery: Delivery, now: number): Promise<void>
  /** Whether the receiver and the key have room for a message; when not, until when. */
  findNoRoom(contact: Contact, now: number): Promise<NoRoom | undefined>
  readRecord(contactId: string): Promise<ContactRecord>
  /** Takes a bot's messages for `leaseMs`, or keeps them; `undefined` while another has them. */
  holdBot(name: string, holder: string, times: { now: number; leaseMs: number }): Promise<BotHold | undefined>
  /** Whether the place was written: not where another process has the messages. */
  moveBot(name: string, holder: string, place: number): Promise<boolean>
  releaseBot(name: string, holder: string): Promise<void>
  /** Forgets questions that had no answer, and what was told long ago. */
  forgetOld(now: number): Promise<void>
}

/** The database did not answer, or answered nonsense. */
export class ContactStoreError extends StoreError {
  override readonly name = 'ContactStoreError'

  constructor(operation: string, cause: unknown) {
    super('store of contacts', operation, cause)
  }
}
