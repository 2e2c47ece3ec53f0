import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { COMPILED } from './compiled.js'
import { isWhole, TURN_OF_RUN } from './some-of.js'

const ROOT = resolve(import.meta.dirname, '..')
/** What the source reads beside itself. */
const READ_BESIDE = ['package.json', 'contracts']

/**
 * Compiles the source and the tests once for a run, so that the threads and processes that tests
 * start load JavaScript: a service of its own starts with 2.5 s of processor time instead of 6.
 * Types are checked elsewhere; what has not changed is left as it is.
 */
export default function compile(): void {
  mkdirSync(COMPILED, { recursive: true })
  execFileSync(process.execPath, [resolve(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.tests.json'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  for (const name of READ_BESIDE) {
    if (!existsSync(resolve(COMPILED, name))) symlinkSync(resolve(ROOT, name), resolve(COMPILED, name))
  }
  process.env.ASSAY_TESTS_COMPILED = `${pathToFileURL(COMPILED).href}/`
  if (isWhole || process.env.ASSAY_TESTS_TURN !== undefined) return
  // The same in all processes, also where a day ends while they run.
  process.env.ASSAY_TESTS_TURN = String(TURN_OF_RUN)
  process.stderr.write(`of long lists, the rows of ASSAY_TESTS_TURN=${TURN_OF_RUN}\n`)
}
