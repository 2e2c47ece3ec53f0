import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Test data of other projects, beside this one; see docs/testing.md. */
const ROOT = resolve(import.meta.dirname, '../../../shared/data')

/** Whether the data is there. Where it must be (CI), its absence is a failure instead. */
export function hasSharedData(): boolean {
  if (existsSync(ROOT)) return true
  if (process.env.CI === 'true') throw new Error(`the shared test data is missing: ${ROOT}`)
  process.stderr.write(`skipped: no shared test data at ${ROOT}\n`)
  return false
}

export function sharedFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.json.gz'))
}

/** Reads a gzipped JSON file of the shared data. */
export function readShared<T>(folder: string, file: string): Record<string, T> {
  return JSON.parse(gunzipSync(readFileSync(join(ROOT, folder, file))).toString('utf8'))
}
