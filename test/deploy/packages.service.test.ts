import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeClientPackage } from '../../scripts/write-client-package.js'
import { findFreePort } from '../../src/cli/free-port.js'

/** Packs what would be published, and uses it from a folder that has nothing else. */
const ROOT = resolve(import.meta.dirname, '../..')
const { version, bin, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

let folder: string
const run = (command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

interface Packed {
  filename: string
  name: string
  unpackedSize: number
  files: { path: string; mode: number }[]
}

/** Unpacks the tarball to where `npm install` puts it. */
function install(source: string, project: string): Packed {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], source))
  const place = join(project, 'node_modules', packed.name)
  mkdirSync(place, { recursive: true })
  run('tar', ['-xzf', join(folder, packed.filename), '-C', place, '--strip-components=1'], project)
  return packed
}

let packed: Packed
let project: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-pack-'))
  const source = join(folder, 'source')
  mkdirSync(join(source, 'dist/portal'), { recursive: true })
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'deploy', 'docs', 'src', 'portal']) {
    cpSync(join(ROOT, name), join(source, name), { recursive: true })
  }
  const tools = join(ROOT, 'node_modules/.bin')
  const bundle = ['build', '--config', 'scripts/service.vite.config.ts', '--logLevel', 'warn']
  run(join(tools, 'vite'), [...bundle, '--outDir', join(source, 'dist')], ROOT)
  run(join(tools, 'tsc'), ['-p', 'tsconfig.client.json', '--outDir', join(source, 'dist/client')], ROOT)
  writeFileSync(join(source, 'dist/portal/index.html'), '<title>the portal</title>')
  project = join(folder, 'project')
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(project, 'package.json'), '{"name":"project","version":"1.0.0"}')
  packed = install(source, project)
  // Those of this clone, at the versions that the package names: nothing is downloaded here.
  const modules = join(project, 'node_modules')
  for (const name of Object.keys(dependencies)) {
    if (name.startsWith('@')) mkdirSync(join(modules, name.split('/')[0] ?? ''), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  // As `npm install` does: the tarball itself has no file that may be executed.
  chmodSync(join(modules, 'assay', bin.assay), 0o755)
  symlinkSync(`../assay/${bin.assay}`, join(modules, '.bin/assay'))
  writeClientPackage(join(source, 'dist'), join(folder, 'client'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package of the service', () => {
  test('has what runs, and neither sources nor tests nor maps', () => {
    const paths = packed.files.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining(['dist/main.js', 'dist/cli/main.js', 'dist/portal/index.html', 'dist/client/client.d.ts']),
    )
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'deploy/chains/polygon.json']))
    const allowed =
      /^(dist\/.*\.(js|mjs|d\.ts|html|css|json|svg)|deploy\/chains\/\w+\.json|[A-Z]+(\.md)?|package\.json)$/
    expect(paths.filter((path) => !allowed.test(path))).toEqual([])
    expect(paths.filter((path) => /\.test\.|^dist\/(tests|npm)/.test(path))).toEqual([])
    expect(packed.unpackedSize).toBeLessThan(12_000_000)
  })

  test('a thread loads what it plays, and nothing of the service', () => {
    const chunks = join(project, 'node_modules/assay/dist/chunks')
    const scenarios = readdirSync(chunks).filter(
      (name) => name.endsWith('.js') && readFileSync(join(chunks, name), 'utf8').includes('module: import.meta.url'),
    )
    expect(scenarios.length).toBeGreaterThan(10)
    const loaded = new Set(['worker.js', 'svm-worker.js', ...scenarios])
    const packages = new Set<string>()
    for (const name of loaded) {
      const text = readFileSync(join(chunks, name), 'utf8')
      for (const [, from = ''] of text.matchAll(/^(?:import|export)\b[^"\n]*"([^"\n]+)";$/gm)) {
        if (from.startsWith('./')) loaded.add(from.slice(2))
        else packages.add(from)
      }
    }
    expect(loaded.size).toBeGreaterThan(scenarios.length + 5)
    expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual(['evmole'])
  })

  const npx = (...args: string[]) =>
    run('npx', ['--no-install', 'assay', ...args], project, { ASSAY_DATA_DIR: join(folder, 'data'), NO_COLOR: '1' })

  test('npx assay works where it is installed', () => {
    expect(npx('--help')).toContain('Usage: assay')
    const { key } = JSON.parse(npx('keys', 'create', '--label', 'npx', '--json'))
    expect(key).toMatch(/^assay_/)
    expect(npx('keys', 'list')).toContain('npx')
    expect(npx('completion', 'bash')).toContain('assay')
  })

  test('its service starts, says its version and shows its page', async () => {
    const port = await findFreePort()
    const env = { PORT: String(port), HOST: '127.0.0.1', ASSAY_DATA_DIR: join(folder, 'data') }
    const place = join(project, 'node_modules/assay', bin.assay)
    const service = spawn(process.execPath, [place, 'serve'], { env: { ...process.env, ...env }, stdio: 'ignore' })
    try {
      const url = `http://127.0.0.1:${port}`
      const ask = () =>
        fetch(`${url}/health`).then(
          (response) => response.json(),
          () => ({}),
        )
      await expect.poll(ask, { timeout: 120_000 }).toMatchObject({ success: true, engineVersion: version })
      expect(await (await fetch(url)).text()).toContain('the portal')
    } finally {
      service.kill('SIGKILL')
    }
  })

  test('it may be published, and says whose it is', () => {
    const {
      private: isPrivate,
      license,
      engines,
    } = JSON.parse(readFileSync(join(project, 'node_modules/assay/package.json'), 'utf8'))
    expect([isPrivate, license, engines.node]).toEqual([undefined, 'MIT', '>=20.19'])
    expect(existsSync(join(project, 'node_modules/assay/LICENSE'))).toBe(true)
  })
})

test('the package of the client has one import, its types, and no dependency', () => {
  const own = join(folder, 'own')
  mkdirSync(own)
  writeFileSync(join(own, 'package.json'), '{"type":"module"}')
  const { files, name } = install(join(folder, 'client'), own)
  expect(name).toBe('assay-client')
  expect(files.map(({ path }) => path).toSorted()).toEqual(
    [
      ...['LICENSE', 'README.md', 'package.json'],
      ...['client', 'guard-provider', 'operations', 'parse-events', 'wallet-question'].flatMap((file) => [
        `${file}.js`,
        `${file}.d.ts`,
      ]),
    ].toSorted(),
  )
  const manifest = JSON.parse(readFileSync(join(own, 'node_modules/assay-client/package.json'), 'utf8'))
  expect([manifest.version, manifest.dependencies]).toEqual([version, undefined])
  expect(readFileSync(join(own, 'node_modules/assay-client/README.md'), 'utf8')).toContain("from 'assay-client'")
  const program = `import { createClient, guardProvider } from 'assay-client'
    const assay = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', maxRetries: 0 })
    const told = await assay.simulate({ targetContractAddress: '0x', chainId: 1 }).catch(({ name }) => name)
    console.log(told, typeof guardProvider)`
  writeFileSync(join(own, 'index.js'), program)
  expect(run(process.execPath, ['index.js'], own)).toBe('AssayConnectionError function\n')
  const typed = `import { createClient } from 'assay-client'
    const { overall } = await createClient({ baseUrl: '', apiKey: '' }).simulate({ targetContractAddress: '', chainId: 1 })
    export const level: 'Safe' | 'Low Risk' | 'Medium Risk' | 'High Risk' | 'Critical Risk' | undefined = overall?.level`
  writeFileSync(join(own, 'typed.ts'), typed)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '']
  run(join(ROOT, 'node_modules/.bin/tsc'), [...options, '--lib', 'es2023,dom', 'typed.ts'], own)
})
