import type { Delivery } from '../batches/batch-store.js'
import { NOTICE_QUEUE, type Work } from '../batches/job-queue.js'
import { tryDelivery } from '../batches/try-delivery.js'
import type { Clock } from '../clock.js'
import type { StoredAlert, WatchStore } from '../watching/watch-store.js'
import { PAUSES_MS } from '../watching/work-on-alert.js'
import { type Contact, NOTICE_KEPT_MS } from './contact.js'
import type { ContactStore, Notice } from './contact-store.js'
import { MailFailure, type SendMail } from './send-mail.js'
import { type TelegramApi, TelegramError } from './telegram-api.js'
import { type MessageOptions, stopLink, writeAlert } from './write-message.js'

export interface NoticeWorkOptions extends MessageOptions {
  store: Pick<ContactStore, 'find' | 'findNotice' | 'setDelivery' | 'findNoRoom' | 'stopReceiver'>
  alerts: Pick<WatchStore, 'find' | 'findAlert'>
  sendMail: SendMail | undefined
  telegram: Pick<TelegramApi, 'send'> | undefined
  clock: Pick<Clock, 'now'>
  onFailure(error: unknown): void
}

/** One attempt to tell a contact of an alert. */
export function createNoticeWork(options: NoticeWorkOptions): Work {
  const { store, alerts, clock } = options
  return async (id, signal) => {
    const notice = await store.findNotice(id)
    if (notice === undefined || notice.state !== 'waiting') return undefined
    const record = (delivery: Delivery) => store.setDelivery(id, delivery, clock.now())
    const giveUp = async (failure: string) => {
      await record({ state: 'failed', attempts: notice.attempts, failure })
      return undefined
    }
    const [contact, alert] = [await store.find(notice.contactId), await alerts.findAlert(notice.alertId)]
    if (contact === undefined || alert === undefined) return giveUp('The receiver wants no messages')
    if (!contact.isConfirmed) return giveUp('The receiver has not confirmed yet')
    if ((await alerts.find(alert.watchId)) === undefined) return giveUp('The watch has ended')
    if (clock.now() - notice.createdAt > NOTICE_KEPT_MS) return giveUp('There was no room for it within a day')
    const noRoom = await store.findNoRoom(contact, clock.now())
    if (noRoom !== undefined)
      return { againInMs: Math.min(Math.max(noRoom.until - clock.now(), 0), NOTICE_QUEUE.longestPauseMs) }
    return tryDelivery(
      {
        send: () => send(options, { contact, alert, notice }),
        attempts: notice.attempts,
        pausesMs: PAUSES_MS,
        adviceOf,
        record,
        onFailure: (error) => {
          options.onFailure(error)
          // A person that shuts the bot out says no to all that it would tell.
          if (error instanceof TelegramError && error.isShutOut && contact.receiver !== undefined)
            void store.stopReceiver(contact.receiver).catch(options.onFailure)
        },
      },
      signal,
    )
  }
}

interface Told {
  contact: Contact
  alert: StoredAlert
  notice: Notice
}

async function send(options: NoticeWorkOptions, { contact, alert, notice }: Told): Promise<void> {
  const { sendMail, telegram, origin } = options
  const { kind, address, stopToken } = contact
  const { subject, text } = writeAlert(alert, stopToken, options)
  if (address === undefined) throw new RangeError('a confirmed contact has an address')
  if (kind === 'email') {
    // An operator that takes a way away may give it back.
    if (sendMail === undefined) throw new RangeError('no mail server is set')
    return sendMail({ to: address, subject, text, id: notice.id, stopUrl: stopLink(origin, stopToken) })
  }
  if (telegram === undefined) throw new RangeError('no bot is set')
  return telegram.send(address, `${subject}\n\n${text}`)
}

function adviceOf(error: unknown): 'never' | { noSoonerMs: number } | undefined {
  if (error instanceof MailFailure) return error.isFinal ? 'never' : undefined
  if (!(error instanceof TelegramError)) return undefined
  if (error.isFinal) return 'never'
  return error.noSoonerMs === undefined ? undefined : { noSoonerMs: error.noSoonerMs }
}
