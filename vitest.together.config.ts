import { defineConfig } from 'vitest/config'
import { browser, shared, together } from './vitest.config.js'

/**
 * What `npm test` runs. A worker ends where the next file is of another project, and with it all
 * that its threads have loaded and compiled: with the kinds as one project, each starts once.
 */
export default defineConfig({ test: { ...shared, projects: [together, browser] } })
