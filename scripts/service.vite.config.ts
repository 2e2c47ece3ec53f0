import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const ROOT = resolve(import.meta.dirname, '..')
const SOURCE = join(ROOT, 'src')
const CHUNKS = 'chunks'

/**
 * Packages of many small modules that are taken in: reading them one by one takes longer than
 * everything else that a start does. Others stay as they were installed: native ones, and those
 * that load parts of their own by name.
 */
const TAKEN_IN = [
  /^(viem|ox|abitype|typebox|kysely|zod|zod-to-json-schema|commander|hash-wasm)(\/|$)/,
  /^@(noble|scure|adraffy|solana|solana-program|modelcontextprotocol|opentelemetry)\//,
]

/** What threads are asked to load by its address: each is a file of its own. */
const scenarios = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (path) =>
    /(?<!\.(test|conformance|fuzz|bench|d))\.ts$/.test(path) &&
    readFileSync(join(SOURCE, path), 'utf8').includes('module: import.meta.url'),
)

/** Workers stand beside the chunks, because a chunk looks for its worker beside itself. */
const input = {
  main: join(SOURCE, 'main.ts'),
  'cli/main': join(SOURCE, 'cli/main.ts'),
  [`${CHUNKS}/worker`]: join(SOURCE, 'simulation/worker.ts'),
  [`${CHUNKS}/svm-worker`]: join(SOURCE, 'solana/svm/svm-worker.ts'),
  ...Object.fromEntries(
    scenarios.map((path) => [`${CHUNKS}/${path.replace(/\.ts$/, '').replaceAll('/', '-')}`, join(SOURCE, path)]),
  ),
}

/** Old chunks have other names, and would lie there for ever. */
const removeOldChunks: Plugin = {
  name: 'remove-old-chunks',
  configResolved: ({ build }) => rmSync(join(build.outDir, CHUNKS), { recursive: true, force: true }),
}

/** Of packages no lines are told: most of the maps would be theirs. */
const leaveForeignLinesOut: Plugin = {
  name: 'leave-foreign-lines-out',
  transform: (code, id) => (id.includes('node_modules') ? { code, map: { mappings: '' } } : undefined),
}

/** Puts the service and the command line into few files. */
export default defineConfig({
  root: ROOT,
  plugins: [removeOldChunks, leaveForeignLinesOut],
  ssr: { target: 'node', noExternal: TAKEN_IN },
  build: {
    ssr: true,
    target: 'node20',
    outDir: join(ROOT, 'dist'),
    emptyOutDir: false,
    copyPublicDir: false,
    sourcemap: true,
    minify: false,
    reportCompressedSize: false,
    rollupOptions: {
      input,
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
        sourcemapExcludeSources: true,
      },
    },
  },
})
