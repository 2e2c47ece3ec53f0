import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { StartSignal } from './run-in-thread.js'
import { createThreads } from './threads.js'

const folder = mkdtempSync(join(tmpdir(), 'assay-threads-'))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * A worker as it is compiled: no loader of TypeScript whose messages would turn its event loop. It
 * tells how many of its runs have been cleaned up after, and which thread it is.
 */
const WORKER = pathToFileURL(join(folder, 'worker.mjs'))
writeFileSync(
  WORKER,
  `import { threadId } from 'node:worker_threads'
  let cleaned = 0
  export default function work() {
    setImmediate(() => { cleaned += 1 })
    return { threadId, cleaned }
  }`,
)

const RUNS = 40

test('what a run leaves to its event loop is done while others follow: finalizers of native memory are', async () => {
  const threads = createThreads<StartSignal, { threadId: number; cleaned: number }>({
    worker: WORKER,
    threads: 1,
    kept: 1,
    maxHeapMb: 64,
  })
  try {
    // A busy machine may start the spare thread too.
    const cleanedBy = new Map<number, number>()
    for (let run = 0; run < RUNS; run += 1) {
      const { threadId, cleaned } = await threads.run({}, { timeoutMs: 10_000 })
      cleanedBy.set(threadId, cleaned)
      // A port hands out up to 1,000 messages in one turn, if the next is there in time.
      await sleep(5)
    }
    const cleaned = [...cleanedBy.values()].reduce((sum, count) => sum + count, 0)
    expect(cleaned).toBeGreaterThan(RUNS / 2)
  } finally {
    await threads.close()
  }
})

test('threads import their modules: one that is killed while it requires one ends the process', async () => {
  const worker = pathToFileURL(join(folder, 'requiring-worker.mjs'))
  writeFileSync(
    worker,
    `import { createRequire } from 'node:module'
    export default function work() {
      try {
        createRequire(import.meta.url)(${JSON.stringify(join(folder, 'worker.mjs'))})
        return 'required'
      } catch ({ code }) {
        return code
      }
    }`,
  )
  const threads = createThreads<StartSignal, string>({ worker, threads: 1, kept: 0, maxHeapMb: 64 })
  try {
    expect(await threads.run({}, { timeoutMs: 10_000 })).toBe('ERR_REQUIRE_ESM')
  } finally {
    await threads.close()
  }
})

/** Two threads whose runs wait behind a gate where they are given one. */
function startWaiting() {
  const worker = pathToFileURL(join(folder, 'waiting-worker.mjs'))
  writeFileSync(worker, 'export default ({ gate }) => (gate ? Atomics.wait(new Int32Array(gate), 0, 0) : "done")')
  type Waiting = StartSignal & { gate?: SharedArrayBuffer }
  const threads = createThreads<Waiting, string>({ worker, threads: 2, kept: 1, maxHeapMb: 64 })
  const gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const open = () => {
    Atomics.store(new Int32Array(gate), 0, 1)
    Atomics.notify(new Int32Array(gate), 0)
  }
  return { threads, gate, open }
}

test('a short run does not wait for the long ones of its own caller', async () => {
  const { threads, gate, open } = startWaiting()
  const held = [1, 2, 3].map(() => threads.run({ gate }, { caller: 'one', timeoutMs: 120_000 }))
  expect(await threads.run({}, { caller: 'one', isShort: true, timeoutMs: 120_000 })).toBe('done')
  open()
  await Promise.all(held)
  await threads.close()
}, 60_000)

test('a caller that holds all threads leaves a spare one to another', async () => {
  const { threads, gate, open } = startWaiting()
  const order: string[] = []
  const held = ['first', 'second', 'third'].map(async (name) => {
    await threads.run({ gate }, { caller: 'greedy', timeoutMs: 120_000 })
    order.push(name)
  })
  expect(await threads.run({}, { caller: 'victim', timeoutMs: 120_000 })).toBe('done')
  expect(order).toEqual([])
  open()
  await Promise.all(held)
  await threads.close()
}, 60_000)
