import { createCountedLru } from './lru.js'
import { withDeadline } from './with-deadline.js'

export interface SharedWorkOptions<T> {
  /** Results that are kept; those that were asked for last. */
  maxEntries: number
  /** Whether the same work would come to the same, so that others may have the result. */
  isLasting(result: T): boolean
}

/** Work of one name that is done once for all who ask, now and later. */
export interface SharedWork<T> {
  /**
   * The result that is kept under `name`, or that of the work under way, or what `make` comes to.
   * An asker whose `signal` fires waits no longer; work that fails, or whose result does not last,
   * is done again by each who waited for it.
   */
  get(name: string, make: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function createSharedWork<T>({ maxEntries, isLasting }: SharedWorkOptions<T>): SharedWork<T> {
  const kept = createCountedLru<string, { result: T }>(maxEntries)
  /** No more than there are analyses under way. */
  const underWay = new Map<string, Promise<T>>()

  const begin = (name: string, make: () => Promise<T>): Promise<T> => {
    const work = make()
    underWay.set(name, work)
    const end = () => {
      if (underWay.get(name) === work) underWay.delete(name)
    }
    const keep = (result: T) => {
      if (isLasting(result)) kept.set(name, { result })
      end()
    }
    work.then(keep, end)
    return work
  }

  return {
    async get(name, make, signal) {
      signal?.throwIfAborted()
      const known = kept.get(name)
      if (known !== undefined) return known.result
      const others = underWay.get(name)
      if (others === undefined) return begin(name, make)
      const ended = others.then(
        (result) => (isLasting(result) ? { result } : undefined),
        () => undefined,
      )
      const shared = await withDeadline({ signal }, () => ended)
      return shared ? shared.result : begin(name, make)
    },
  }
}
