import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compiled } from '../../test/compiled.js'
import { toQuantity, ZERO_ADDRESS } from '../hex.js'
import { AnvilUnavailableError, findAnvilBinary, startAnvil } from './anvil.js'
import { createDevnetNode } from './node.js'

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The system reaps a killed process when it likes. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200 && isAlive(pid); tries += 1) await wait(50)
  return !isAlive(pid)
}

test('answers for the chain it was given, from the time it was given', async () => {
  const anvil = await startAnvil({ chainId: 8453, genesisTimestamp: 1_750_000_000, gasLimit: 1n << 50n })
  try {
    const node = createDevnetNode(anvil.url)
    const { timestamp, gasLimit } = await node.call<Record<string, string>>('eth_getBlockByNumber', 'latest', false)
    expect(await node.call('eth_chainId')).toBe('0x2105')
    expect({ timestamp, gasLimit }).toEqual({ timestamp: '0x684ee180', gasLimit: '0x4000000000000' })
  } finally {
    await anvil.stop()
  }
})

test('is gone after stop, and may be stopped again', async () => {
  const anvil = await startAnvil({ chainId: 1 })
  expect(isAlive(anvil.pid)).toBe(true)
  await anvil.stop()
  await anvil.stop()
  expect(isAlive(anvil.pid)).toBe(false)
})

test('two run at the same time', async () => {
  const both = await Promise.all([startAnvil({ chainId: 1 }), startAnvil({ chainId: 1 })])
  expect(both[0].url).not.toBe(both[1].url)
  await Promise.all(both.map(({ stop }) => stop()))
})

const PARENT = `
const { startAnvil } = await import(process.argv[1])
const { pid, url } = await startAnvil({ chainId: 1 })
console.log(JSON.stringify({ pid, url }))
if (process.argv[2] === 'linger') setInterval(() => {}, 1000)
`

function spawnParent(mode: string, env: NodeJS.ProcessEnv = {}) {
  const args = ['--input-type=module', '-e', PARENT, compiled('src/devnet/anvil.ts'), mode]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } })
}

async function readNode(parent: ReturnType<typeof spawnParent>): Promise<{ pid: number; url: string }> {
  const [chunk] = await once(parent.stdout, 'data')
  return JSON.parse(`${chunk}`)
}

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('dies with a parent that ends by %s', async (signal) => {
  const parent = spawnParent('linger')
  const { pid } = await readNode(parent)
  expect(isAlive(pid)).toBe(true)
  parent.kill(signal)
  const gone = await isGone(pid)
  // What this test is about must not happen to the machine when it fails.
  if (!gone) process.kill(pid, 'SIGKILL')
  expect(gone).toBe(true)
})

test('does not keep its parent from ending, and goes with it', async () => {
  const parent = spawnParent('end')
  const ended = once(parent, 'exit')
  const { pid } = await readNode(parent)
  expect(await ended).toEqual([0, null])
  expect(await isGone(pid)).toBe(true)
})

describe('files', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'homes-of-devnets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** A parent whose temporary folder and home are `folder`, and its node. */
  async function lingerIn(folder: string) {
    const parent = spawnParent('linger', { TMPDIR: folder, HOME: folder })
    return { parent, ...(await readNode(parent)) }
  }

  async function end({ parent, pid }: Awaited<ReturnType<typeof lingerIn>>) {
    parent.kill('SIGKILL')
    await isGone(pid)
  }

  test('5,000 blocks take less than 50 MB, of which nothing is left when the process is killed', async () => {
    const node = await lingerIn(folder)
    try {
      const { call } = createDevnetNode(node.url)
      for (let mined = 0; mined < 5_000; mined += 100) await call('anvil_mine', '0x64')
      expect(await call('eth_blockNumber')).toBe('0x1388')
      expect(megabytesIn(folder)).toBeLessThan(50)
      expect(readdirSync(folder)).toContainEqual(expect.stringMatching(`^assay-devnet-${node.parent.pid}-`))
    } finally {
      await end(node)
    }
    const isHome = (name: string) => name.startsWith('assay-devnet-')
    for (let tries = 0; tries < 200 && readdirSync(folder).some(isHome); tries += 1) await wait(50)
    expect(readdirSync(folder).filter(isHome)).toEqual([])
  }, 180_000)

  test('a start removes the homes of processes that are gone, and of no other', async () => {
    const gone = spawn(process.execPath, ['-e', ''])
    await once(gone, 'exit')
    const left = join(folder, `assay-devnet-${gone.pid}-a1b2c3`)
    const inUse = join(folder, `assay-devnet-${process.pid}-a1b2c3`)
    const another = join(folder, `another-${gone.pid}-a1b2c3`)
    for (const home of [left, inUse, another]) mkdirSync(join(home, '.foundry'), { recursive: true })
    await end(await lingerIn(folder))
    expect([left, inUse, another].map((home) => existsSync(home))).toEqual([false, true, true])
  })

  test('the home is gone after stop', async () => {
    const before = new Set(readdirSync(tmpdir()))
    const anvil = await startAnvil({ chainId: 1 })
    const own = readdirSync(tmpdir()).filter(
      (name) => !before.has(name) && name.startsWith(`assay-devnet-${process.pid}-`),
    )
    await anvil.stop()
    expect(own).toHaveLength(1)
    expect(own.filter((name) => existsSync(join(tmpdir(), name)))).toEqual([])
  })

  test('a state of 100 blocks ago can be asked for, and one of long ago is refused', async () => {
    const anvil = await startAnvil({ chainId: 1 })
    try {
      const { call } = createDevnetNode(anvil.url)
      await call('anvil_mine', '0xc8')
      const balanceAt = (block: number) => call('eth_getBalance', ZERO_ADDRESS, toQuantity(block))
      expect(await balanceAt(100)).toMatch(/^0x/)
      await expect(balanceAt(10)).rejects.toThrow(/BlockOutOfRange/)
    } finally {
      await anvil.stop()
    }
  })
})

function megabytesIn(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true }).map((name) => statSync(join(folder, `${name}`)).size)
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6
}

test('says so where there is no anvil for the platform', () => {
  expect(() => findAnvilBinary('freebsd', 'x64')).toThrow(AnvilUnavailableError)
  expect(() => findAnvilBinary('freebsd', 'x64')).toThrow(/not for freebsd x64/)
})
