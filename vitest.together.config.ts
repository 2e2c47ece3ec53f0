import { defineConfig } from 'vitest/config'
import { COMPILED_SOURCE, compiledSource } from './test/compiled-source.js'
import { browser, shared, together } from './vitest.config.js'

/** What stands beside the package, as the portal that browsers are shown, is not compiled. */
const ofCompiledSource = {
  ...together,
  plugins: [compiledSource],
  test: { ...together.test, server: { deps: { external: [COMPILED_SOURCE] } } },
}

/**
 * What `npm test` runs. A worker ends where the next file is of another project, and with it all
 * that its threads have loaded and compiled: with the kinds as one project, each starts once.
 */
export default defineConfig({ test: { ...shared, projects: [ofCompiledSource, browser] } })
