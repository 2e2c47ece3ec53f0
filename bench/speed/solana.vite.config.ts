import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vite'
import service from '../../scripts/service.vite.config.js'

const ROOT = join(import.meta.dirname, '../..')

/** The checks of the Solana bench, put into files in the same way as the service. */
export default defineConfig(
  mergeConfig(service, {
    build: {
      outDir: join(ROOT, 'dist/tests/bench'),
      rollupOptions: { input: { checks: join(import.meta.dirname, 'solana-checks.mjs') } },
    },
  }),
)
