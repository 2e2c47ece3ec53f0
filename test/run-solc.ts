import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { COMPILED } from './compiled.js'

interface Compiler {
  compile(input: string, imports?: Imports): string
  compileStandardWrapper?(input: string): string
}

/** Finds what a source imports: a file of an installed package. */
interface Imports {
  import(path: string): { contents: string } | { error: string }
}

const require = createRequire(import.meta.url)
const LOCKFILE = readFileSync(resolve(import.meta.dirname, '../package-lock.json'))
const FOLDER = join(COMPILED, 'solc')
/** Outputs that are kept, the newest: several times what a run of all tests compiles. */
const MAX_KEPT = 500

/**
 * What the compiler of the package `name` says to this input. It takes seconds for what never
 * changes, so that outputs are kept by all that they depend on: the input and the installed
 * packages.
 */
export function runSolc(name: string, input: object, imports?: Imports): unknown {
  const text = JSON.stringify(input)
  const hash = createHash('sha256').update(LOCKFILE).update(`${name}\n${text}`).digest('hex')
  const path = join(FOLDER, `${hash}.json`)
  return JSON.parse(readKept(path) ?? keep(path, compile(name, text, imports)))
}

function compile(name: string, input: string, imports: Imports | undefined): string {
  const solc = require(name) as Compiler
  return solc.compileStandardWrapper?.(input) ?? solc.compile(input, imports)
}

function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Two processes may write the same at once: each renames a file of its own. */
function keep(path: string, output: string): string {
  mkdirSync(FOLDER, { recursive: true })
  const own = `${path}.${process.pid}`
  writeFileSync(own, output)
  renameSync(own, path)
  const kept = readdirSync(FOLDER).map((file) => join(FOLDER, file))
  if (kept.length > MAX_KEPT) for (const old of oldestFirst(kept).slice(0, -MAX_KEPT)) rmSync(old, { force: true })
  return output
}

const oldestFirst = (paths: readonly string[]) =>
  paths
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ path }) => path)
