import { createHash } from 'node:crypto'
import { chatOf, isSecretForm } from './contact.js'
import type { ContactStore } from './contact-store.js'
import type { TelegramApi, TelegramMessage } from './telegram-api.js'
import { STOPPED_TEXT, UNKNOWN_CODE_TEXT, writeWelcome } from './write-message.js'

export interface HearOptions {
  store: Pick<ContactStore, 'confirm' | 'stopReceiver' | 'holdBot' | 'moveBot' | 'releaseBot'>
  api: Pick<TelegramApi, 'read' | 'send'>
  holder: string
  now(): number
  origin: string
  /** Told of an answer that could not be sent: what was asked is done all the same. */
  onFailure(error: unknown): void
}

export interface TelegramListener {
  /** Reads what was written to the bot since the last time; whether there was anything to read. */
  listen(signal: AbortSignal): Promise<boolean>
  release(): Promise<void>
}

const BOT = 'telegram'
/** Seconds that Telegram holds back its answer while there is none. */
const WAIT_SECONDS = 5
/** Telegram lets one process read: when it dies, another goes on after this. */
const LEASE_MS = 30_000

/**
 * Hears who says yes (`/start` with the code of a link) and who says no (`/stop`) to a bot. One
 * process reads at a time, and what it has done with is written down after it was done: doing it
 * twice is doing it once.
 */
export function createTelegramListener({ store, api, holder, now, origin, onFailure }: HearOptions): TelegramListener {
  const answer = async ({ chat, text }: TelegramMessage): Promise<string | undefined> => {
    if (chat === undefined) return undefined
    const [command, code] = text.trim().split(/\s+/, 2)
    if (command === '/stop') {
      const ended = await store.stopReceiver(chatOf(chat))
      return ended > 0 ? STOPPED_TEXT : undefined
    }
    if (command !== '/start' || code === undefined || !isSecretForm(code)) return undefined
    const named = { receiver: chatOf(chat), address: chat }
    const contact = await store.confirm(hashCode(code), now(), named)
    return contact === undefined ? UNKNOWN_CODE_TEXT : writeWelcome(contact.stopToken, { origin })
  }
  return {
    async listen(signal) {
      const hold = await store.holdBot(BOT, holder, { now: now(), leaseMs: LEASE_MS })
      if (hold === undefined) return false
      const messages = await api.read(hold.place, WAIT_SECONDS, signal)
      for (const message of messages) {
        const text = await answer(message)
        if (text !== undefined && message.chat !== undefined) await api.send(message.chat, text).catch(onFailure)
      }
      const last = messages.at(-1)
      if (last !== undefined) await store.moveBot(BOT, holder, last.update + 1)
      return messages.length > 0
    },
    release: () => store.releaseBot(BOT, holder),
  }
}

export const hashCode = (code: string): string => createHash('sha256').update(code).digest('hex')
