import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { program } from '../test/compiled.js'
import { failure, request, SIMULATE } from '../test/http/test-app.js'
import { chains } from './chains/index.js'
import { createSystemClock } from './clock.js'
import { guardProcess } from './devnet/guard.js'
import { createKeyStore } from './keys/create-key-store.js'
import { issueKey } from './keys/issue.js'
import { revokeKey } from './keys/revoke.js'

const dataDir = mkdtempSync(join(tmpdir(), 'assay-main-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** No node anywhere, a free port, and a folder of its own. */
const ENV = {
  HOST: '127.0.0.1',
  PORT: '0',
  ASSAY_DATA_DIR: dataDir,
  ...Object.fromEntries(chains.map(({ id }) => [`ASSAY_RPC_${id}`, 'http://127.0.0.1:1'])),
}

const start = (env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [program('main')], {
    env: { ...process.env, ...ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(guardProcess(child))
  const lines: string[] = []
  child.stdout.on('data', (chunk) => lines.push(...String(chunk).split('\n').filter(Boolean)))
  const errors: string[] = []
  child.stderr.on('data', (chunk) => errors.push(String(chunk)))
  return { child, lines, errors, exit: once(child, 'close') }
}

const started = async () => {
  const service = start()
  const findUrl = () => service.lines.map((line) => JSON.parse(line).url).find((url) => url !== undefined)
  await expect.poll(findUrl, { timeout: 20_000, interval: 50 }).toBeDefined()
  return { ...service, url: String(findUrl()) }
}

const analyse = (url: string, key: string) =>
  fetch(`${url}${SIMULATE}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(request()),
  })

test('a service whose nodes cannot be reached answers, says so, and stops when it is told to', async () => {
  const { url, child, lines, exit } = await started()
  const store = await createKeyStore({ dataDir, databaseUrl: undefined })
  const { key, record } = await issueKey({ store, clock: createSystemClock() }, { label: 'test', tier: 'free' })

  expect((await fetch(`${url}/health`)).status).toBe(200)
  const response = await analyse(url, key)
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual(failure('Simulation failed', 'simulation_failed'))

  await revokeKey({ store, clock: createSystemClock() }, record.id)
  await expect.poll(() => analyse(url, key).then(({ status }) => status), { timeout: 60_000, interval: 100 }).toBe(403)

  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
  expect((await store.find(record.id))?.lastUsedAt).toBeGreaterThan(0)
  await store.close()
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(
    expect.arrayContaining(['listening', 'answered', 'stopping']),
  )
  expect(lines.join('')).not.toContain(key)
})

test('75: a key survives the end of the process by SIGKILL', async () => {
  const first = await started()
  const store = await createKeyStore({ dataDir, databaseUrl: undefined })
  const { key } = await issueKey({ store, clock: createSystemClock() }, { label: 'test', tier: 'free' })
  await store.close()
  expect((await analyse(first.url, key)).status).toBe(500)
  first.child.kill('SIGKILL')
  await first.exit
  const second = await started()
  expect((await analyse(second.url, key)).status).toBe(500)
  second.child.kill('SIGTERM')
  expect(await second.exit).toEqual([0, null])
})

describe('a start that cannot be', () => {
  test('names every setting that is wrong, without a stack', async () => {
    const { errors, exit } = start({ PORT: 'x', ASSAY_COMPAT: 'maybe' })
    expect(await exit).toEqual([1, null])
    expect(errors.join('')).toBe(
      'The configuration cannot be used:\n  - PORT must be a port number from 0 to 65535\n  - ASSAY_COMPAT must be 0 or 1\n',
    )
  })

  test('says that the port is taken', async () => {
    const { url, child } = await started()
    const { errors, exit } = start({ PORT: new URL(url).port })
    expect(await exit).toEqual([1, null])
    expect(errors.join('')).toBe(`Cannot listen on 127.0.0.1, port ${new URL(url).port} (EADDRINUSE)\n`)
    child.kill('SIGTERM')
  })
})
