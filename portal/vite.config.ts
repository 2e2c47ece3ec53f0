import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAndWeigh } from './compress-and-weigh.js'

/** Builds the portal into what the service serves. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressAndWeigh()],
  build: {
    outDir: resolve(import.meta.dirname, '../dist/portal'),
    emptyOutDir: true,
    target: 'es2022',
    // The policy allows no inline script; every browser of that target preloads modules by itself.
    modulePreload: { polyfill: false },
    // Inlined files would need `data:` for more than images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
})
