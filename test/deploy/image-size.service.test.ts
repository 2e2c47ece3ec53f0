import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../src/cli/free-port.js'
import { COMPILED } from '../compiled.js'

/**
 * What the image adds to the image that it is built on, made here by the Dockerfile's own rules:
 * there is no engine for containers where tests run.
 */
const ROOT = resolve(import.meta.dirname, '../..')
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const endings = [...dockerfile.matchAll(/-name '\*(\.\w+)'/g)].map(([, ending = '']) => ending)
const [, folders = ''] = /RUN rm -rf (.*?) \\/.exec(dockerfile) ?? []
const removed = folders.split(' ')

interface Locked {
  dev?: boolean
  libc?: readonly string[]
}

/** With room for what grows; the base takes another 75 MB compressed, as its makers say. */
const MAX_MODULE_BYTES = 120_000_000
const MAX_COMPRESSED_BYTES = 60_000_000

let image: string
let modulesBytes = 0
beforeAll(() => {
  image = mkdtempSync(join(tmpdir(), 'assay-image-'))
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  for (const [path, { dev, libc }] of Object.entries(packages)) {
    const isHere = path !== '' && existsSync(join(ROOT, path))
    const isRemoved = removed.some((folder) => path === folder || path.startsWith(`${folder}/`))
    if (isHere && !dev && !isRemoved && !libc?.includes('musl')) copy(path)
  }
  cpSync(COMPILED, image, { recursive: true, filter: (name) => !/\/test$/.test(name) })
})
afterAll(() => rmSync(image, { recursive: true, force: true }))

/** One package, without those that lie in it. */
function copy(path: string): void {
  mkdirSync(join(image, path), { recursive: true })
  cpSync(join(ROOT, path), join(image, path), {
    recursive: true,
    filter: (name) => basename(name) !== 'node_modules' && !endings.some((ending) => name.endsWith(ending)),
  })
  modulesBytes += sizeOf(join(image, path))
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum
    const path = join(folder, entry.name)
    return sum + (entry.isDirectory() ? sizeOf(path) : statSync(path).size)
  }, 0)
}

test('the Dockerfile takes away what no program reads', () => {
  expect(endings).toEqual(expect.arrayContaining(['.map', '.ts']))
  expect(removed).toContain('node_modules/typescript')
})

test('its packages are small, and so is all of it as it is sent', () => {
  expect(modulesBytes).toBeGreaterThan(20_000_000)
  expect(modulesBytes).toBeLessThan(MAX_MODULE_BYTES)
  const packed = execFileSync('sh', ['-c', 'tar -cz node_modules | wc -c'], { cwd: image, encoding: 'utf8' })
  process.stdout.write(`packages of the image: ${modulesBytes} bytes, ${packed.trim()} compressed\n`)
  expect(Number(packed)).toBeLessThan(MAX_COMPRESSED_BYTES)
})

test('the service starts from what is left', async () => {
  const port = await findFreePort()
  const env = { PORT: String(port), HOST: '127.0.0.1', ASSAY_DATA_DIR: join(image, 'data') }
  const told: string[] = []
  const service = spawn(process.execPath, ['src/main.js'], { cwd: image, env: { ...process.env, ...env } })
  service.stderr.on('data', (part) => told.push(String(part)))
  try {
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        (response) => response.status,
        () => told.join(''),
      )
    await expect.poll(ask, { timeout: 120_000 }).toBe(200)
    // An analysis loads what is only loaded then: without a node it fails as one.
    const { status } = await fetch(`http://127.0.0.1:${port}/openapi.json`)
    expect(status).toBe(200)
  } finally {
    service.kill('SIGKILL')
  }
})
