import { randomBytes } from 'node:crypto'
import type { Webhook } from '../batches/batch.js'
import type { JobQueue, Work } from '../batches/job-queue.js'
import type { Chain } from '../chains/chain.js'
import type { Clock } from '../clock.js'
import type { Address } from '../hex.js'
import type { KeyLimits } from '../keys/key-record.js'
import type { ChainFollower } from './follow-chain.js'
import { type AlertKind, isWatchId, MAX_WATCHED_TOKENS, WATCH_MS, type Watch, watchesFor } from './watch.js'
import type { StoredAlert, WatchedToken, WatchRefusal, WatchStore } from './watch-store.js'

export interface WatchOrder {
  keyId: string
  limits: KeyLimits
  chainId: number
  address: Address
  tells: readonly AlertKind[]
  webhook: Webhook | undefined
}

/** A watch, with what is known of its token. */
export interface WatchStatus {
  watch: Watch
  token: WatchedToken | undefined
}

export interface AlertQuery {
  /** Alerts after this place. */
  after: number
  limit: number
  watchId?: string
}

export interface Watches {
  /** A new watch, or the key's own on that token, renewed; or which share is used up. */
  create(order: WatchOrder): Promise<WatchStatus | WatchRefusal>
  list(keyId: string): Promise<WatchStatus[]>
  /** `undefined` where there is no such watch, or it is another key's. */
  read(id: string, keyId: string): Promise<WatchStatus | undefined>
  remove(id: string, keyId: string): Promise<boolean>
  listAlerts(keyId: string, query: AlertQuery): Promise<StoredAlert[]>
  newestPlace(keyId: string): Promise<number>
  start(): void
  close(): Promise<void>
}

export interface WatchesOptions {
  store: WatchStore
  clock: Clock
  chains: readonly Pick<Chain, 'id'>[]
  follow(chainId: number): ChainFollower
  judgeAgain(signal: AbortSignal): Promise<boolean>
  queue: JobQueue
  work: Work
  onFailure(error: unknown): void
}

/** How often each chain is looked at; half of the lease of the process that follows it. */
const LOOK_MS = 1_000
/** Tokens that one process judges at the same time. */
const PARALLEL_JUDGING = 2
const IDLE_MS = 500
const FORGET_MS = 60_000
const REQUEUE_MS = 30_000
/** Alerts that are put into the queue again in one go. */
const MAX_REQUEUED = 1_000

/** Watches from order to alert. */
export function createWatches(options: WatchesOptions): Watches {
  const { store, clock, queue, onFailure } = options
  const controller = new AbortController()
  const { signal } = controller
  const followers = new Map<number, ChainFollower>()
  const looking = new Map<number, Promise<void>>()
  const loops: Promise<void>[] = []
  let closed: Promise<void> | undefined

  const withToken = async (watch: Watch): Promise<WatchStatus> => ({
    watch,
    token: await store.readToken(watch.chainId, watch.address),
  })
  const find = async (id: string, keyId: string) => {
    const watch = isWatchId(id) ? await store.find(id) : undefined
    return watch?.keyId === keyId && watch.expiresAt > clock.now() ? watch : undefined
  }
  const followAll = async () => {
    const watched = await store.listChains()
    const ids = options.chains.map(({ id }) => id).filter((id) => watched.includes(id))
    for (const id of ids) {
      const follower = followers.get(id) ?? options.follow(id)
      followers.set(id, follower)
      // A chain whose nodes are late keeps no other waiting, and its own looks do not overlap.
      if (!looking.has(id)) looking.set(id, lookAt(id, follower))
    }
  }
  const lookAt = async (id: number, follower: ChainFollower) => {
    await follower.look().catch(onFailure)
    looking.delete(id)
  }
  let [place, requeuedAt] = [0, Number.NEGATIVE_INFINITY]
  /** New alerts at once; now and then all, for a queue can lose some. */
  const requeue = async () => {
    if (clock.monotonic() - requeuedAt > REQUEUE_MS) [place, requeuedAt] = [0, clock.monotonic()]
    for (const alert of await store.listUndelivered(place, MAX_REQUEUED)) {
      await queue.add(jobOf(alert))
      place = alert.place
    }
  }
  /** Does something again and again, until the process stops. */
  const loop = async (turn: () => Promise<unknown>, pauseMs: number) => {
    while (!signal.aborted) {
      const isBusy = await turn().catch((error: unknown) => {
        if (!signal.aborted) onFailure(error)
      })
      if (isBusy !== true) await pause(pauseMs, signal)
    }
  }

  return {
    async create({ keyId, limits, chainId, address, tells, webhook }) {
      const createdAt = clock.now()
      const id = `watch_${randomBytes(16).toString('hex')}`
      const watch = { id, keyId, chainId, address, tells, webhook, createdAt, expiresAt: createdAt + WATCH_MS }
      const added = await store.add(watch, { ofKey: watchesFor(limits), ofChain: MAX_WATCHED_TOKENS })
      return typeof added === 'string' ? added : withToken(added)
    },
    list: async (keyId) => Promise.all((await store.list(keyId, clock.now())).map(withToken)),
    async read(id, keyId) {
      const watch = await find(id, keyId)
      return watch && withToken(watch)
    },
    remove: async (id, keyId) => isWatchId(id) && store.remove(id, keyId),
    listAlerts: (keyId, query) => store.listAlerts(keyId, query),
    newestPlace: (keyId) => store.newestPlace(keyId),
    start() {
      loops.push(
        loop(followAll, LOOK_MS),
        ...Array.from({ length: PARALLEL_JUDGING }, () => loop(() => options.judgeAgain(signal), IDLE_MS)),
        loop(requeue, LOOK_MS),
        loop(() => store.forgetOld(clock.now()), FORGET_MS),
      )
      queue.start(options.work)
    },
    close() {
      closed ??= (async () => {
        controller.abort()
        await Promise.all(loops)
        await Promise.all(looking.values())
        await Promise.all([...followers.values()].map((follower) => follower.release().catch(onFailure)))
        await queue.close()
      })()
      return closed
    },
  }
}

/** What a webhook is told of follows one another, as long as it listens. */
const jobOf = ({ id, keyId, watchId }: StoredAlert) => ({ id, owner: keyId, lane: `${keyId} ${watchId}` })

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
