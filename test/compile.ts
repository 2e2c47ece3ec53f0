import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { COMPILED, PROGRAMS } from './compiled.js'
import { isWhole, TURN_OF_RUN } from './some-of.js'

const ROOT = resolve(import.meta.dirname, '..')
/** What the source reads beside itself. */
const READ_BESIDE = ['package.json', 'contracts']

async function run(tool: string, ...args: string[]): Promise<void> {
  const node = [resolve(ROOT, 'node_modules', tool), ...args]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, node, { cwd: ROOT }).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`${tool} failed: ${error.message}\n${error.stdout ?? ''}`)
    },
  )
  process.stderr.write(stdout + stderr)
}

const PUT_TOGETHER = ['--config', 'scripts/service.vite.config.ts', '--outDir', PROGRAMS, '--logLevel', 'warn']

/**
 * Compiles the source and the tests once for a run, so that the threads and processes that tests
 * start load JavaScript, and puts the programs together as they are shipped: a service of its own
 * starts with 0.9 s of processor time, from modules with 2, from source with 6. Types are checked
 * elsewhere; what has not changed is left as it is.
 */
export default async function compile(): Promise<void> {
  // Each project of a run asks for it.
  if (process.env.ASSAY_TESTS_COMPILED_BY === String(process.pid)) return
  process.env.ASSAY_TESTS_COMPILED_BY = String(process.pid)
  // As the service is started; workers and what they start would have four threads each for V8.
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --v8-pool-size=1`.trim()
  mkdirSync(COMPILED, { recursive: true })
  await Promise.all([
    run('typescript/bin/tsc', '-p', 'tsconfig.tests.json'),
    run('vite/bin/vite.js', 'build', ...PUT_TOGETHER),
  ])
  for (const name of READ_BESIDE) {
    if (!existsSync(resolve(COMPILED, name))) symlinkSync(resolve(ROOT, name), resolve(COMPILED, name))
  }
  process.env.ASSAY_TESTS_COMPILED = `${pathToFileURL(COMPILED).href}/`
  if (isWhole || process.env.ASSAY_TESTS_TURN !== undefined) return
  // The same in all processes, also where a day ends while they run.
  process.env.ASSAY_TESTS_TURN = String(TURN_OF_RUN)
  process.stderr.write(`of long lists, the rows of ASSAY_TESTS_TURN=${TURN_OF_RUN}\n`)
}
