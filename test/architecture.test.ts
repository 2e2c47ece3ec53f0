import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** Imports point down this list only; names on one line do not import each other. */
const LAYERS = [
  ['main.ts', 'cli'],
  ['wiring', 'devnet'],
  ['http', 'metrics', 'tracing'],
  ['accounts', 'reports', 'batches'],
  ['keys', 'limits', 'checks'],
  ['config.ts', 'dex', 'solana'],
  ['simulation'],
  ['evm', 'bytecode'],
  ['state'],
  ['rpc'],
  ['chains', 'connections', 'keccak.ts', 'stores', 'turns'],
  ['client', 'errors.ts', 'clock.ts', 'hex.ts', 'untrusted-text.ts'],
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
