import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'undici'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type ServiceProcessOptions, startServiceProcess } from './service-process.js'

/** Every write to it fails, as on a disk without room. Linux has it. */
const FULL = '/dev/full'
/** More than it needs by itself, fewer than it takes connections. */
const MAX_DESCRIPTORS = 160
const LONG = { timeout: 120_000 }
/** Writes are tried every five seconds. */
const PATIENT = { timeout: 60_000, interval: 250 }
const dataDir = mkdtempSync(join(tmpdir(), 'assay-process-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

let running: ChildProcess | undefined
afterEach(() => running?.kill('SIGKILL'))

async function start(options: Omit<ServiceProcessOptions, 'dataDir'>) {
  const service = await startServiceProcess({ dataDir, ...options })
  running = service.child
  return service
}

/** How the service ends when it is told to. */
async function stop(child: ChildProcess): Promise<number | null> {
  expect(child.exitCode).toBeNull()
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return code
}

test.skipIf(!existsSync(FULL))('75: a full disk for logs costs the log, and no answer', LONG, async () => {
  const stdout = openSync(FULL, 'w')
  const { url, child } = await start({ stdout })
  closeSync(stdout)
  for (let i = 0; i < 200; i += 1) expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(await stop(child)).toBe(0)
})

test(
  '75: a reader of the log that hangs holds up nobody, and what was lost is said when it goes on',
  LONG,
  async () => {
    const { url, child } = await start({ stdout: 'pipe' })
    // A pipe holds 64 KB, and the service 4 MB; each line has some 150 bytes.
    const client = new Client(url, { pipelining: 16 })
    const ask = () => client.request({ method: 'GET', path: '/nowhere' }).then(({ body }) => body.dump())
    for (let round = 0; round < 400; round += 1) await Promise.all(Array.from({ length: 100 }, ask))
    let lines = ''
    child.stdout?.on('data', (chunk) => {
      lines += chunk
    })
    while (!lines.includes('lines of the log were lost')) {
      await ask()
      await sleep(50)
    }
    expect(Number(/"lost":(\d+)/.exec(lines)?.[1])).toBeGreaterThan(0)
    await client.close()
    expect(await stop(child)).toBe(0)
  },
)

test(
  '75: without file descriptors whoever is connected is answered, and everybody when there are some again',
  LONG,
  async () => {
    const { url, child } = await start({ stdout: 'ignore' })
    // Only now: modules are loaded by the hundred at the same time.
    execFileSync('prlimit', ['--pid', String(child.pid), `--nofile=${MAX_DESCRIPTORS}`])
    const { port } = new URL(url)
    const client = new Client(url)
    const health = async () => {
      const { statusCode, body } = await client.request({ method: 'GET', path: '/health' })
      await body.dump()
      return statusCode
    }
    expect(await health()).toBe(200)
    const crowd: Socket[] = []
    let isFull = false
    const turnAway = () => {
      isFull = true
    }
    for (let i = 0; i < 300; i += 1) {
      const socket = connect(Number(port), '127.0.0.1')
      for (const event of ['error', 'end']) socket.once(event, turnAway)
      crowd.push(socket)
    }
    while (!isFull) {
      expect(await health()).toBe(200)
      await sleep(20)
    }
    for (const socket of crowd) socket.destroy()
    await client.close()
    let status: number | undefined
    while (status !== 200)
      status = await fetch(`${url}/health`).then(
        (response) => response.status,
        () => undefined,
      )
    expect(await stop(child)).toBe(0)
  },
)

test('42: a disk that takes no more turns /ready red and says why, and nothing else', LONG, async () => {
  const { url, child } = await start({ stdout: 'ignore' })
  const ready = async () => {
    const response = await fetch(`${url}/ready`)
    const { dependencies } = (await response.json()) as { dependencies: unknown }
    return { status: response.status, dependencies }
  }
  const limitFiles = (bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`])
  expect(await ready()).toMatchObject({ status: 200, dependencies: { keys: 'ok', writes: 'ok' } })
  limitFiles(0)
  await expect.poll(ready, PATIENT).toMatchObject({ status: 503, dependencies: { keys: 'ok', writes: 'failed' } })
  expect((await fetch(`${url}/health`)).status).toBe(200)
  limitFiles('unlimited')
  await expect.poll(ready, PATIENT).toMatchObject({ status: 200, dependencies: { keys: 'ok', writes: 'ok' } })
  expect(await stop(child)).toBe(0)
})
