import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

/** Where a run of the tests finds this tree compiled. */
export const COMPILED = resolve(ROOT, 'dist/tests')

/** The compiled form of a file of this tree, by its path from the root: for processes to run. */
export const compiled = (path: string): string => resolve(COMPILED, path.replace(/\.ts$/, '.js'))

/** Where the service and the command line stand as they are shipped, in few files. */
export const PROGRAMS = resolve(COMPILED, 'programs')

/** What `npm start` and `assay` run: for processes that tests start. */
export const program = (name: 'main' | 'cli/main'): string => resolve(PROGRAMS, `${name}.js`)
