import { readdirSync } from 'node:fs'
import { readThreadTime, type ThreadTime } from '../clock.js'
import { BaseError } from '../errors.js'

/** Whether this process gets the processors that it wants. */
export interface MachineLoad {
  /**
   * Whether our threads waited for a processor for long, lately: what is late then is late through
   * the machine. Never where the system does not tell (anywhere but on Linux).
   */
  isBusy(): boolean
  /** Of the time that our threads wanted a processor, the part that they waited for one. */
  waitedShare(): number
  /** Looks at the threads; done every second until {@link MachineLoad.stop}. */
  look(): void
  stop(): void
}

export interface MachineLoadOptions {
  now?(): number
  /** The times of all threads of this process, by their ids. */
  read?(): ReadonlyMap<string, ThreadTime>
}

export function createMachineLoad({
  now = () => performance.now(),
  read = readThreadTimes,
}: MachineLoadOptions = {}): MachineLoad {
  const looks: Look[] = []
  let last = { at: now(), threads: read() }
  const look = () => {
    const next = { at: now(), threads: read() }
    looks.push(compare(last, next))
    looks.splice(0, looks.length - LOOKS_KEPT)
    last = next
  }
  const timer = setInterval(look, LOOK_MS).unref()
  const sum = (of: keyof Look) => looks.reduce((total, each) => total + each[of], 0)
  const waitedShare = () => sum('waitedMs') / Math.max(1, sum('waitedMs') + sum('workedMs'))
  return {
    isBusy: () => waitedShare() >= BUSY_SHARE && sum('waitedMs') >= BUSY_PART * sum('passedMs'),
    waitedShare,
    look,
    stop: () => clearInterval(timer),
  }
}

const LOOK_MS = 1_000
/** As long as an analysis may take. */
const LOOKS_KEPT = 15
/** Work took half as long again as it would have alone, or longer. */
const BUSY_SHARE = 1 / 3
/** Of the time that passed: what a process that hardly wants anything waits for says nothing. */
const BUSY_PART = 1 / 4

interface Look extends ThreadTime {
  passedMs: number
}

interface Reading {
  at: number
  threads: ReadonlyMap<string, ThreadTime>
}

/** Threads that came or went meanwhile are left out. */
function compare(before: Reading, after: Reading): Look {
  const look: Look = { passedMs: after.at - before.at, workedMs: 0, waitedMs: 0 }
  for (const [id, { workedMs, waitedMs }] of after.threads) {
    const known = before.threads.get(id)
    if (known === undefined) continue
    look.workedMs += workedMs - known.workedMs
    look.waitedMs += waitedMs - known.waitedMs
  }
  return look
}

function readThreadTimes(): ReadonlyMap<string, ThreadTime> {
  const times = new Map<string, ThreadTime>()
  for (const id of listThreads()) {
    const time = readThreadTime(id)
    if (time !== undefined) times.set(id, time)
  }
  return times
}

function listThreads(): string[] {
  try {
    return readdirSync('/proc/self/task')
  } catch {
    return []
  }
}

/** Our work was late because the machine was busy, which says nothing about what was worked on. */
export class MachineBusyError extends BaseError {
  override readonly name = 'MachineBusyError'

  constructor(cause?: unknown) {
    super('Our machine was too busy to finish in time', { cause, docs: 'docs/operating.md' })
  }
}

/** Whether a failure comes down to a busy machine. */
export const isMachineBusy = (error: unknown): boolean =>
  error instanceof BaseError && error.find(MachineBusyError) !== undefined

/** Finds out whose doing a failure is; gives the error that says so. */
export type Blame = (error: unknown, signal: AbortSignal | undefined) => unknown

/** Work that was told to stop while the machine was busy would have been done in time without. */
export const createBlame =
  ({ isBusy }: Pick<MachineLoad, 'isBusy'>): Blame =>
  (error, signal) =>
    signal?.aborted === true && !isMachineBusy(error) && isBusy() ? new MachineBusyError(error) : error
