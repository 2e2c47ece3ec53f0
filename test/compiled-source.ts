import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { Plugin } from 'vite'
import { COMPILED, compiled } from './compiled.js'

const ROOT = resolve(import.meta.dirname, '..')
/** What threads load as well: the source, and scenarios of the tests. */
const LOADED = /^(src\/|test\/scenarios\.ts$|test\/conformance\/attacks\.ts$)/
/** What stands beside the source for tests alone. */
const OF_TESTS = /\.(test|conformance|fuzz|bench)\.ts$/

/**
 * Has tests import the source as it was compiled for the run: what Node itself loads starts sooner
 * and runs faster than what is put together module by module, and threads run the same files.
 */
export const compiledSource: Plugin = {
  name: 'compiled-source',
  enforce: 'pre',
  resolveId(specifier, importer) {
    if (importer === undefined || !specifier.startsWith('.') || !specifier.endsWith('.js')) return undefined
    const path = relative(ROOT, resolve(dirname(importer), specifier.replace(/\.js$/, '.ts')))
    return LOADED.test(path) && !OF_TESTS.test(path) && existsSync(resolve(ROOT, path)) ? compiled(path) : undefined
  },
}

/** For `server.deps.external`: what Node itself loads. */
export const COMPILED_SOURCE = new RegExp(`^${COMPILED}/(src|test)/`)
