export interface BaseErrorOptions {
  cause?: unknown
  /** URLs, node replies and other things that only the log may see. */
  details?: string
  /** Path of the page under `docs/` that explains this failure. */
  docs?: string
}

/**
 * Parent of every error this project throws on purpose. `shortMessage` may reach a client;
 * `details` never leaves the log.
 */
export class BaseError extends Error {
  override readonly name: string = 'BaseError'
  readonly shortMessage: string
  readonly details: string | undefined
  readonly docs: string | undefined

  constructor(shortMessage: string, { cause, details, docs }: BaseErrorOptions = {}) {
    super(details === undefined ? shortMessage : `${shortMessage} (${details})`, { cause })
    this.shortMessage = shortMessage
    this.details = details
    this.docs = docs
  }

  /** The first error of `type` in the cause chain, this one included. */
  find<T>(type: abstract new (...args: never[]) => T): T | undefined {
    let error: unknown = this
    for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth += 1) {
      if (error instanceof type) return error as T
      error = error.cause
    }
    return undefined
  }
}

/** A cause chain can be made circular by hand; nothing honest is this deep. */
const MAX_CAUSES = 32
