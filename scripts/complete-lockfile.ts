/*
 * Adds the optional packages of other platforms that npm left out of the lockfile because its
 * registry did not have them. Without their entries `npm ci` refuses to install anything. Run after
 * `npm install`; prints what was added.
 */
import { readFileSync, writeFileSync } from 'node:fs'

interface LockedPackage {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const LOCKFILE = new URL('../package-lock.json', import.meta.url)

/** What the names of platform packages say, in the words of npm's `os`, `cpu` and `libc`. */
const SYSTEMS: Record<string, string> = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  win32: 'win32',
  windows: 'win32',
  wasm32: 'wasi',
}
const PROCESSORS: Record<string, string> = {
  amd64: 'x64',
  arm: 'arm',
  arm64: 'arm64',
  armv7: 'arm',
  ia32: 'ia32',
  loong64: 'loong64',
  mips64el: 'mips64el',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
}
const LIBRARIES: Record<string, string> = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = (name.split('/').at(-1) ?? name).split('-')
  const find = (table: Record<string, string>) => words.map((word) => table[word]).find((found) => found !== undefined)
  const [os, cpu, libc] = [find(SYSTEMS), find(PROCESSORS), find(LIBRARIES)]
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }) }
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(LOCKFILE, 'utf8'))
const added: string[] = []
for (const { optionalDependencies = {}, dev } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const place = `node_modules/${name}`
    const platform = platformOf(name)
    // An optional package that is for all platforms was left out for another reason.
    if (lock.packages[place] || !platform.os) continue
    lock.packages[place] = { version, ...platform, ...(dev && { dev }), optional: true }
    added.push(`${name}@${version}`)
  }
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(LOCKFILE, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
process.stdout.write(`${added.length} packages added\n${added.map((name) => `  ${name}\n`).join('')}`)
