import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const readJson = (name: string) => JSON.parse(readFileSync(resolve(ROOT, name), 'utf8'))

interface LockedPackage {
  version: string
  license?: string
  integrity?: string
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  hasInstallScript?: boolean
  resolved?: string
  engines?: { node?: string }
}
const { packages }: { packages: Record<string, LockedPackage> } = readJson('package-lock.json')
const locked = Object.entries(packages).filter(([path]) => path !== '')

/**
 * Licences under which a package may be part of what we hand out: they ask for no more than to be
 * named.
 */
const PERMISSIVE = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'MIT OR Apache-2.0',
]
/**
 * Tools and contracts that only tests and the devnet use, and that are not part of what is
 * installed for the service.
 */
const DEVELOPMENT_ONLY = /^node_modules\/(@uniswap\/|canonical-weth$)/

/**
 * The licence of an optional package for another system is missing from the lockfile when it was
 * completed by hand: its parent's counts.
 */
const isCompleted = ({ license, optional }: LockedPackage) => license === undefined && optional === true

/** As packages write it: a text, an object with a type, or several. */
function licenceOf({ license, licenses = [] }: { license?: Licence; licenses?: Licence[] }): string {
  const named = [license, ...licenses].filter((each) => each !== undefined)
  return named.map((each) => (typeof each === 'string' ? each : each.type).replace(/^\((.*)\)$/, '$1')).join(' AND ')
}
type Licence = string | { type: string }

const OLDEST_NODE: readonly number[] = readJson('package.json').engines.node.match(/\d+/g).map(Number)

/**
 * Whether a range of versions as packages write them holds `version`: alternatives of `>=a.b.c`,
 * `^a.b.c`, `a.x` or `*`.
 */
function admits(range: string, version: readonly number[]): boolean {
  return range.split('||').some((alternative) => {
    const lowest = (alternative.match(/\d+/g) ?? ['0']).map(Number)
    const [difference = 0] = lowest.map((part, index) => (version[index] ?? 0) - part).filter((part) => part !== 0)
    const isOpen = alternative.trim() === '*' || alternative.includes('>=')
    return difference >= 0 && (isOpen || lowest[0] === version[0])
  })
}

describe('dependencies', () => {
  test('what the service is installed with is under licences that ask for no more than to be named', () => {
    const wrong = locked
      .filter(([, { dev, devOptional }]) => !dev && !devOptional)
      .filter(([, entry]) => !isCompleted(entry) && !PERMISSIVE.includes(entry.license ?? 'none'))
    expect(wrong.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
  })

  test('what is installed says the same of itself', () => {
    const wrong = locked
      .filter(([path, { dev, devOptional }]) => !dev && !devOptional && existsSync(resolve(ROOT, path)))
      .map(([path]) => [path, licenceOf(readJson(`${path}/package.json`))] as const)
      .filter(([, licence]) => !PERMISSIVE.includes(licence))
    expect(wrong).toEqual([])
  })

  test('each earns its line in docs/decisions/dependencies.md', () => {
    const page = readFileSync(resolve(ROOT, 'docs/decisions/dependencies.md'), 'utf8')
    const listed = [...page.matchAll(/^\| `([^`]+)` \| .{20,} \|$/gm)].map(([, name]) => name)
    expect(listed).toEqual(Object.keys(readJson('package.json').dependencies).toSorted())
  })

  test('nothing under the GPL or AGPL is installed, except the contracts of the devnet', () => {
    const found = locked.filter(([, { license = '' }]) => /GPL/.test(license)).map(([path]) => path)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((path) => !DEVELOPMENT_ONLY.test(path))).toEqual([])
  })

  test('every package is fixed by its hash; those of other systems by their version', () => {
    const loose = locked.filter(([, entry]) => entry.integrity === undefined && !isCompleted(entry))
    expect(loose.map(([path]) => path)).toEqual([])
    for (const [path, { version }] of locked) expect(version, path).toMatch(/^\d+\.\d+\.\d+/)
  })

  test('package.json names exact versions', () => {
    const { dependencies, devDependencies } = readJson('package.json')
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      expect(version, name).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/)
    }
  })

  test('every package runs on the oldest Node that we run on', () => {
    const wrong = locked.filter(([, { engines }]) => engines?.node && !admits(engines.node, OLDEST_NODE))
    expect(wrong.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([])
    expect(admits('>=22.12.0', OLDEST_NODE)).toBe(false)
    expect(admits('^18 || ^22.13.0', OLDEST_NODE)).toBe(false)
  })

  test('the lockfile names no place to download from', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })

  test('a version is handed out after the gate alone, and says where it was built', () => {
    const workflow = readFileSync(resolve(ROOT, '.github/workflows/release.yml'), 'utf8')
    const steps = ['.ci/run', 'check:signatures', '--silent build', 'attest-build-provenance@', 'build-push-action@']
    const places = steps.map((step) => workflow.indexOf(step))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places.every((place) => place > 0)).toBe(true)
    // Without these two nothing can be attested, and no step may write to the repository.
    expect(workflow).toMatch(/id-token: write\n {6}attestations: write/)
    expect(workflow).not.toContain('contents: write')
    expect(workflow.match(/provenance: mode=max/g)).toHaveLength(1)
  })

  test('no package runs a script when it is installed', () => {
    expect(readFileSync(resolve(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts ?= ?true$/m)
  })
})
