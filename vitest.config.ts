import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.js'

const TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts']

/**
 * What a test needs is said by its suffix, which `test/architecture.test.ts` compares with what it
 * imports.
 */
const suffixed = (kind: string) => TESTS.map((pattern) => pattern.replace('*.test', `*.${kind}.test`))
const KINDS = ['devnet', 'service', 'browser']

const project = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude },
})

export default defineConfig({
  test: {
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
    projects: [project('unit', TESTS, KINDS.flatMap(suffixed)), ...KINDS.map((kind) => project(kind, suffixed(kind)))],
  },
})
