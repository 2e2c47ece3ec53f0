import type { Job, QueueKind } from './job-queue.js'

/** The jobs that a process works on, and whether it may begin another one. */
export interface RunningJobs {
  /** False, and nothing begins, when there is no room for this job. */
  begin(job: Job): boolean
  end(job: Job): void
  readonly isFull: boolean
  /** Owners that have all the room they get. */
  busyOwners(): string[]
  busyLanes(): string[]
  /** Of owners whose jobs wait, the one whose last turn is longest ago. */
  nextOwner(owners: readonly string[]): string | undefined
}

export function createRunningJobs({ parallelJobs, parallelOfOwner }: QueueKind): RunningJobs {
  const running = new Set<Job>()
  /** Owners by when one of their jobs was begun last. */
  const served = new Set<string>()
  const noteTurn = (owner: string) => {
    served.delete(owner)
    served.add(owner)
    const [longestAgo] = served
    if (served.size > MAX_SERVED && longestAgo !== undefined) served.delete(longestAgo)
  }
  const ofOwner = (owner: string) => [...running].filter((job) => job.owner === owner).length
  const busyOwners = () => {
    const owners = new Set([...running].map(({ owner }) => owner))
    return [...owners].filter((owner) => ofOwner(owner) >= parallelOfOwner)
  }
  const busyLanes = () => [...running].map(({ lane }) => lane)
  const isFull = () => running.size >= parallelJobs
  return {
    begin(job) {
      if (isFull() || ofOwner(job.owner) >= parallelOfOwner || busyLanes().includes(job.lane)) return false
      running.add(job)
      noteTurn(job.owner)
      return true
    },
    end: (job) => void running.delete(job),
    get isFull() {
      return isFull()
    },
    busyOwners,
    busyLanes,
    nextOwner(owners) {
      const waiting = new Set(owners)
      return owners.find((owner) => !served.has(owner)) ?? [...served].find((owner) => waiting.has(owner))
    },
  }
}

/** More than have jobs waiting; one that is forgotten is served as if it were new. */
const MAX_SERVED = 1_000
