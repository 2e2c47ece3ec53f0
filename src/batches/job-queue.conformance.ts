import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { JobQueue, Work } from './job-queue.js'

export interface QueueStage {
  /** Another process on the same queue. */
  open(): JobQueue
  close(): Promise<void>
}

/** Resolves when `isTrue` is. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(20)
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
        for (const id of ['a', 'b', 'a']) await queue.add(id)
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
        await queue.add('a')
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
        await queue.add('a')
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
        await one.add('a')
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
        await one.add('a')
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
  })
}

/** Short, so that a claim that is not renewed would be seen to run out. */
export const STAGE_LEASE_MS = 600
