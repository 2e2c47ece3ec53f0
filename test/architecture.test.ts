import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** Imports point down this list only; names on one line do not import each other. */
const LAYERS = [
  ['main.ts', 'cli'],
  ['wiring', 'devnet'],
  ['http', 'metrics', 'tracing'],
  ['feed', 'contacts'],
  ['mcp', 'watching', 'saved-reports', 'families', 'outcomes'],
  ['accounts', 'reports', 'batches', 'lookup'],
  ['keys', 'limits', 'checks', 'log.ts'],
  ['config.ts', 'dex', 'solana'],
  ['simulation', 'replay-blocks'],
  ['evm', 'bytecode'],
  ['instructions', 'state'],
  ['rpc'],
  [
    'api-error.ts',
    'chains',
    'checksum-address.ts',
    'connections',
    'decimal-text.ts',
    'keccak.ts',
    'keep-compiled.ts',
    'scheduling',
    'stores',
  ],
  [
    'bigints.ts',
    'client',
    'errors.ts',
    'clock.ts',
    'hex.ts',
    'package-root.ts',
    'rlp.ts',
    'setting-forms.ts',
    'source-lines.ts',
    'untrusted-text.ts',
  ],
]

/** The same inside `checks/`; files beside these folders are ground for all of them. */
const CHECKS = [
  ['simulation', 'honeypot', 'phishing', 'native-tokens', 'solana'],
  ['liquidity'],
  ['powers', 'holders'],
  ['trade', 'dependencies', 'origin'],
  ['history', 'bytecode'],
  ['conditions', 'identity'],
]

const SRC = resolve(import.meta.dirname, '../src')
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

const placeOf = (file: string) => relative(SRC, file).split('/')[0] ?? ''
const layerOf = (file: string) => LAYERS.findIndex((names) => names.includes(placeOf(file)))

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(SRC, name))
const isTest = (file: string) => /\.(test|bench|fuzz|conformance|test-d)\.ts$/.test(file)

test('every file under src/ stands in a named layer', () => {
  expect(files.filter((file) => !isTest(file) && layerOf(file) < 0).map(placeOf)).toEqual([])
})

test('imports point down the layer list only', () => {
  const wrong = files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(IMPORT)]
        .map(([, path]) => resolve(dirname(file), (path ?? '').replace(/\.js$/, '.ts')))
        .filter((target) => placeOf(target) !== placeOf(file) && layerOf(target) <= layerOf(file))
        .map((target) => `${relative(SRC, file)} imports ${relative(SRC, target)}`),
    )
  expect(wrong).toEqual([])
})

test('every folder of checks/ has its place, and imports those below it or the files beside them', () => {
  const levelOf = (name: string) => (name.endsWith('.ts') ? CHECKS.length : CHECKS.findIndex((l) => l.includes(name)))
  const inside = importsBetween('checks')
  expect(inside.flatMap(({ from, to }) => [from, to]).filter((name) => levelOf(name) < 0)).toEqual([])
  const wrong = inside.filter(
    ({ from, to }) => !(from.endsWith('.ts') && to.endsWith('.ts')) && levelOf(to) <= levelOf(from),
  )
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
})

test('no folder imports, by way of others, what imports it, and no file does so when the program runs', () => {
  const folders = [...new Set(files.map(dirname))].map((folder) => relative(SRC, folder))
  const circles = folders.flatMap((folder) => {
    const inside = importsBetween(folder).filter(
      ({ from, to, isType }) => !(isType && from.endsWith('.ts') && to.endsWith('.ts')),
    )
    return findCircle(inside).map((name) => join(folder, name))
  })
  expect(circles).toEqual([])
})

interface Import {
  /** Names of the files or folders directly inside the folder that is looked at. */
  from: string
  to: string
  file: string
  target: string
  isType: boolean
}

/** Imports of what lies inside a folder by what else lies there. */
function importsBetween(folder: string): Import[] {
  const root = join(SRC, folder)
  const partOf = (file: string) => relative(root, file).split('/')[0] ?? ''
  const isInside = (file: string) => !relative(root, file).startsWith('..')
  return files
    .filter((file) => !isTest(file) && isInside(file))
    .flatMap((file) => everyImportOf(file).map(({ target, isType }) => ({ file, target, isType })))
    .filter(({ file, target }) => isInside(target) && partOf(file) !== partOf(target))
    .map(({ file, target, isType }) => ({
      ...{ from: partOf(file), to: partOf(target), isType },
      ...{ file: relative(SRC, file), target: relative(SRC, target) },
    }))
}

