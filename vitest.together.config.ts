import { defineConfig } from 'vitest/config'
import { COMPILED_SOURCE, compiledSource } from './test/compiled-source.js'
import { browser, shared, together } from './vitest.config.js'

/**
 * What `npm test` runs. A worker ends where the next file is of another project, and with it all
 * that its threads have loaded and compiled: with the kinds as one project, each starts once.
 */
export default defineConfig({
  plugins: [compiledSource],
  test: { ...shared, projects: [together, browser], server: { deps: { external: [COMPILED_SOURCE] } } },
})
