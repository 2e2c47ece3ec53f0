import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median } from './measure.js'

/**
 * What processor time is compared with: the warm job of `speed/evm` on `@ethereumjs/evm`, played
 * after each run that counts, in a process of its own. Two machines differ by a factor of three,
 * and so does one at two times of a day; a check and the job beside it go along.
 */
export interface Yardstick {
  /** The processor time of some work, and of the job right after it. */
  measure(work: () => unknown): Promise<Measured>
  stop(): Promise<void>
}

export interface Measured {
  /** Milliseconds of processor time, all threads together. */
  ms: number
  /** Of the job's. */
  ratio: number
}

export async function startYardstick(): Promise<Yardstick> {
  const child = fork(join(import.meta.dirname, 'yardstick-process.ts'))
  const ended = new AbortController()
  child.once('exit', () => ended.abort())
  // A process that has ended sends nothing any more.
  const nextMs = async () => {
    const [message] = await once(child, 'message', { signal: ended.signal })
    return (message as { ms: number }).ms
  }
  // The first is its word that V8 has compiled the job.
  await nextMs()
  return {
    async measure(work) {
      const ms = await processorMs(work)
      child.send('play')
      return { ms, ratio: ms / (await nextMs()) }
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** Milliseconds of processor time that the process, with its threads, takes for some work. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Of several runs, the median of either. */
export function medianOf(runs: readonly Measured[]): Measured {
  return { ms: median(runs.map(({ ms }) => ms)), ratio: median(runs.map(({ ratio }) => ratio)) }
}

/** What a ratio says, and whether it is what was to be reached. */
export function sayRatio(ratio: number, target: number): string {
  return `${ratio.toFixed(2)} of the job on @ethereumjs/evm (target ${target}${ratio > target ? ', MISSED' : ''})`
}
