/** What a worker says of a job that is not over. */
export interface Again {
  againInMs: number
}

/**
 * One turn at a job. Gives {@link Again} when the job needs another turn, nothing when it is over.
 * A rejection is another turn after {@link RETRY_MS}: whether a job is hopeless is for the worker
 * to say. When the signal fires the process wants to stop.
 */
export type Work = (id: string, signal: AbortSignal) => Promise<Again | undefined>

export interface Job {
  id: string
  /** Whose job it is: a process works on few of one owner's at a time, however many wait. */
  owner: string
  /** Jobs of one lane follow one another. */
  lane: string
  /** How many of the owner's wait already: a first job comes before the tenth of another. */
  waiting?: number
}

/**
 * Jobs by id that survive the process: what {@link JobQueue.add} took in is worked on until its
 * work says that it is over, by one worker at a time. A worker that dies loses its job to another
 * after {@link LEASE_MS}.
 */
export interface JobQueue {
  /** A job that is in already stays as it is. */
  add(job: Job): Promise<void>
  start(work: Work): void
  /** Jobs that are not over, running ones included. */
  depth(): Promise<number>
  /** Takes no more jobs, tells the running ones to stop, and waits for them. */
  close(): Promise<void>
}

/** What one process does of a queue at a time. */
export interface QueueKind {
  name: 'batches' | 'webhooks' | 'alerts' | 'notices'
  parallelJobs: number
  parallelOfOwner: number
  /** No job is put off for longer. */
  longestPauseMs: number
}

/**
 * A job of a process that died is taken over after this long; a living one renews its claim three
 * times as often.
 */
export const LEASE_MS = 15_000

/** After a failure of the work itself, such as a database that does not answer. */
export const RETRY_MS = 5_000

/**
 * Analyses have bounds of their own. A key has one batch at work, so that as many keys as there are
 * places must come before another waits.
 */
export const BATCH_QUEUE: QueueKind = {
  name: 'batches',
  parallelJobs: 4,
  parallelOfOwner: 1,
  longestPauseMs: LEASE_MS,
}

/**
 * A delivery waits for a foreign server and for nothing here; two of a key, so that a server that
 * hangs leaves its other one room.
 */
export const WEBHOOK_QUEUE: QueueKind = {
  name: 'webhooks',
  parallelJobs: 16,
  parallelOfOwner: 2,
  longestPauseMs: 3_600_000,
}

/** The same for what watches tell, which is of use while it is new. */
export const ALERT_QUEUE: QueueKind = { ...WEBHOOK_QUEUE, name: 'alerts', longestPauseMs: 1_500_000 }

/**
 * The same for people, by e-mail and Telegram: all go to one server, which is not to be asked from
 * many sides at once.
 */
export const NOTICE_QUEUE: QueueKind = { ...ALERT_QUEUE, name: 'notices', parallelJobs: 4 }
