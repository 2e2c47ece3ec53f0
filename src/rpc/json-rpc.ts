import type { HttpReply } from './http-transport.js'
import { RpcRejectedError, translateReply } from './node-replies.js'
import { parseData, parseObject, RpcInvalidAnswerError } from './parse.js'
import type { RpcOutcome, RpcRequest } from './request.js'

/**
 * The body of one HTTP request. Ids are the places in the list, so that an answer can be matched
 * without a table.
 */
export function writeBody(requests: readonly RpcRequest<unknown>[]): string {
  const items = requests.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  return JSON.stringify(items.length === 1 ? items[0] : items)
}

/**
 * Matches the answers to their requests and checks each one's shape. Throws when the reply as a
 * whole cannot be believed: no JSON, an unknown, missing or repeated id, a result beside an error.
 * A refusal of single items is their outcome.
 */
export function readReply(
  requests: readonly RpcRequest<unknown>[],
  httpReply: HttpReply,
  redact: (text: string) => string,
): RpcOutcome<unknown>[] {
  const reply = { ...httpReply, redact }
  const value = parseJson(requests, reply)
  const items = Array.isArray(value) ? value : [value]
  if (!Array.isArray(value)) throwIfWholeRefusal(requests, reply, value)
  if (items.length !== requests.length) throw new RpcInvalidAnswerError(`${requests.length} answers`, items)
  const outcomes = new Array<RpcOutcome<unknown> | undefined>(requests.length).fill(undefined)
  for (const item of items) {
    const answer = parseObject(item)
    const id = answer.id
    const request = typeof id === 'number' ? requests[id] : undefined
    if (typeof id !== 'number' || request === undefined) throw new RpcInvalidAnswerError('an id that was asked for', id)
    if (outcomes[id] !== undefined) throw new RpcInvalidAnswerError('each id once', id)
    outcomes[id] = readItem(request, answer, reply)
  }
  const complete = outcomes.filter((outcome) => outcome !== undefined)
  const tooLarge = requests.length > 1 && complete.map(errorOf).find((error) => error?.kind === 'batch-too-large')
  if (tooLarge) throw tooLarge
  return complete
}

/** A node's words are read no further than this. */
const MAX_MESSAGE_CHARACTERS = 512

interface Reply extends HttpReply {
  redact(text: string): string
}

function parseJson(requests: readonly RpcRequest<unknown>[], reply: Reply): unknown {
  try {
    return JSON.parse(reply.body.toString('utf8'))
  } catch {
    if (reply.status !== 200) throw refusal(requests, reply, {})
    throw new RpcInvalidAnswerError('JSON', `${reply.body.length} bytes of something else`)
  }
}

/**
 * A batch that is answered by one error object was refused as a whole; so was anything that came
 * with an HTTP error.
 */
function throwIfWholeRefusal(requests: readonly RpcRequest<unknown>[], reply: Reply, value: unknown): void {
  if (reply.status === 200 && requests.length === 1) return
  const { error } = parseObject(value)
  const member = typeof error === 'object' && error !== null ? parseObject(error) : {}
  const message = typeof error === 'string' ? error : (member.message ?? parseObject(value).message)
  if (error === undefined && reply.status === 200) throw new RpcInvalidAnswerError('a list of answers', value)
  throw refusal(requests, reply, { code: member.code, message })
}

function readItem(request: RpcRequest<unknown>, answer: Record<string, unknown>, reply: Reply): RpcOutcome<unknown> {
  const { result, error } = answer
  if (error !== undefined && error !== null) {
    if (result !== undefined && result !== null) throw new RpcInvalidAnswerError('a result or an error', answer)
    const { code, message, data } = parseObject(error)
    return { ok: false, error: refusal([request], reply, { code, message, data }) }
  }
  if (result === undefined) throw new RpcInvalidAnswerError('a result', answer)
  try {
    return { ok: true, value: request.parse(result) }
  } catch (thrown) {
    if (!request.optional || !(thrown instanceof Error)) throw thrown
    return { ok: false, error: thrown }
  }
}

function refusal(
  requests: readonly RpcRequest<unknown>[],
  { status, retryAfterMs, redact }: Reply,
  reply: { code?: unknown; message?: unknown; data?: unknown },
): RpcRejectedError {
  const method = requests.length === 1 ? (requests[0]?.method ?? 'nothing') : 'batch'
  const code = typeof reply.code === 'number' ? reply.code : undefined
  const message = typeof reply.message === 'string' ? redact(reply.message.slice(0, MAX_MESSAGE_CHARACTERS)) : undefined
  const translated = translateReply({
    method,
    status,
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
  })
  // A batch that is "refused" or "unsupported" as a whole is a node that takes fewer items, or one
  // at a time.
  const isWholeBatch = method === 'batch' && (translated === 'refused' || translated === 'unsupported')
  const kind = isWholeBatch ? 'batch-too-large' : translated
  return new RpcRejectedError({ method, kind, code, message, data: revertData(kind, reply.data), retryAfterMs })
}

function errorOf(outcome: RpcOutcome<unknown>): RpcRejectedError | undefined {
  return !outcome.ok && outcome.error instanceof RpcRejectedError ? outcome.error : undefined
}

function revertData(kind: string, data: unknown): RpcRejectedError['data'] {
  if (kind !== 'reverted' || typeof data !== 'string') return undefined
  try {
    return parseData(data)
  } catch {
    return undefined
  }
}
