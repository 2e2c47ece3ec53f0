import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.js'

const TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts']
const KINDS = ['devnet', 'service', 'browser']

/**
 * What a test needs is said by its suffix, which `test/architecture.test.ts` compares with what it
 * imports.
 */
const suffixed = (kind: string) => TESTS.map((pattern) => pattern.replace('*.test', `*.${kind}.test`))

const project = (name: string, include: string[], exclude: string[] = []): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include, exclude },
})
const kind = (name: string) => project(name, suffixed(name))

const unit = project('unit', TESTS, KINDS.flatMap(suffixed))
export const browser: TestProjectInlineConfiguration = kind('browser')
/** All but those in a browser, as one project. */
export const together: TestProjectInlineConfiguration = project('together', TESTS, suffixed('browser'))

export const shared: ViteUserConfig['test'] = {
  sequence: { sequencer: LongestFirst },
  globalSetup: 'test/compile.ts',
  pool: 'forks',
  // Two more than processors: many files wait for a silent connection or a claim that runs out.
  maxWorkers: 4,
  // What one worker has made of a file is there for the others, and for the next run.
  experimental: { fsModuleCache: true },
  // Modules are loaded once in each worker, not once for each file: they hold no state.
  isolate: false,
  // Bounds of despair: no promise is about the time that a busy machine takes.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({ test: { ...shared, projects: [unit, kind('devnet'), kind('service'), browser] } })
