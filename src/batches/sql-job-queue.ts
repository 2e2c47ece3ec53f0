import { randomUUID } from 'node:crypto'
import type { Db } from '../stores/database.js'
import { type JobQueue, LEASE_MS, PARALLEL_JOBS, RETRY_MS, type Work } from './job-queue.js'

export interface SqlJobQueueOptions {
  db: Db
  /** Told when the database cannot be asked; the queue goes on trying. */
  onFailure(error: unknown): void
  leaseMs?: number
}

/**
 * The queue without Redis: a table in the same database as everything else. Works for one process and for several; times are the machines' own clocks,
 * which must agree to within seconds. Does not own `db`.
 */
export function createSqlJobQueue({ db, onFailure, leaseMs = LEASE_MS }: SqlJobQueueOptions): JobQueue {
  const controller = new AbortController()
  const holder = randomUUID()
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()

  const release = (id: string, readyAt: number | undefined) =>
    readyAt === undefined
      ? db.deleteFrom('jobs').where('id', '=', id).where('holder', '=', holder).execute()
      : db
          .updateTable('jobs')
          .set({ ready_at: readyAt, holder: null })
          .where('id', '=', id)
          .where('holder', '=', holder)
          .execute()

  async function runOne(id: string, work: Work): Promise<void> {
    const renew = () =>
      db
        .updateTable('jobs')
        .set({ ready_at: Date.now() + leaseMs })
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
      await release(id, again && Date.now() + again.againInMs)
    } catch (error) {
      // The claim runs out by itself.
      onFailure(error)
    } finally {
      clearInterval(heartbeat)
    }
  }

  async function claimNext(): Promise<string | undefined> {
    const now = Date.now()
    const due = await db
      .selectFrom('jobs')
      .select(['id', 'ready_at'])
      .where('ready_at', '<=', now)
      .orderBy('ready_at')
      .limit(PARALLEL_JOBS)
      .execute()
    for (const { id, ready_at: readyAt } of due) {
      // Whoever changes the row first has it.
      const { numUpdatedRows } = await db
        .updateTable('jobs')
        .set({ ready_at: now + leaseMs, holder })
        .where('id', '=', id)
        .where('ready_at', '=', readyAt)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return id
    }
    return undefined
  }

  async function lookForJobs(work: Work): Promise<void> {
    while (!controller.signal.aborted && running.size < PARALLEL_JOBS) {
      const id = await claimNext()
      if (id === undefined) return
      const run = runOne(id, work).finally(() => {
        running.delete(run)
      })
      running.add(run)
    }
  }

  return {
    async add(id) {
      const row = { id, ready_at: Date.now(), holder: null }
      await db
        .insertInto('jobs')
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
        .selectFrom('jobs')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    async close() {
      controller.abort()
      clearTimeout(timer)
      await looking
      await Promise.all(running)
    },
  }
}

/** Nobody watches a batch begin to the millisecond, and a look costs one indexed query. */
const POLL_MS = 250
