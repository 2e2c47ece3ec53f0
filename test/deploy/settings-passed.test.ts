import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { chains } from '../../src/chains/index.js'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8')

/** What `src/config.ts` reads, by its own text, and the nodes of each chain that we know. */
const SETTINGS = [
  ...[...read('src/config.ts').matchAll(/\b(?:read|readUrls)\(\s*'([A-Z_0-9]+)'/g)].map(([, name = '']) => name),
  ...chains.map(({ id }) => `ASSAY_RPC_${id}`),
].toSorted()

test('every setting is found in src/config.ts', () => {
  expect(SETTINGS).toEqual(expect.arrayContaining(['HOST', 'ASSAY_RPC_SOL', 'ASSAY_SIGNING_KEY', 'REDIS_URL']))
  expect(SETTINGS.length).toBeGreaterThan(22)
})

test('compose.yaml passes every setting, and none that is not read', () => {
  const { assay } = parse(read('compose.yaml')).services
  expect(Object.keys(assay.environment).toSorted()).toEqual(SETTINGS)
  for (const [name, value] of Object.entries<string>(assay.environment)) {
    // What an operator sets in the environment is called as the service calls it.
    const [, passed] = /^\$\{(\w+)/.exec(value) ?? []
    if (passed !== undefined) expect(passed).toBe(name)
  }
})

test('the values of the chart have every setting, as texts', () => {
  const { settings, secrets } = parse(read('deploy/helm/assay/values.yaml'))
  expect([...Object.keys(settings), ...Object.keys(secrets)].toSorted()).toEqual(SETTINGS)
  for (const value of [...Object.values(settings), ...Object.values(secrets)]) expect(typeof value).toBe('string')
})

test('.env.example and docs/operating.md name every setting', () => {
  const [example, page] = [read('.env.example'), read('docs/operating.md')]
  for (const name of SETTINGS) {
    const known = name.replace(/_RPC_\d+$/, '_RPC_1')
    expect(example).toMatch(new RegExp(`^${known}=`, 'm'))
    expect(page).toContain(`\`${known}\``)
  }
})
