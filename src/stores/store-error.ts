import { BaseError } from '../errors.js'

/** Parent of what stores throw: the database did not answer, or answered nonsense. */
export class StoreError extends BaseError {
  override readonly name: string = 'StoreError'

  constructor(store: string, operation: string, cause: unknown) {
    super(`The ${store} failed to ${operation}`, {
      cause,
      details: cause instanceof Error ? cause.message : String(cause),
      docs: 'docs/operating.md',
    })
  }
}
