import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from './fault-proxy/fault-proxy.js'
import { type Limitation, limitedNode } from './fault-proxy/limited-node.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from './service-on-devnet.js'

const PATH = '/api/simulate/execute-simulation'
/** The scan of the token's transfers goes on beside the rest and is not waited for by it. */
const LOG_SCAN = 1
/** A head is shared until the next block is due; Base makes one every two seconds. */
const BASE_BLOCK_MS = 2_000

/**
 * Simulation, windows, privileges, holders, liquidity and phishing, each with what it reads of its
 * own.
 */
const MOST_FOR_ALL = 14

/**
 * HTTP requests to the node for one request of ours: simulation, bytecode, metadata and history.
 */
describe('round trips', () => {
  let proxy: FaultProxy
  let service: ServiceOnDevnet
  afterEach(async () => {
    await service?.stop()
    await proxy?.close()
  })

  async function start(...limitations: Limitation[]) {
    service = await startServiceOnDevnet(
      { chainId: 8453, examples: ['taxed', 'sell-blocked'] },
      {
        async nodeUrls(url) {
          proxy = await startFaultProxy(url)
          proxy.inject(...limitedNode(...limitations))
          return [proxy.url]
        },
      },
    )
    // Another token, so that the node has been asked what it can do.
    await count('sell-blocked')
  }

  async function count(example: string, { only = true } = {}): Promise<number> {
    proxy.reset()
    const answer = await service.post<{ checks: { byteCodeResult: { isContract: boolean } } }>(
      PATH,
      service.addressOf(example),
      { only },
    )
    expect(answer.checks.byteCodeResult.isContract).toBe(true)
    return proxy.seen.http
  }

  async function nextHead() {
    await sleep(BASE_BLOCK_MS)
    await service.devnet.node.call('evm_mine')
  }

  test('a new token takes one on a node that can trace, none more at the same block, one at the next', async () => {
    await start()
    await nextHead()
    expect(await count('taxed')).toBe(1 + LOG_SCAN)
    // The whole answer is remembered until the next block.
    expect(await count('taxed')).toBe(0)
    await nextHead()
    expect(await count('taxed')).toBe(1 + LOG_SCAN)
  })

  test('the verdict of all checks takes a few more, and all endpoints that are asked together share them', async () => {
    await start()
    await nextHead()
    proxy.reset()
    const paths = [PATH, '/api/honeypot/honeypot-checks', '/api/phishing/phishing-checks']
    const answers = await Promise.all(
      paths.map((path) => service.post<{ overall: object }>(path, service.addressOf('taxed'))),
    )
    expect(new Set(answers.map(({ overall }) => JSON.stringify(overall))).size).toBe(1)
    expect(proxy.seen.http).toBeLessThanOrEqual(MOST_FOR_ALL)
  })

  test('a new token takes one on a plain node, and one once it is known', async () => {
    await start('debug_traceCall', 'eth_getStorageValues', 'eth_simulateV1', 'eth_createAccessList')
    await nextHead()
    expect(await count('taxed')).toBe(1 + LOG_SCAN)
    await nextHead()
    expect(await count('taxed')).toBe(1 + LOG_SCAN)
  })
})
