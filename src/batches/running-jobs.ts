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
}

export function createRunningJobs({ parallelJobs, parallelOfOwner }: QueueKind): RunningJobs {
  const running = new Set<Job>()
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
      return true
    },
    end: (job) => void running.delete(job),
    get isFull() {
      return isFull()
    },
    busyOwners,
    busyLanes,
  }
}
