import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
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
const { pid } = await startAnvil({ chainId: 1 })
console.log(pid)
if (process.argv[2] === 'linger') setInterval(() => {}, 1000)
`

function spawnParent(mode: string) {
  const args = ['--import', 'tsx', '--input-type=module', '-e', PARENT, new URL('anvil.ts', import.meta.url).href, mode]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function readPid(parent: ReturnType<typeof spawnParent>): Promise<number> {
  const [chunk] = await once(parent.stdout, 'data')
  return Number(`${chunk}`)
}

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('dies with a parent that ends by %s', async (signal) => {
  const parent = spawnParent('linger')
  const pid = await readPid(parent)
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
  const pid = await readPid(parent)
  expect(await ended).toEqual([0, null])
  expect(await isGone(pid)).toBe(true)
})

test('says so where there is no anvil for the platform', () => {
  expect(() => findAnvilBinary('freebsd', 'x64')).toThrow(AnvilUnavailableError)
  expect(() => findAnvilBinary('freebsd', 'x64')).toThrow(/not for freebsd x64/)
})
