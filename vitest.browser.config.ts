import { defineConfig } from 'vitest/config'

/** The portal in a real Chromium, on the built service: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/portal/**/*.browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 1,
  },
})
