import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { type FaultProxy, startFaultProxy } from './fault-proxy.js'
import { type FaultyService, ROUTES, startFaultyService } from './faulty-service.js'
import { type Limitation, limitedNode } from './limited-node.js'

/**
 * Contracts that read on and on, each time something new. JUMPDEST, DUP1, the read, POP, PUSH1 1,
 * ADD, PUSH1 1, JUMP.
 */
const FLOODS = {
  slots: ['0x00000000000000000000000000000000000f100d', '0x5f5b805450600101600156'],
  accounts: ['0x00000000000000000000000000000000000f100e', '0x61ffff5b803150600101600356'],
} as const

const NODES: Record<string, Limitation[]> = {
  'a node that traces': [],
  'a plain node': ['debug_traceCall', 'eth_getStorageValues'],
  'a node of single reads': ['debug_traceCall', 'eth_getStorageValues', 'overrides'],
}

let devnet: Devnet
let proxy: FaultProxy
let service: FaultyService

beforeAll(async () => {
  devnet = await startDevnet({ chainId: 8453, examples: [] })
  for (const flood of Object.values(FLOODS)) await devnet.node.call('anvil_setCode', ...flood)
  await devnet.node.call('evm_mine')
  proxy = await startFaultProxy(devnet.url)
  const limits = { callTimeoutMs: 10_000, maxHeadAgeMs: 600_000 }
  service = await startFaultyService({ devnet, limits, concurrency: 2 })
}, 60_000)

afterAll(async () => {
  await service?.stop()
  await proxy?.close()
  await devnet?.stop()
})

const CASES = Object.keys(NODES).flatMap((node) =>
  Object.keys(FLOODS).flatMap((kind) => ROUTES.map((path) => ({ node, kind: kind as keyof typeof FLOODS, path }))),
)

test.each(CASES)(
  'a flood of $kind on $node is put down to the token: $path',
  async ({ node, kind, path }) => {
    proxy.inject(...limitedNode(...(NODES[node] ?? [])))
    const { status, text } = await service.ask([proxy.url], path, FLOODS[kind][0])
    const { checks, honeypotResponse } = JSON.parse(text) as {
      checks?: { simulateResult: { errorReason: string; isHoneypot: boolean }; byteCodeResult: { isContract: boolean } }
      honeypotResponse?: { inconclusive: string; isHoneypot: boolean }
    }
    expect(status).toBe(200)
    const isHoneypot = checks?.simulateResult.isHoneypot ?? honeypotResponse?.isHoneypot
    expect(isHoneypot).toBe(false)
    expect(checks?.simulateResult.errorReason ?? honeypotResponse?.inconclusive).toMatch(/^Analysis resisted: /)
    expect(checks?.byteCodeResult.isContract ?? true).toBe(true)
  },
  60_000,
)
