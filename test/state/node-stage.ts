import { beforeAll, beforeEach } from 'vitest'
import { createSystemClock } from '../../src/clock.js'
import { startAnvil } from '../../src/devnet/anvil.js'
import { createDevnetNode, type DevnetNode } from '../../src/devnet/node.js'
import { type Address, hexToBytes, toPaddedHex, toQuantity } from '../../src/hex.js'
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js'
import type { StateMiss } from '../../src/state/state-reader.js'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'

/** What is on the chain of the stage. */
export const world = {
  contract: '0x00000000000000000000000000000000000c0de0',
  code: hexToBytes('0x5f545f5260205ff3'),
  storage: new Map([
    [0n, 1n],
    [5n, (1n << 256n) - 1n],
    [1n << 255n, 2n],
  ]),
  holder: '0x00000000000000000000000000000000000a11ce',
  holderBalance: 5n * 10n ** 18n,
  holderNonce: 3n,
  unused: '0x00000000000000000000000000000000deadbeef',
} as const

export const account = (address: Address): StateMiss => ({ kind: 'account', address })
export const slot = (address: Address, key: bigint): StateMiss => ({ kind: 'storage', address, slot: key })

/** Everything there is in the world. */
export const seeds = [
  account(world.contract),
  account(world.holder),
  ...[...world.storage.keys()].map((key) => slot(world.contract, key)),
]

export const clock = createSystemClock()
/** A chain that mines on demand has no wrong time. */
export const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }

/** A node with a little world behind a proxy that can break what it says. */
export interface NodeStage {
  readonly node: DevnetNode
  readonly proxy: FaultProxy
  /** Through the proxy; another one for each test. */
  readonly rpc: RpcClient
  /** HTTP requests that `work` causes, the probe of a new node aside. */
  roundTrips(work: () => Promise<unknown>): Promise<number>
}

/** The stage of a test file, there from before its first test until after its last. */
export function setUpNodeStage(): NodeStage {
  let [node, proxy, rpc]: [DevnetNode?, FaultProxy?, RpcClient?] = []
  beforeAll(async () => {
    const anvil = await startAnvil({ chainId: 1 })
    node = createDevnetNode(anvil.url)
    proxy = await startFaultProxy(anvil.url)
    await placeWorld(node)
    return async () => {
      await rpc?.close()
      await proxy?.close()
      await anvil.stop()
    }
  })
  beforeEach(async () => {
    proxy?.inject()
    proxy?.reset()
    await rpc?.close()
    rpc = createRpcClient({ urls: [there(proxy).url], chainId: 1, clock, limits })
  })
  return {
    get node() {
      return there(node)
    },
    get proxy() {
      return there(proxy)
    },
    get rpc() {
      return there(rpc)
    },
    async roundTrips(work) {
      await this.rpc.probe()
      this.proxy.seen.http = 0
      this.proxy.seen.calls = []
      await work()
      return this.proxy.seen.http
    },
  }
}

function there<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the stage is there for tests only')
  return part
}

async function placeWorld(node: DevnetNode): Promise<void> {
  await node.call('anvil_setCode', world.contract, '0x5f545f5260205ff3')
  for (const [key, value] of world.storage) {
    await node.call('anvil_setStorageAt', world.contract, toPaddedHex(key, 32), toPaddedHex(value, 32))
  }
  await node.call('anvil_setBalance', world.holder, toQuantity(world.holderBalance))
  await node.call('anvil_setNonce', world.holder, toQuantity(world.holderNonce))
  await node.call('evm_mine')
}
