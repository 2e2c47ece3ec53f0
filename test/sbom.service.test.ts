import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

interface Bom {
  bomFormat: string
  components: { name: string; group?: string; version: string; purl: string }[]
}

test('the bill of materials names every package of the service, with its version, and none of development', () => {
  const text = execFileSync('npm', ['run', '--silent', 'build:sbom'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })
  const { bomFormat, components }: Bom = JSON.parse(text)
  const lock = JSON.parse(readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8'))
  const packages = Object.entries<{ version: string; dev?: boolean; devOptional?: boolean; optional?: boolean }>(
    lock.packages,
  ).filter(([path]) => path !== '')
  const nameOf = (path: string, version: string) => `${path.split('node_modules/').at(-1)}@${version}`
  const named = new Set(components.map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\//, ''))))
  expect(bomFormat).toBe('CycloneDX')
  const isOurs = ({ dev, devOptional }: { dev?: boolean; devOptional?: boolean }) => !dev && !devOptional
  const missing = packages.filter(([path, entry]) => isOurs(entry) && !named.has(nameOf(path, entry.version)))
  expect(missing.map(([path]) => path)).toEqual([])
  const ours = new Set(
    packages.filter(([, entry]) => isOurs(entry)).map(([path, { version }]) => nameOf(path, version)),
  )
  expect([...named].filter((name) => !ours.has(name))).toEqual([])
})
