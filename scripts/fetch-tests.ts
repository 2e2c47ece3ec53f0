/*
 * Fetches the test vectors of other projects into test/vectors, which git ignores, from a copy of
 * them that is laid out as test/vectors.sha256 names them: npm run fetch:tests -- https://host/path
 * What is there already and right stays. Not needed where `../shared/data` lies beside the project.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const SUMS = /^([0-9a-f]{64}) {2}([\w][\w./-]*)$/

/** The largest vector has 5 MB. */
const MAX_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 120_000

export interface Vector {
  /** Below the folder and below the copy's address. */
  path: string
  sha256: string
}

/** Reads lines as `sha256sum` writes them. Throws a `TypeError` at any other. */
export function readVectors(text: string): Vector[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, sha256 = '', path = ''] = SUMS.exec(line) ?? []
      if (path === '' || path.split('/').includes('..')) throw new TypeError(`no checksum and path: ${line}`)
      return { path, sha256 }
    })
}

/**
 * Makes `folder` hold the vectors, each with its checksum; gives the paths that were fetched.
 * Rejects at the first that cannot be had or is another one, and leaves nothing of it.
 */
export async function fetchVectors(vectors: readonly Vector[], from: string, folder: string): Promise<string[]> {
  const fetched: string[] = []
  for (const { path, sha256 } of vectors) {
    const file = resolve(folder, path)
    if (existsSync(file) && hashOf(readFileSync(file)) === sha256) continue
    const bytes = await download(`${from.replace(/\/$/, '')}/${path}`)
    if (hashOf(bytes) !== sha256) throw new Error(`${path} is not the file that the tests were written for`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.part`, bytes)
    renameSync(`${file}.part`, file)
    fetched.push(path)
  }
  return fetched
}

async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok || response.body === null) throw new Error(`${url}: ${response.status}`)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body) {
    size += part.length
    if (size > MAX_BYTES) throw new Error(`${url} has more than ${MAX_BYTES} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function main([from]: readonly string[]): Promise<void> {
  if (from === undefined) throw new TypeError('usage: npm run fetch:tests -- <address of a copy of the vectors>')
  const vectors = readVectors(readFileSync(resolve(ROOT, 'test/vectors.sha256'), 'utf8'))
  const fetched = await fetchVectors(vectors, from, resolve(ROOT, 'test/vectors'))
  process.stdout.write(`${fetched.length} of ${vectors.length} files fetched, the others were there\n`)
}

if (process.argv[1] === import.meta.filename) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  })
}
