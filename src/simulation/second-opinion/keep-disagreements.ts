import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../clock.js'
import { type Disagreement, writeDisagreement } from './disagreement.js'

/**
 * In the folder at a time; the oldest go. A fault of ours shows itself in each of them, and a file
 * has some 200 kB.
 */
const MAX_FILES = 32
/** More state than this is no trade's. */
const MAX_FILE_CHARS = 8 * 1024 * 1024

export interface KeeperOptions {
  folder: string
  clock: Clock
  onKept(path: string, disagreement: Disagreement): void
  /** Of the disk: nothing depends on it. */
  onFailure(error: unknown): void
}

/** Keeps disagreements as files, the newest ones, for `assay second-opinion`. Never rejects. */
export function createKeeper({ folder, clock, onKept, onFailure }: KeeperOptions) {
  return async (disagreement: Disagreement): Promise<void> => {
    try {
      const text = writeDisagreement(disagreement)
      if (text.length > MAX_FILE_CHARS) throw new RangeError(`a disagreement of ${text.length} characters`)
      await mkdir(folder, { recursive: true })
      const path = join(folder, `${nameOf(clock.now(), disagreement)}.json`)
      await writeFile(path, text)
      const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted()
      for (const name of files.slice(0, -MAX_FILES)) await rm(join(folder, name), { force: true })
      onKept(path, disagreement)
    } catch (error) {
      onFailure(error)
    }
  }
}

/** In the order of time, as names are sorted. */
const nameOf = (at: number, { chainId, block }: Disagreement) =>
  `${new Date(at).toISOString().replaceAll(':', '-')}-${chainId}-${block.number}`
