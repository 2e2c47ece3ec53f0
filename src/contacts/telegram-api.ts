import { Agent, request } from 'undici'
import { BaseError } from '../errors.js'

/** What a person wrote to the bot. */
export interface TelegramMessage {
  /** Place of the message; the next is asked for by it. */
  update: number
  /** The chat with that person; absent for groups, channels and anything that is no text. */
  chat: string | undefined
  text: string
}

/** The parts of Telegram's Bot API that are used. Rejects with {@link TelegramError}. */
export interface TelegramApi {
  /** The bot's name, as its links have it. */
  readName(): Promise<string>
  send(chat: string, text: string): Promise<void>
  /** Messages from a place on; waits so many seconds for the first. */
  read(from: number, waitSeconds: number, signal: AbortSignal): Promise<TelegramMessage[]>
}

export interface TelegramOptions {
  /** Without a trailing slash. */
  apiUrl: string
  token: string
}

/** Of one question, without what it waits for messages. */
const TIMEOUT_MS = 10_000
/** A hundred messages of four thousand characters are less. */
const MAX_ANSWER_BYTES = 4_000_000
const MAX_MESSAGES = 100

/** The token stands in each address: no error of ours repeats an address. */
export function createTelegramApi({ apiUrl, token }: TelegramOptions): TelegramApi {
  const agent = new Agent({ connect: { timeout: TIMEOUT_MS } })
  const call = async (
    method: string,
    body: object,
    { waitMs = 0, stop }: { waitMs?: number; stop?: AbortSignal } = {},
  ) => {
    const late = AbortSignal.timeout(TIMEOUT_MS + waitMs)
    const { statusCode, text } = await post(`${apiUrl}/bot${token}/${method}`, {
      agent,
      body,
      signal: stop === undefined ? late : AbortSignal.any([stop, late]),
    }).catch((error: unknown) => {
      stop?.throwIfAborted()
      throw new TelegramError({ method, cause: error instanceof Error ? error.name : 'unknown' })
    })
    const answer = parse(text)
    if (answer?.ok !== true) throw new TelegramError({ method, status: statusCode, noSoonerMs: pauseOf(answer) })
    return answer.result
  }
  return {
    async readName() {
      const { username } = asObject(await call('getMe', {}))
      if (typeof username !== 'string' || !/^\w{5,32}$/.test(username)) throw new TelegramError({ method: 'getMe' })
      return username
    },
    async send(chat, text) {
      // Without a parse mode nothing in the text is markup, and nothing is fetched for it.
      await call('sendMessage', { chat_id: Number(chat), text, link_preview_options: { is_disabled: true } })
    },
    async read(from, waitSeconds, stop) {
      const question = { offset: from, limit: MAX_MESSAGES, timeout: waitSeconds, allowed_updates: ['message'] }
      const updates = await call('getUpdates', question, { waitMs: waitSeconds * 1_000, stop })
      if (!Array.isArray(updates)) throw new TelegramError({ method: 'getUpdates' })
      return updates.slice(0, MAX_MESSAGES).flatMap(toMessage)
    },
  }
}

async function post(url: string, { agent, body, signal }: { agent: Agent; body: object; signal: AbortSignal }) {
  const { statusCode, body: stream } = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    bytes += part.length
    if (bytes > MAX_ANSWER_BYTES) throw new RangeError('the answer is too long')
    parts.push(part)
  }
  return { statusCode, text: Buffer.concat(parts).toString('utf8') }
}

function toMessage(value: unknown): TelegramMessage[] {
  const { update_id: update, message } = asObject(value)
  if (!Number.isSafeInteger(update)) return []
  const { chat, text } = asObject(message)
  const { id, type } = asObject(chat)
  const isPerson = type === 'private' && Number.isSafeInteger(id)
  const isText = typeof text === 'string'
  return [{ update: update as number, chat: isPerson && isText ? String(id) : undefined, text: isText ? text : '' }]
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** Telegram says when it has had too much. */
function pauseOf(answer: Record<string, unknown> | undefined): number | undefined {
  const { retry_after: seconds } = asObject(answer?.parameters)
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, MAX_PAUSE_SECONDS) * 1_000 : undefined
}

const MAX_PAUSE_SECONDS = 1_500

interface TelegramProblem {
  method: string
  status?: number | undefined
  noSoonerMs?: number | undefined
  cause?: string
}

/** Telegram did not do what it was asked, or could not be reached. */
export class TelegramError extends BaseError {
  override readonly name = 'TelegramError'
  /** The person has shut the bot out, or the chat is none: no later attempt does better. */
  readonly isFinal: boolean
  /** The person does not want the bot's messages any more. */
  readonly isShutOut: boolean
  readonly noSoonerMs: number | undefined

  constructor({ method, status, noSoonerMs, cause }: TelegramProblem) {
    super(status === 403 ? 'The receiver has blocked the bot' : 'Telegram did not take the message', {
      details: `${method}: ${status ?? cause ?? 'no answer that can be read'}`,
      docs: 'docs/watching.md',
    })
    this.isShutOut = status === 403
    this.isFinal = this.isShutOut || status === 400
    this.noSoonerMs = noSoonerMs
  }
}