/** The names of one circle, or none: what nothing imports is taken away until that is all. */
function findCircle(imports: readonly Pick<Import, 'from' | 'to'>[]): string[] {
  let left = imports
  for (;;) {
    const imported = new Set(left.map(({ to }) => to))
    const importing = new Set(left.map(({ from }) => from))
    const rest = left.filter(({ from, to }) => imported.has(from) && importing.has(to))
    if (rest.length === left.length) return [...new Set(left.map(({ from }) => from))]
    left = rest
  }
}

/**
 * What a test needs by what it imports, directly or through its stages; the suffix of its name says
 * it, and so its project.
 */
const NEEDS: [suffix: string, needed: RegExp][] = [
  ['.service.test.ts', /wiring\/start-service\.ts$|test\/(postgres|redis|fleet\/process)\.ts$/],
  ['.devnet.test.ts', /devnet\/anvil\.ts$|devnet\/solana\/start-solana-devnet\.ts$/],
]
const CHILD_PROCESS = /^import .* from 'node:child_process'$/m
const TYPE_IMPORT = /^(?:import|export) type [^']*'[^']*'$/gm
const STATEMENT = /^(?:import|export) [^']*?from '(\.[^']+)'$|import\('(\.[^']+)'\)/gm

const everyImportOf = memoize((file: string): { target: string; isType: boolean }[] => {
  const text = readFileSync(file, 'utf8')
  const types = new Set([...text.matchAll(TYPE_IMPORT)].map(([statement]) => statement))
  return [...text.matchAll(STATEMENT)].map(([statement, path, lazy]) => ({
    target: resolve(dirname(file), (path ?? lazy ?? '').replace(/\.js$/, '.ts')),
    isType: types.has(statement.trim()),
  }))
})

const importsOf = memoize((file: string): string[] =>
  [...readFileSync(file, 'utf8').replace(TYPE_IMPORT, '').matchAll(IMPORT)]
    .map(([, path]) => resolve(dirname(file), (path ?? '').replace(/\.js$/, '.ts')))
    .filter((target) => target.endsWith('.ts') && existsSync(target)),
)

function reachOf(file: string): Set<string> {
  const reached = new Set([file])
  for (const each of reached) for (const target of importsOf(each)) reached.add(target)
  return reached
}

/** The node is started by a process as well, and is no reason to call a test one of the service. */
const startsProcess = (file: string) =>
  CHILD_PROCESS.test(readFileSync(file, 'utf8')) && !/devnet\/(anvil(\.devnet\.test)?|guard)\.ts$/.test(file)

function suffixFor(file: string): string {
  const reached = [...reachOf(file)]
  if (reached.some(startsProcess)) return '.service.test.ts'
  return NEEDS.find(([, needed]) => reached.some((each) => needed.test(each)))?.[0] ?? '.test.ts'
}

const suffixOf = (file: string) => /\.((devnet|service|browser)\.)?test\.ts$/.exec(file)?.[0]

test('no two scenarios have one name: a bundle may put their modules into one file', () => {
  const names = files
    .filter((file) => !isTest(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/module: import\.meta\.url,\s+name: '(\w+)'/g)])
    .map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

test('the name of a test says what it needs: nothing, a node, or the service and its stores', () => {
  const tests = ['src', 'test'].flatMap((folder) => {
    const root = resolve(SRC, '..', folder)
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.browser.test.ts'))
      .map((name) => join(root, name))
  })
  const wrong = tests.filter((file) => suffixOf(file) !== suffixFor(file))
  expect(wrong.map((file) => `${relative(SRC, file)} ought to end in ${suffixFor(file)}`)).toEqual([])
})

function memoize<T>(read: (file: string) => T): (file: string) => T {
  const known = new Map<string, T>()
  return (file) => {
    const value = known.get(file) ?? read(file)
    known.set(file, value)
    return value
  }
}
