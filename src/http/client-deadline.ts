import type { FastifyReply } from 'fastify'
import { BaseError } from '../errors.js'
import { type Deadline, type OpenDeadline, openDeadline } from '../scheduling/with-deadline.js'

/** The deadline of work that a client waits for. It is over as well when he leaves. */
export function openClientDeadline(reply: FastifyReply, deadline: Deadline): OpenDeadline {
  const left = new AbortController()
  const leave = () => left.abort(new ClientLeftError())
  reply.raw.once('close', leave)
  const open = openDeadline({ ...deadline, signal: left.signal })
  return {
    ...open,
    close() {
      open.close()
      reply.raw.off('close', leave)
    },
  }
}

/** No caller is there to read the answer. */
class ClientLeftError extends BaseError {
  override readonly name = 'ClientLeftError'

  constructor() {
    super('The client left')
  }
}
