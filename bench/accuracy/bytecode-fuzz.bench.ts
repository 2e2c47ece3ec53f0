import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readFacts } from '../../src/bytecode/facts.js'
import { generateProgram, randomBytes, seededRandom } from '../../src/bytecode/random-program.conformance.js'
import { createDeadline, createDetectionDeadline } from '../../src/checks/bytecode/deadline.js'
import { detectors } from '../../src/checks/bytecode/detectors/index.js'
import { findFlags } from '../../src/checks/bytecode/find-flags.js'
import { createUnknownSubject } from '../../src/checks/bytecode/unknown-storage.conformance.js'
import { createWorkClock } from '../../src/clock.js'
import type { FuzzResult } from './bytecode-fuzz-result.js'

/**
 * Analyses random bytes and programs of a grammar in turn, facts and all detectors, and notes the
 * slowest and the memory for `docs/accuracy.md`. Ends with 1 when one throws or takes a second.
 *
 *     npx tsx bench/accuracy/bytecode-fuzz.bench.ts [programs] [seed]
 */
const [programs = '100000', seed = '1'] = process.argv.slice(2)
/** Longest piece of random bytes. */
const MAX_RANDOM_BYTES = 600
/** Programs after which everything that is needed once is there. */
const WARM_UP = 1_000
const HARD_STOP_MS = 1_000

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void
const heapMegabytes = () => {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}

const next = seededRandom(Number(seed))
const clock = createWorkClock()
let [slowestMs, firstHeap, thrown, incomplete] = [0, 0, 0, 0]
const count = Number(programs)
for (let run = 0; run < count; run += 1) {
  const code = run % 2 === 0 ? randomBytes(next, 1 + Math.floor(next() * MAX_RANDOM_BYTES)) : generateProgram(next)
  const start = clock.monotonic()
  try {
    const facts = readFacts(code, { isOverdue: createDeadline() })
    const { failed } = findFlags(detectors, [createUnknownSubject(code, facts)], createDetectionDeadline(1))
    if (facts.gaps.length > 0 || failed.length > 0) incomplete += 1
  } catch {
    thrown += 1
  }
  slowestMs = Math.max(slowestMs, clock.monotonic() - start)
  if (run === WARM_UP) firstHeap = heapMegabytes()
  if (run % 10_000 === 0) process.stderr.write(`${run} programs, slowest ${slowestMs.toFixed(0)} ms\n`)
}
const result: FuzzResult = {
  date: new Date().toISOString().slice(0, 10),
  programs: count,
  seed: Number(seed),
  thrown,
  incomplete,
  slowestMs: Math.round(slowestMs),
  heapAfterWarmUpMegabytes: Math.round(firstHeap),
  heapAtEndMegabytes: Math.round(heapMegabytes()),
  peakMemoryMegabytes: Math.round(process.resourceUsage().maxRSS / 1_024),
}
writeFileSync(resolve(import.meta.dirname, 'bytecode-fuzz.json'), `${JSON.stringify(result, undefined, 2)}\n`)
process.exitCode = thrown > 0 || slowestMs >= HARD_STOP_MS ? 1 : 0
