import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { chains } from '../../src/chains/index.js'
import { createKeyStore } from '../../src/keys/create-key-store.js'
import { hashSecret } from '../../src/keys/secret.js'

/** How many moments are tried; `ASSAY_KILL_ROUNDS=50` for the long run. */
const ROUNDS = Number(process.env.ASSAY_KILL_ROUNDS ?? 3)
/** The writer makes dozens of changes in this time. */
const LONGEST_LIFE_MS = 400

const ROOT = resolve(import.meta.dirname, '../..')
const dataDir = mkdtempSync(join(tmpdir(), 'assay-kill-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const ENV = {
  HOST: '127.0.0.1',
  PORT: '0',
  ASSAY_DATA_DIR: dataDir,
  ...Object.fromEntries(chains.map(({ id }) => [`ASSAY_RPC_${id}`, 'http://127.0.0.1:1'])),
}

function start(script: string, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', join(ROOT, script), ...args], {
    env: { ...process.env, ...ENV },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  // The last line may have been cut in the middle.
  return { child, lines: () => text.split('\n').slice(0, -1), closed: once(child, 'close') }
}

/** A running service, and how long it took from its start until it was ready. */
async function startService() {
  const before = performance.now()
  const service = start('src/main.ts')
  const findUrl = () =>
    service
      .lines()
      .map((line) => JSON.parse(line).url)
      .find((url) => url !== undefined)
  await expect.poll(findUrl, { timeout: 60_000, interval: 20 }).toBeDefined()
  const url = String(findUrl())
  expect((await fetch(`${url}/ready`)).status).toBe(200)
  return { ...service, url, readyMs: Math.round(performance.now() - before) }
}

test('75: no key and no revocation is lost, whenever the processes are killed', { timeout: ROUNDS * 120_000 }, async ({
  annotate,
}) => {
  const isRevoked = new Map<string, boolean>()
  for (let round = 0; round < ROUNDS; round += 1) {
    const service = await startService()
    await annotate(`ready after ${service.readyMs} ms`)
    const writer = start('test/keys/change-forever.ts', dataDir)
    await expect.poll(() => writer.lines().length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
    await new Promise((done) => setTimeout(done, randomInt(LONGEST_LIFE_MS)))
    writer.child.kill('SIGKILL')
    service.child.kill('SIGKILL')
    await Promise.all([writer.closed, service.closed])
    for (const line of writer.lines()) isRevoked.set(line.slice(2), line.startsWith('-'))
    await expectStored(isRevoked)
  }
})

/** An accepted change may be followed by another that nobody was told of: a key that was to be revoked next may be so already. */
async function expectStored(isRevoked: ReadonlyMap<string, boolean>): Promise<void> {
  const store = await createKeyStore({ dataDir, databaseUrl: undefined })
  const lost: string[] = []
  for (const [key, revoked] of isRevoked) {
    const record = await store.findByHash(hashSecret(key))
    if (record === undefined || (revoked && record.revokedAt === undefined)) lost.push(key)
  }
  await store.close()
  expect(isRevoked.size).toBeGreaterThan(0)
  expect(lost).toEqual([])
}
