import { DelayedError, Queue, Worker } from 'bullmq'
import { connectPatientRedis, connectRedis } from '../stores/connect-redis.js'
import { type Again, type Job, type JobQueue, LEASE_MS, type QueueKind, RETRY_MS, type Work } from './job-queue.js'
import { createRunningJobs } from './running-jobs.js'

export interface RedisJobQueueOptions {
  url: string
  kind: QueueKind
  /** Told when Redis cannot be asked, or the work failed; the queue goes on trying. */
  onFailure(error: unknown): void
  leaseMs?: number
  prefix?: string
}

type Whose = Pick<Job, 'owner' | 'lane'>

/**
 * The queue of several machines, in Redis (BullMQ). What is in Redis alone can be lost with it: a
 * process adds its jobs again at the start.
 */
export function createRedisJobQueue({
  url,
  kind,
  onFailure,
  leaseMs = LEASE_MS,
  prefix = 'assay',
}: RedisJobQueueOptions): JobQueue {
  const controller = new AbortController()
  // A caller that adds a job does not wait for a Redis that is down; a worker does nothing else.
  const asking = connectRedis(url, { commandTimeout: ADD_TIMEOUT_MS, silenceMs: ADD_SILENCE_MS })
  const working = connectPatientRedis(url, { silenceMs: WORK_SILENCE_MS })
  const running = createRunningJobs(kind)
  const queue = new Queue<Whose>(kind.name, { connection: asking, prefix })
  queue.on('error', onFailure)
  let worker: Worker<Whose> | undefined

  async function workInTurn(work: Work, job: Job): Promise<Again | undefined> {
    if (!running.begin(job)) return { againInMs: NO_ROOM_MS }
    try {
      return await work(job.id, controller.signal)
    } catch (error) {
      onFailure(error)
      return { againInMs: RETRY_MS }
    } finally {
      running.end(job)
    }
  }

  return {
    async add({ id, waiting = 0, ...whose }) {
      const priority = Math.min(1 + waiting, MAX_PRIORITY)
      await queue.add('job', whose, { jobId: id, priority, removeOnComplete: true, removeOnFail: true })
    },
    start(work) {
      worker = new Worker(
        kind.name,
        async (job, token) => {
          const again = await workInTurn(work, { ...job.data, id: job.id ?? '' })
          if (again === undefined) return
          await job.moveToDelayed(Date.now() + again.againInMs, token)
          throw new DelayedError()
        },
        {
          connection: working,
          prefix,
          concurrency: kind.parallelJobs,
          lockDuration: leaseMs,
          stalledInterval: leaseMs,
          // A job is never given up because processes died: the work itself counts attempts.
          maxStalledCount: Number.MAX_SAFE_INTEGER,
        },
      )
      worker.on('error', onFailure)
    },
    async depth() {
      const counts = await queue.getJobCounts('active', 'delayed', 'prioritized', 'waiting')
      return Object.values(counts).reduce((sum, count) => sum + count, 0)
    },
    async close() {
      controller.abort()
      await worker?.close()
      await queue.close()
      asking.disconnect()
      working.disconnect()
    },
  }
}

/**
 * A job whose owner has all the room there is for one comes back: Redis hands out the oldest one of
 * all owners.
 */
const NO_ROOM_MS = 500
const ADD_TIMEOUT_MS = 1_000
const ADD_SILENCE_MS = 2_000
/** BullMQ lets the server hold back an answer for 10 s when there is nothing to do. */
const WORK_SILENCE_MS = 15_000
/** Of BullMQ: what has a lower number comes first, and of one number what came first. */
const MAX_PRIORITY = 2_097_152
