import type { FastifyReply } from 'fastify'
import { BaseError } from '../errors.js'
import { type Deadline, withDeadline } from '../scheduling/with-deadline.js'

/** Work that a client waits for. It is told to stop when he leaves. */
export async function runForClient<T>(
  reply: FastifyReply,
  deadline: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const left = new AbortController()
  const leave = () => left.abort(new ClientLeftError())
  reply.raw.once('close', leave)
  try {
    return await withDeadline({ ...deadline, signal: left.signal }, work)
  } finally {
    reply.raw.off('close', leave)
  }
}

/** No caller is there to read the answer. */
class ClientLeftError extends BaseError {
  override readonly name = 'ClientLeftError'

  constructor() {
    super('The client left')
  }
}
