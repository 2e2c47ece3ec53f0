import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tradePlan } from '../../src/checks/trade/open-state.js'
import { roundTrip } from '../../src/checks/trade/round-trip.js'
import { judgeRoundTrip } from '../../src/checks/trade/trade-verdict.js'
import { createSystemClock } from '../../src/clock.js'
import { UnsupportedExecutionError } from '../../src/evm/chain-extras.js'
import type { Address, Hex } from '../../src/hex.js'
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js'
import { createNodeEngines } from '../../src/simulation/node-engine/create-node-engines.js'
import { createSimulator, type Simulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { listOnV2 } from '../dex/list-pool.js'
import { type Stage, startStage } from '../dex/venue-stage.js'
import { type Fault, type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { limitedNode } from '../fault-proxy/limited-node.js'
import { threadsOfWorker } from '../threads-of-worker.js'

const ARBITRUM = 42_161
const COIN = 10n ** 18n
const SEED: Hex = `0x${'57'.repeat(32)}`
/** What Arbitrum shows of a Stylus program: a prefix, a version, and compressed WASM. */
const PROGRAM: Hex = '0xeff000001b70f6b5'

let stage: Stage
let proxy: FaultProxy
/** Whom the running play asks: a node is not tried again the way that it once refused. */
let asked: RpcClient
let simulator: Simulator
let twin: Address
let token: Address
let trap: Address
/** What the programs do, as EVM code that does the same. */
const meaning: Record<Address, { code: Hex }> = {}

beforeAll(async () => {
  stage = await startStage(ARBITRUM)
  const { chain, devnet } = stage
  const [exchange] = chain.v2
  if (!exchange) throw new Error('Arbitrum has no exchange')
  const listed = async (name: string, args: readonly unknown[] = []) => {
    const address = await stage.deploy(name, args)
    const amounts = { tokenAmount: 200_000n * COIN, quoteAmount: 40n * COIN }
    await listOnV2(exchange)(stage, { token: address, quote: chain.wrappedNative, ...amounts })
    return address
  }
  twin = await listed('Clean')
  token = await listed('Clean')
  trap = await listed('SellBlocked', [exchange.router])
  for (const address of [token, trap]) {
    meaning[address] = { code: await devnet.node.call<Hex>('eth_getCode', address, 'latest') }
    await devnet.node.call('anvil_setCode', address, PROGRAM)
  }
  await devnet.node.call('evm_mine')
  proxy = await startFaultProxy(devnet.url)
  simulator = createSimulator({
    threads: threadsOfWorker().trades,
    nodeEngines: () => createNodeEngines({ rpc: asked, chain }),
  })
}, 120_000)
afterAll(async () => {
  await Promise.all([simulator?.close(), proxy?.close(), stage?.stop()])
})
beforeEach(() => proxy.inject())

/** A node that executes WASM, which anvil does not: it is given what the programs do. */
const executesPrograms: Fault = {
  name: 'executes Stylus programs',
  method: 'eth_simulateV1',
  call: (call) => {
    const [options, at] = call.params as [{ blockStateCalls: { stateOverrides?: object }[] }, unknown]
    const [first, ...others] = options.blockStateCalls
    const blockStateCalls = [{ ...first, stateOverrides: { ...meaning, ...first?.stateOverrides } }, ...others]
    return { ...call, params: [{ ...options, blockStateCalls }, at] }
  },
}

async function play(address: Address) {
  const { chain } = stage
  asked = createRpcClient({ urls: [proxy.url], chainId: ARBITRUM, clock: createSystemClock() })
  try {
    const state = await openState({
      suspect: 'chain',
      rpc: asked,
      chain,
      plan: tradePlan('simulate', { chain, address }),
    })
    return await simulator.simulate({ scenario: roundTrip, input: { address: address, seed: SEED }, chain, state })
  } finally {
    await asked.close()
  }
}

test('a Stylus token is traded by the node, and comes out like its twin that runs here', async () => {
  proxy.inject(executesPrograms)
  const [here, there] = [await play(twin), await play(token)]
  expect([here.engine, there.engine]).toEqual([undefined, 'eth_simulateV1'])
  expect(there.steps.map(({ name, success }) => [name, success])).toEqual(
    here.steps.map(({ name, success }) => [name, success]),
  )
  expect([there.buyTaxBps, there.sellTaxBps]).toEqual([here.buyTaxBps, here.sellTaxBps])
  expect(judgeRoundTrip(there)).toEqual(judgeRoundTrip(here))
})

test('a Stylus token that cannot be sold is a honeypot', async () => {
  proxy.inject(executesPrograms)
  const facts = await play(trap)
  expect(facts.engine).toBe('eth_simulateV1')
  expect(judgeRoundTrip(facts)).toMatchObject({ isHoneypot: true, inconclusive: undefined })
})

test('where no node executes it in order, nothing is said about it', async () => {
  proxy.inject(...limitedNode('eth_simulateV1'))
  await expect(play(token)).rejects.toThrow(UnsupportedExecutionError)
})
