import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Job, JobQueue, QueueKind, Work } from './job-queue.js'

export interface QueueStage {
  /** Another process on the same queue. */
  open(): JobQueue
  close(): Promise<void>
}

/** Resolves when `isTrue` is. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(20)
}

/** A job of its own owner, unless an owner is named, and of its own lane. */
export const jobOf = (id: string, { owner = id, lane = id, waiting = 0 }: Partial<Job> = {}): Job => ({
  id,
  owner,
  lane,
  waiting,
})

/** Holds jobs up until the test opens it. */
function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

/** What every queue promises, whatever it is made of. */
export function jobQueueConformance(name: string, create: () => Promise<QueueStage>) {
  const withStage = async (job: (stage: QueueStage) => Promise<void>) => {
    const stage = await create()
    try {
      await job(stage)
    } finally {
      await stage.close()
    }
  }

  describe(`${name}: job queue`, () => {
    test('works on each job once, however often it was added, and then forgets it', () =>
      withStage(async ({ open }) => {
        const queue = open()
        for (const id of ['a', 'b', 'a']) await queue.add(jobOf(id))
        expect(await queue.depth()).toBe(2)
        const done: string[] = []
        queue.start(async (id) => {
          done.push(id)
          return undefined
        })
        await until(async () => (await queue.depth()) === 0)
        expect(done.toSorted()).toEqual(['a', 'b'])
      }))

    test('gives a job another turn when it asks for one', () =>
      withStage(async ({ open }) => {
        const queue = open()
        let turns = 0
        queue.start(async () => {
          turns += 1
          return turns < 3 ? { againInMs: 10 } : undefined
        })
        await queue.add(jobOf('a'))
        await until(async () => turns === 3 && (await queue.depth()) === 0)
        expect(turns).toBe(3)
      }))

    test('a job that fails stays', () =>
      withStage(async ({ open }) => {
        const queue = open()
        let turns = 0
        queue.start(async () => {
          turns += 1
          throw new Error('out of order')
        })
        await queue.add(jobOf('a'))
        await until(() => turns === 1)
        expect(await queue.depth()).toBe(1)
      }))

    test('of several processes one has a job, for as long as it needs', () =>
      withStage(async ({ open }) => {
        let running = 0
        let most = 0
        let turns = 0
        const work: Work = async () => {
          turns += 1
          running += 1
          most = Math.max(most, running)
          // Longer than a claim lasts that is not renewed.
          await sleep(STAGE_LEASE_MS * 3)
          running -= 1
          return undefined
        }
        const [one, two] = [open(), open()]
        one.start(work)
        two.start(work)
        await one.add(jobOf('a'))
        await until(async () => turns > 0 && (await one.depth()) === 0)
        expect([turns, most]).toEqual([1, 1])
      }))

    test('what a process leaves when it stops, another does', () =>
      withStage(async ({ open }) => {
        const [one, two] = [open(), open()]
        let isStopped = false
        one.start(async (_id, signal) => {
          if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
          isStopped = true
          return { againInMs: 0 }
        })
        await one.add(jobOf('a'))
        await until(async () => (await one.depth()) === 1)
        await sleep(STAGE_LEASE_MS)
        await one.close()
        expect(isStopped).toBe(true)
        let turns = 0
        two.start(async () => {
          turns += 1
          return undefined
        })
        await until(() => turns === 1)
      }))

    test('one owner’s jobs never take all places: another owner’s job begins while they hang', () =>
      withStage(async ({ open }) => {
        const queue = open()
        const begun: string[] = []
        const gate = createGate()
        queue.start(async (id) => {
          begun.push(id)
          if (id !== 'victim') await gate.opened
          return undefined
        })
        const greedy = Array.from({ length: STAGE_KIND.parallelJobs * 3 }, (_, i) => `greedy${i}`)
        for (const id of greedy) await queue.add(jobOf(id, { owner: 'greedy' }))
        await until(() => begun.length === STAGE_KIND.parallelOfOwner)
        await queue.add(jobOf('victim'))
        await until(() => begun.includes('victim'))
        expect(begun.length).toBe(STAGE_KIND.parallelOfOwner + 1)
        gate.open()
        await until(async () => (await queue.depth()) === 0)
        expect(begun.toSorted()).toEqual([...greedy, 'victim'].toSorted())
      }))

    test(
      'owners take turns: one that comes last is not behind all jobs of those before',
      () =>
        withStage(async ({ open }) => {
          const queue = open()
          for (let waiting = 0; waiting < 10; waiting += 1) {
            for (const owner of ['a', 'b', 'c', 'd', 'e'])
              await queue.add(jobOf(`${owner}${waiting}`, { owner, waiting }))
          }
          await queue.add(jobOf('last'))
          const begun: string[] = []
          queue.start(async (id) => {
            begun.push(id)
            await sleep(20)
            return undefined
          })
          await until(async () => (await queue.depth()) === 0)
          expect(begun.length).toBe(51)
          // One turn of each, and what was begun beside them.
          expect(begun.indexOf('last')).toBeLessThan(6 + STAGE_KIND.parallelJobs)
        }),
      60_000,
    )

    test('jobs of one lane follow one another, and another lane of the same owner goes on meanwhile', () =>
      withStage(async ({ open }) => {
        const queue = open()
        const begun: string[] = []
        const gate = createGate()
        queue.start(async (id) => {
          begun.push(id)
          if (id === 'a') await gate.opened
          return undefined
        })
        await queue.add(jobOf('a', { owner: 'one', lane: 'slow' }))
        await until(() => begun.length === 1)
        await queue.add(jobOf('b', { owner: 'one', lane: 'slow' }))
        await queue.add(jobOf('c', { owner: 'one', lane: 'quick' }))
        await until(() => begun.length === 2)
        expect(begun).toEqual(['a', 'c'])
        gate.open()
        await until(async () => (await queue.depth()) === 0)
        expect(begun).toEqual(['a', 'c', 'b'])
      }))
  })
}

/** Room for two of an owner in four places. */
export const STAGE_KIND: QueueKind = { name: 'batches', parallelJobs: 4, parallelOfOwner: 2, longestPauseMs: 60_000 }

/** Short, so that a claim that is not renewed would be seen to run out. */
export const STAGE_LEASE_MS = 600
