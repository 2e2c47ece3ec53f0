import type { JobQueue, QueueKind } from '../batches/job-queue.js'
import { createSqlJobQueue } from '../batches/sql-job-queue.js'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import type { Db } from '../stores/database.js'

/** Opens a queue of jobs; `onFailure` is told what went wrong with it, and it goes on. */
export type OpenQueue = (kind: QueueKind, onFailure: (error: unknown) => void) => JobQueue

/**
 * Who works on which job is decided in Redis when there is one, and else in the database. What
 * speaks to Redis is loaded for those who have one: it is a fifth of all that a start reads.
 */
export async function loadQueues({ redisUrl }: Pick<Config, 'redisUrl'>, parts: QueueParts): Promise<OpenQueue> {
  if (redisUrl === undefined) return (kind, onFailure) => createSqlJobQueue({ ...parts, kind, onFailure })
  const { createRedisJobQueue } = await import('../batches/redis-job-queue.js')
  return (kind, onFailure) => createRedisJobQueue({ url: redisUrl, kind, onFailure })
}

interface QueueParts {
  db: Db
  clock: Clock
}
