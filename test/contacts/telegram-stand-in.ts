import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TelegramStandIn {
  url: string
  sent: { chat_id: number; text: string; [field: string]: unknown }[]
  /** What the next messages to a chat are answered with instead. */
  refusals: { status: number; retryAfter?: number }[]
  /** How many asked for messages at the same time, at most. */
  mostReaders(): number
  /** A person writes to the bot. */
  write(chat: number, text: string, type?: 'private' | 'group'): void
  close(): Promise<void>
}

export const BOT_TOKEN = '123456:stand-in-token'

/** What of Telegram's Bot API the service uses, on this machine; it answers questions at once. */
export async function startTelegramStandIn(): Promise<TelegramStandIn> {
  const sent: TelegramStandIn['sent'] = []
  const refusals: TelegramStandIn['refusals'] = []
  let updates: { update_id: number; message: object }[] = []
  let [next, readers, mostReaders] = [1_000, 0, 0]
  const answers: Record<string, (body: Record<string, unknown>) => unknown> = {
    getMe: () => ({ id: 1, is_bot: true, username: 'stand_in_bot' }),
    getUpdates: ({ offset }) => {
      updates = updates.filter(({ update_id: id }) => id >= Number(offset))
      return updates
    },
    sendMessage: (body) => {
      sent.push(body as TelegramStandIn['sent'][number])
      return { message_id: sent.length }
    },
  }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const say = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (token !== BOT_TOKEN) return say(401, { ok: false, error_code: 401 })
    const isRead = method === 'getUpdates'
    if (isRead) mostReaders = Math.max(mostReaders, ++readers)
    // Long enough for another reader to come at the same time.
    if (isRead) await new Promise((resolve) => setTimeout(resolve, 20))
    if (isRead) readers -= 1
    const refusal = method === 'sendMessage' ? refusals.shift() : undefined
    if (refusal !== undefined)
      return say(refusal.status, { ok: false, parameters: { retry_after: refusal.retryAfter } })
    return say(200, { ok: true, result: answers[method]?.(JSON.parse(Buffer.concat(parts).toString())) })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    refusals,
    mostReaders: () => mostReaders,
    write(chat, text, type = 'private') {
      next += 1
      updates.push({ update_id: next, message: { chat: { id: chat, type }, text } })
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
