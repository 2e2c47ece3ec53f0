import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { chains } from '../../src/chains/index.js'
import { createSystemClock } from '../../src/clock.js'
import { guardProcess } from '../../src/devnet/guard.js'
import { createKeyStore } from '../../src/keys/create-key-store.js'
import { issueKey } from '../../src/keys/issue.js'
import { MAX_LIMIT } from '../../src/keys/key-record.js'
import { hashSecret } from '../../src/keys/secret.js'
import { compiled, program } from '../compiled.js'
import { TOKEN } from '../http/test-app.js'

/** How many moments are tried; `ASSAY_KILL_ROUNDS=50` for the long run. */
const ROUNDS = Number(process.env.ASSAY_KILL_ROUNDS ?? 3)
/** What is started; `dist/main.js` is what is shipped. Build it first. */
const MAIN = resolve(process.env.ASSAY_KILL_MAIN ?? program('main'))
/** The writer makes dozens of changes in this time. */
const LONGEST_LIFE_MS = 400

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
  ...Object.fromEntries([...chains.map(({ id }) => id), 'SOL'].map((id) => [`ASSAY_RPC_${id}`, 'http://127.0.0.1:1'])),
}

function start(script: string, ...args: string[]) {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...ENV },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(guardProcess(child))
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
  const service = start(MAIN)
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

test('75: no key, no revocation and no accepted batch is lost, whenever the processes are killed', {
  timeout: ROUNDS * 120_000,
}, async ({ annotate }) => {
  const isRevoked = new Map<string, boolean>()
  const accepted = new Map<string, number>()
  const readyMs: number[] = []
  const key = await issueCustomerKey()
  for (let round = 0; round < ROUNDS; round += 1) {
    const service = await startService()
    readyMs.push(service.readyMs)
    const writer = start(compiled('test/keys/change-forever.ts'), dataDir)
    const orders = orderUntilKilled(service.url, key, accepted)
    await expect.poll(() => writer.lines().length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
    await new Promise((done) => setTimeout(done, randomInt(LONGEST_LIFE_MS)))
    writer.child.kill('SIGKILL')
    service.child.kill('SIGKILL')
    await Promise.all([writer.closed, service.closed, orders])
    for (const line of writer.lines()) isRevoked.set(line.slice(2), line.startsWith('-'))
    await expectStored(isRevoked)
  }
  const heir = await startService()
  expect(accepted.size).toBeGreaterThan(0)
  for (const [id, total] of accepted) await expectFinished(heir.url, key, id, total)
  readyMs.sort((a, b) => a - b)
  await annotate(`${ROUNDS} kills, ${isRevoked.size} keys, ${accepted.size} batches`)
  await annotate(`ready after ${readyMs[ROUNDS >> 1]} ms (median), at most ${readyMs.at(-1)} ms`)
})

async function issueCustomerKey(): Promise<string> {
  const store = await createKeyStore({ dataDir, databaseUrl: undefined })
  const limits = { analysis: MAX_LIMIT, general: MAX_LIMIT }
  const { key } = await issueKey({ store, clock: createSystemClock() }, { label: 'kill', tier: 'partner', limits })
  await store.close()
  return key
}

/**
 * Orders one batch after the other until nobody answers any more, and notes each that was accepted,
 * with its size.
 */
async function orderUntilKilled(url: string, key: string, accepted: Map<string, number>): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const total = 1 + (turn % LARGEST_BATCH)
    const targets = Array.from({ length: total }, () => ({
      targetContractAddress: TOKEN,
      chainId: 1,
      check: 'simulate',
    }))
    try {
      const answer = await fetch(`${url}/api/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ targets }),
      })
      const { id } = (await answer.json()) as { id?: string }
      if (answer.status === 202 && id !== undefined) accepted.set(id, total)
      // Room for the other process that writes: SQLite lets one in at a time.
      await sleep(ORDER_PAUSE_MS)
    } catch {
      return
    }
  }
}

/**
 * No node answers here, so that every analysis fails; what matters is that each target has its
 * result.
 */
async function expectFinished(url: string, key: string, id: string, total: number): Promise<void> {
  const read = async () => {
    const answer = await fetch(`${url}/api/batch/${id}`, { headers: { authorization: `Bearer ${key}` } })
    const { status, done = 0, failed = 0 } = (await answer.json()) as BatchProgress
    return { status, results: done + failed }
  }
  await expect.poll(read, { timeout: 120_000, interval: 100 }).toEqual({ status: 'finished', results: total })
}

interface BatchProgress {
  status?: string
  done?: number
  failed?: number
}

const LARGEST_BATCH = 3
const ORDER_PAUSE_MS = 10

/**
 * An accepted change may be followed by another that nobody was told of: a key that was to be
 * revoked next may be so already.
 */
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
