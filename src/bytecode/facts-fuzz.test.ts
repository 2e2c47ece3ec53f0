import { describe, expect, test } from 'vitest'
import { readFacts } from './facts.js'
import { generateProgram, randomBytes, seededRandom } from './random-program.conformance.js'

/** Programs of each kind; `FUZZ_RUNS` asks for more than a quick look: 50,000 took two minutes. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 300)
const SEED = Number(process.env.FUZZ_SEED ?? 1)
/** Of processor time: what else runs on the machine does not count. */
const HARD_STOP_MS = 1_000
/** Terms of one program die with it: what is left over after thousands is a leak. */
const MAX_GROWTH_BYTES = 96 * 1_024 * 1_024

describe.each([
  ['random bytes', (next: () => number) => randomBytes(next, 1 + Math.floor(next() * 600))],
  ['programs of a grammar', (next: () => number) => generateProgram(next)],
])('%s', (_, make) => {
  test('none throws, none takes a second, memory stays flat', { timeout: 3_600_000 }, () => {
    const next = seededRandom(SEED)
    let slowest = 0
    let before = 0
    for (let run = 0; run < RUNS; run += 1) {
      const code = make(next)
      const start = process.cpuUsage()
      readFacts(code)
      const { user, system } = process.cpuUsage(start)
      slowest = Math.max(slowest, (user + system) / 1_000)
      if (run === Math.min(500, RUNS - 1)) before = heapUsed()
    }
    const grown = heapUsed() - before
    if (RUNS > 1_000) {
      process.stderr.write(
        `${RUNS} programs, slowest ${slowest.toFixed(0)} ms of processor time, heap grown by ${(grown / 2 ** 20).toFixed(1)} MB\n`,
      )
    }
    expect(slowest).toBeLessThan(HARD_STOP_MS)
    expect(grown).toBeLessThan(MAX_GROWTH_BYTES)
  })
})

function heapUsed(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
