import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Beside the project, or as `npm run fetch:tests` puts it here; see CONTRIBUTING.md. */
const PLACES = ['../../../shared/data', '../vectors'].map((place) => resolve(import.meta.dirname, place))

/** Where the test data of other projects is; where it would be, when it is nowhere. */
export const SHARED_DATA = PLACES.find((place) => existsSync(place)) ?? resolve(import.meta.dirname, '../vectors')

let isSaid = false

/** Whether the data is there. Where it must be (CI), its absence is a failure instead. */
export function hasSharedData(): boolean {
  if (existsSync(SHARED_DATA)) return true
  const message = `no test vectors at ${PLACES.join(' or ')}: npm run fetch:tests -- <address of a copy> fetches them`
  if (process.env.CI === 'true') throw new Error(message)
  if (!isSaid) process.stderr.write(`skipped: ${message}\n`)
  isSaid = true
  return false
}

/** The files of a folder of the data; none, where the data is absent. */
export function sharedFiles(folder: string): string[] {
  if (!hasSharedData()) return []
  return readdirSync(join(SHARED_DATA, folder)).filter((name) => name.endsWith('.json.gz'))
}

export const sharedPath = (folder: string, file: string): string => join(SHARED_DATA, folder, file)

/** Reads a gzipped JSON file of the shared data. */
export function readShared<T>(folder: string, file: string): Record<string, T> {
  return JSON.parse(gunzipSync(readFileSync(sharedPath(folder, file))).toString('utf8'))
}
