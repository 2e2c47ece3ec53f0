import { DelayedError, Queue, Worker } from 'bullmq'
import { connectPatientRedis, connectRedis } from '../stores/connect-redis.js'
import { type JobQueue, LEASE_MS, PARALLEL_JOBS, RETRY_MS } from './job-queue.js'

export interface RedisJobQueueOptions {
  url: string
  /** Told when Redis cannot be asked, or the work failed; the queue goes on trying. */
  onFailure(error: unknown): void
  leaseMs?: number
  prefix?: string
}

/** The queue of several machines, in Redis (BullMQ). What is in Redis alone can be lost with it: whoever adds jobs adds them again at the start. */
export function createRedisJobQueue({
  url,
  onFailure,
  leaseMs = LEASE_MS,
  prefix = 'assay',
}: RedisJobQueueOptions): JobQueue {
  const controller = new AbortController()
  // Whoever adds a job does not wait for a Redis that is down; a worker does nothing else.
  const asking = connectRedis(url, { commandTimeout: ADD_TIMEOUT_MS, silenceMs: ADD_SILENCE_MS })
  const working = connectPatientRedis(url, { silenceMs: WORK_SILENCE_MS })
  const queue = new Queue(QUEUE, { connection: asking, prefix })
  queue.on('error', onFailure)
  let worker: Worker | undefined

  return {
    async add(id) {
      await queue.add('job', {}, { jobId: id, removeOnComplete: true, removeOnFail: true })
    },
    start(work) {
      worker = new Worker(
        QUEUE,
        async (job, token) => {
          const again = await work(job.id ?? '', controller.signal).catch((error) => {
            onFailure(error)
            return { againInMs: RETRY_MS }
          })
          if (again === undefined) return
          await job.moveToDelayed(Date.now() + again.againInMs, token)
          throw new DelayedError()
        },
        {
          connection: working,
          prefix,
          concurrency: PARALLEL_JOBS,
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

const QUEUE = 'batches'
const ADD_TIMEOUT_MS = 1_000
const ADD_SILENCE_MS = 2_000
/** BullMQ lets the server hold back an answer for 10 s when there is nothing to do. */
const WORK_SILENCE_MS = 15_000
