import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Writes what the service is installed with as CycloneDX to standard output. npm makes the list;
 * what is for development is left out here, because npm's own `--omit dev` also leaves out what
 * both need.
 */
const ROOT = resolve(import.meta.dirname, '..')
const COMMAND = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']

interface Component {
  'bom-ref': string
  purl: string
}

interface Bom {
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

interface LockedPackage {
  version: string
  dev?: boolean
  devOptional?: boolean
}

const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8'),
)
const installed = new Set(
  Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
)
const nameOf = ({ purl }: Component) => decodeURIComponent(purl.replace(/^pkg:npm\//, ''))

const whole: Bom = JSON.parse(
  execFileSync('npm', COMMAND, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
)
const components = whole.components.filter((component) => installed.has(nameOf(component)))
const kept = new Set(components.map((component) => component['bom-ref']))
const left = new Set(whole.components.map((component) => component['bom-ref']).filter((ref) => !kept.has(ref)))
const dependencies = whole.dependencies
  .filter(({ ref }) => !left.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => !left.has(each)) }))
process.stdout.write(`${JSON.stringify({ ...whole, components, dependencies }, undefined, 2)}\n`)
