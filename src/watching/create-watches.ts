import { randomBytes } from 'node:crypto'
import type { Webhook } from '../batches/batch.js'
import type { JobQueue, Work } from '../batches/job-queue.js'
import type { Clock } from '../clock.js'
import type { KeyLimits } from '../keys/key-record.js'
import { createLoopRunner } from '../scheduling/run-loops.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { ChainFollower } from './follow-chain.js'
import { type Following, followingOf } from './following.js'
import { type AlertKind, isWatchId, MAX_WATCHED_TOKENS, WATCH_MS, type Watch, watchesFor } from './watch.js'
import type { StoredAlert, WatchedToken, WatchRefusal, WatchStore } from './watch-store.js'

export interface WatchOrder {
  keyId: string
  limits: KeyLimits
  chainId: number
  address: TokenAddress
  tells: readonly AlertKind[]
  webhook: Webhook | undefined
  contacts: readonly string[]
}

/** A watch, with what is known of its token. */
export interface WatchStatus {
  watch: Watch
  token: WatchedToken | undefined
  /** How far its chain was followed. */
  followed: Following | undefined
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
  /** How far the chains with watched tokens were followed; `undefined` where none was yet. */
  listFollowed(): Promise<ReadonlyMap<number, Following | undefined>>
  start(): void
  close(): Promise<void>
}

export interface WatchesOptions {
  store: WatchStore
  clock: Clock
  chainIds: readonly number[]
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
  const runner = createLoopRunner(onFailure)
  const followers = new Map<number, ChainFollower>()
  const looking = new Map<number, Promise<void>>()

  const readFollowing = async (chainId: number): Promise<Following | undefined> => {
    const place = await store.readFollowed(chainId)
    return place && followingOf(place, clock.now())
  }
  const withToken = async (watch: Watch, following = readFollowing(watch.chainId)): Promise<WatchStatus> => {
    const [token, followed] = await Promise.all([store.readToken(watch.chainId, watch.address), following])
    return { watch, token, followed }
  }
  const listAll = async (keyId: string) => {
    const watches = await store.list(keyId, clock.now())
    const following = new Map<number, Promise<Following | undefined>>()
    for (const { chainId } of watches) if (!following.has(chainId)) following.set(chainId, readFollowing(chainId))
    return Promise.all(watches.map((watch) => withToken(watch, following.get(watch.chainId))))
  }
  const find = async (id: string, keyId: string) => {
    const watch = isWatchId(id) ? await store.find(id) : undefined
    return watch?.keyId === keyId && watch.expiresAt > clock.now() ? watch : undefined
  }
  const followAll = async () => {
    const watched = await store.listChains()
    const ids = options.chainIds.filter((id) => watched.includes(id))
    for (const id of ids) {
      const follower = followers.get(id) ?? options.follow(id)
      followers.set(id, follower)
      // A chain whose nodes are late keeps no other waiting, and its own looks do not overlap. It
      // stays with its process: two that take it from one another would never come to an end.
      if (looking.has(id)) await follower.keep().catch(onFailure)
      else looking.set(id, lookAt(id, follower))
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

  return {
    async create({ limits, ...order }) {
      const createdAt = clock.now()
      const id = `watch_${randomBytes(16).toString('hex')}`
      const watch = { id, ...order, createdAt, expiresAt: createdAt + WATCH_MS }
      const added = await store.add(watch, { ofKey: watchesFor(limits), ofChain: MAX_WATCHED_TOKENS })
      return typeof added === 'string' ? added : withToken(added)
    },
    list: listAll,
    async read(id, keyId) {
      const watch = await find(id, keyId)
      return watch && withToken(watch)
    },
    remove: async (id, keyId) => isWatchId(id) && store.remove(id, keyId),
    listAlerts: (keyId, query) => store.listAlerts(keyId, query),
    newestPlace: (keyId) => store.newestPlace(keyId),
    async listFollowed() {
      const ids = (await store.listChains()).filter((id) => options.chainIds.includes(id))
      return new Map(await Promise.all(ids.map(async (id) => [id, await readFollowing(id)] as const)))
    },
    start() {
      const judge = () => options.judgeAgain(runner.signal)
      runner.start([
        [followAll, LOOK_MS],
        ...Array.from({ length: PARALLEL_JUDGING }, () => [judge, IDLE_MS] as const),
        [requeue, LOOK_MS],
        [() => store.forgetOld(clock.now()), FORGET_MS],
      ])
      queue.start(options.work)
    },
    close: () =>
      runner.close(async () => {
        await Promise.all(looking.values())
        await Promise.all([...followers.values()].map((follower) => follower.release().catch(onFailure)))
        await queue.close()
      }),
  }
}

/** What a webhook is told of follows one another, as long as it listens. */
const jobOf = ({ id, keyId, watchId }: StoredAlert) => ({ id, owner: keyId, lane: `${keyId} ${watchId}` })
