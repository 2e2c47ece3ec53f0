import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { StartSignal } from './run-in-thread.js'
import { createThreads } from './threads.js'

const folder = mkdtempSync(join(tmpdir(), 'assay-threads-'))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * A worker as it is compiled: no loader of TypeScript whose messages would turn its event loop. It
 * tells how many of its runs have been cleaned up after.
 */
const WORKER = pathToFileURL(join(folder, 'worker.mjs'))
writeFileSync(
  WORKER,
  `let cleaned = 0
  export default function work() {
    setImmediate(() => { cleaned += 1 })
    return cleaned
  }`,
)

const RUNS = 40

test('what a run leaves to its event loop is done while others follow: finalizers of native memory are', async () => {
  const threads = createThreads<StartSignal, number>({
    worker: WORKER,
    threads: 1,
    kept: 1,
    timeoutMs: 10_000,
    maxHeapMb: 64,
  })
  try {
    let cleaned = 0
    for (let run = 0; run < RUNS; run += 1) cleaned = await threads.run({}, {})
    // A run that comes at once may share a turn with the last one.
    expect(cleaned).toBeGreaterThan(RUNS / 2)
  } finally {
    await threads.close()
  }
})

test('a caller that holds all threads leaves a spare one to another', async () => {
  const worker = pathToFileURL(join(folder, 'waiting-worker.mjs'))
  writeFileSync(worker, 'export default ({ gate }) => (gate ? Atomics.wait(new Int32Array(gate), 0, 0) : "done")')
  type Waiting = StartSignal & { gate?: SharedArrayBuffer }
  const threads = createThreads<Waiting, string>({ worker, threads: 2, kept: 1, timeoutMs: 120_000, maxHeapMb: 64 })
  const gate = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const order: string[] = []
  const held = ['first', 'second', 'third'].map(async (name) => {
    await threads.run({ gate }, { caller: 'greedy' })
    order.push(name)
  })
  expect(await threads.run({}, { caller: 'victim' })).toBe('done')
  expect(order).toEqual([])
  Atomics.store(new Int32Array(gate), 0, 1)
  Atomics.notify(new Int32Array(gate), 0)
  await Promise.all(held)
  await threads.close()
}, 60_000)
