import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Piscina } from 'piscina'
import { afterAll, expect, test } from 'vitest'
import { compiled } from '../../test/compiled.js'
import { ownThreadId } from '../clock.js'
import { MachineBusyError } from '../scheduling/machine-load.js'
import { runInThread, type StartSignal, ThreadTimeoutError } from './run-in-thread.js'

const folder = mkdtempSync(join(tmpdir(), 'assay-thread-'))
const WORKER = join(folder, 'worker.mjs')
writeFileSync(
  WORKER,
  `import { tellStarted } from ${JSON.stringify(pathToFileURL(compiled('src/simulation/run-in-thread.ts')).href)}
  const asleep = new Int32Array(new SharedArrayBuffer(4))
  export default async function work({ started }) {
    tellStarted({ started })
    for (;;) Atomics.wait(asleep, 0, 0)
  }`,
)
const pool = new Piscina<StartSignal, void>({
  filename: pathToFileURL(WORKER).href,
  // A thread that was killed gets no successor: one would still load a file that is removed.
  minThreads: 0,
  maxThreads: 2,
})
afterAll(async () => {
  await pool.destroy()
  rmSync(folder, { recursive: true })
})
/** What the system says does not depend here on how busy this machine is. */
const always = () => ({ workedMs: performance.now(), waitedMs: 0 })
const never = () => ({ workedMs: 0, waitedMs: performance.now() })
const run = (timeOf?: typeof always, signal?: AbortSignal) =>
  runInThread(pool, {}, { timeoutMs: 300, signal, ...(timeOf && { timeOf }) })

test('a thread that is always at work has used its time up', async () => {
  await expect(run(always)).rejects.toThrow(ThreadTimeoutError)
})

test('a thread that is kept from its work is late through the machine, not through what it works on', async () => {
  await expect(run(never)).rejects.toThrow(MachineBusyError)
})

test.skipIf(ownThreadId() === undefined)('the system tells of a thread that sleeps that it does not work', async () => {
  await expect(run()).rejects.toThrow(MachineBusyError)
})

test('work that is called off is neither', async () => {
  await expect(run(never, AbortSignal.timeout(50))).rejects.toThrow('aborted')
})
