import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** What `bytecode-fuzz.bench.ts` found when it ran last. */
export interface FuzzResult {
  date: string
  programs: number
  seed: number
  thrown: number
  incomplete: number
  /** Of processor time of the analysing thread. */
  slowestMs: number
  heapAfterWarmUpMegabytes: number
  heapAtEndMegabytes: number
  peakMemoryMegabytes: number
}

/** The last result; `undefined` where none was kept. */
export function readFuzzResult(): FuzzResult | undefined {
  const path = resolve(import.meta.dirname, 'bytecode-fuzz.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as FuzzResult) : undefined
}
