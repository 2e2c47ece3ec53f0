import type { FastifyReply } from 'fastify'
import { BaseError } from '../errors.js'

export interface DeadlineOptions {
  /** The work is told to stop. */
  softMs: number
  /** No caller waits for the work any more. */
  hardMs: number
}

/**
 * Runs work that a caller waits for. Its signal fires when the client leaves or when `softMs` are
 * over; after `hardMs` the promise rejects, whether the work has stopped or not.
 */
export async function runForClient<T>(
  reply: FastifyReply,
  { softMs, hardMs }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const leave = () => controller.abort(new ClientLeftError())
  const softTimer = setTimeout(() => controller.abort(new DeadlineError()), softMs)
  let hardTimer: NodeJS.Timeout | undefined
  const hardDeadline = new Promise<never>((_, reject) => {
    hardTimer = setTimeout(() => reject(new DeadlineError()), hardMs)
  })
  reply.raw.once('close', leave)
  try {
    return await Promise.race([work(controller.signal), hardDeadline])
  } finally {
    clearTimeout(softTimer)
    clearTimeout(hardTimer)
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

/** The time that a client is willing to wait is over. */
class DeadlineError extends BaseError {
  override readonly name = 'DeadlineError'

  constructor() {
    super('The time for this analysis is over')
  }
}
