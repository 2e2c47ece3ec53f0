import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAndWeigh } from './compress-and-weigh.js'

/** A service under way, whose answers a portal in development shows. */
const SERVICE = process.env.ASSAY_URL ?? 'http://127.0.0.1:8080'
const PORT = 5173

/** Builds the portal into what the service serves, or serves it while it changes. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressAndWeigh()],
  server: {
    port: PORT,
    strictPort: true,
    proxy: Object.fromEntries(['/api', '/health', '/openapi.json'].map((path) => [path, { target: SERVICE }])),
  },
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
