import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.js'
import type { Db } from '../stores/database.js'
import { type Job, type JobQueue, LEASE_MS, type QueueKind, RETRY_MS, type Work } from './job-queue.js'
import { createRunningJobs } from './running-jobs.js'

export interface SqlJobQueueOptions {
  db: Db
  kind: QueueKind
  clock: Pick<Clock, 'now'>
  /** Told when the database cannot be asked; the queue goes on trying. */
  onFailure(error: unknown): void
  leaseMs?: number
}

/**
 * The queue without Redis: a table in the same database as everything else. Works for one process
 * and for several; times are the machines' own clocks, which must agree to within seconds. When one
 * is set back, a job waits for its longest pause at most. Does not own `db`.
 */
export function createSqlJobQueue({ db, kind, clock, onFailure, leaseMs = LEASE_MS }: SqlJobQueueOptions): JobQueue {
  // Tables of one shape; the types of queries do not see that.
  const jobs = JOB_TABLES[kind.name] as 'jobs'
  const controller = new AbortController()
  const holder = randomUUID()
  const running = createRunningJobs(kind)
  const runs = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()

  const release = (id: string, readyAt: number | undefined) =>
    readyAt === undefined
      ? db.deleteFrom(jobs).where('id', '=', id).where('holder', '=', holder).execute()
      : db
          .updateTable(jobs)
          .set({ ready_at: readyAt, holder: null })
          .where('id', '=', id)
          .where('holder', '=', holder)
          .execute()

  async function runOne(id: string, work: Work): Promise<void> {
    const renew = () =>
      db
        .updateTable(jobs)
        .set({ ready_at: clock.now() + leaseMs })
        .where('id', '=', id)
        .where('holder', '=', holder)
        .execute()
    const heartbeat = setInterval(() => void renew().catch(onFailure), leaseMs / 3)
    try {
      const again = await work(id, controller.signal).catch((error) => {
        onFailure(error)
        return { againInMs: RETRY_MS }
      })
      clearInterval(heartbeat)
      await release(id, again && clock.now() + again.againInMs)
    } catch (error) {
      // The claim runs out by itself.
      onFailure(error)
    } finally {
      clearInterval(heartbeat)
    }
  }

  /** Further ahead than a job is ever put off: the clock was set back since. */
  const longestWaitMs = Math.max(leaseMs, kind.longestPauseMs)
  /** What may be begun now. */
  function dueJobs(now: number) {
    const [owners, lanes] = [running.busyOwners(), running.busyLanes()]
    return db
      .selectFrom(jobs)
      .where(({ or, eb }) => or([eb('ready_at', '<=', now), eb('ready_at', '>', now + longestWaitMs)]))
      .$if(owners.length > 0, (query) => query.where('owner', 'not in', owners))
      .$if(lanes.length > 0, (query) => query.where('lane', 'not in', lanes))
  }

  /** Owners take turns, however many jobs of one wait and for how long. */
  async function findOwner(now: number): Promise<string | undefined> {
    const waiting = await dueJobs(now)
      .select('owner')
      .groupBy('owner')
      .orderBy(({ fn }) => fn.min('ready_at'))
      .limit(MAX_OWNERS)
      .execute()
    return running.nextOwner(waiting.map(({ owner }) => owner))
  }

  async function claimNext(): Promise<Job | undefined> {
    const now = clock.now()
    const owner = await findOwner(now)
    if (owner === undefined) return undefined
    const due = await dueJobs(now)
      .select(['id', 'owner', 'lane', 'ready_at'])
      .where('owner', '=', owner)
      .orderBy('ready_at')
      .limit(kind.parallelJobs)
      .execute()
    for (const { ready_at: readyAt, ...job } of due) {
      // The first to change the row has it.
      const { numUpdatedRows } = await db
        .updateTable(jobs)
        .set({ ready_at: now + leaseMs, holder })
        .where('id', '=', job.id)
        .where('ready_at', '=', readyAt)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return job
    }
    return undefined
  }

  async function lookForJobs(work: Work): Promise<void> {
    while (!controller.signal.aborted && !running.isFull) {
      const job = await claimNext()
      if (job === undefined) return
      running.begin(job)
      const run = runOne(job.id, work).finally(() => {
        running.end(job)
        runs.delete(run)
      })
      runs.add(run)
    }
  }

  return {
    async add({ id, owner, lane }) {
      const row = { id, ready_at: clock.now(), holder: null, owner, lane }
      await db
        .insertInto(jobs)
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },
    start(work) {
      const look = () => {
        looking = lookForJobs(work)
          .catch(onFailure)
          .then(() => {
            if (!controller.signal.aborted) timer = setTimeout(look, POLL_MS)
          })
      }
      look()
    },
    async depth() {
      const { count } = await db
        .selectFrom(jobs)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    async close() {
      controller.abort()
      clearTimeout(timer)
      await looking
      await Promise.all(runs)
    },
  }
}

const JOB_TABLES = {
  batches: 'jobs',
  webhooks: 'webhook_jobs',
  alerts: 'alert_jobs',
  notices: 'notice_jobs',
} as const

/**
 * The beginning of a batch need not be known to the millisecond, and a look costs one indexed
 * query.
 */
const POLL_MS = 250

/** Looked at together; the others come when these were served. */
const MAX_OWNERS = 500
