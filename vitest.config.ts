import { defineConfig } from 'vitest/config'

const TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts']

/** What a test needs is said by its suffix, which `test/architecture.test.ts` compares with what it imports. */
const suffixed = (kind: string) => TESTS.map((pattern) => pattern.replace('*.test', `*.${kind}.test`))

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: TESTS,
          exclude: ['devnet', 'service', 'browser'].flatMap(suffixed),
          // Modules are loaded once in each worker, not once for each file: the house has no state in modules.
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'devnet',
          include: suffixed('devnet'),
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: { name: 'service', include: suffixed('service'), testTimeout: 60_000, hookTimeout: 120_000 },
      },
      {
        // The portal in a real Chromium, on the built service.
        extends: true,
        test: {
          name: 'browser',
          include: suffixed('browser'),
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
