import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { timeTravel } from '../../src/checks/honeypot/time-travel.js'
import { tradePlan } from '../../src/checks/trade/open-state.js'
import { roundTrip } from '../../src/checks/trade/round-trip.js'
import type { RoundTripFacts } from '../../src/checks/trade/round-trip-facts.js'
import type { TradeInput } from '../../src/checks/trade/run-trade-scenario.js'
import { judgeRoundTrip } from '../../src/checks/trade/trade-verdict.js'
import { createSystemClock } from '../../src/clock.js'
import { startDevnet } from '../../src/devnet/start-devnet.js'
import { UnsupportedExecutionError } from '../../src/evm/chain-extras.js'
import type { Address, Hex } from '../../src/hex.js'
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js'
import { createNodeEngines } from '../../src/simulation/node-engine/create-node-engines.js'
import type { Scenario } from '../../src/simulation/scenario.js'
import { createSimulator, type Simulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { listOnV2 } from '../dex/list-pool.js'
import { createStage, type Stage } from '../dex/venue-stage.js'
import { type Fault, type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { limitedNode } from '../fault-proxy/limited-node.js'
import { threadsOfWorker } from '../threads-of-worker.js'
import { place } from './place.js'

/**
 * Base's native tokens have addresses that begin like this, and no code that this engine could run.
 */
const NATIVE: Address = '0xb200000000000000000000000000000000000a11'
const NATIVE_BLOCKED: Address = '0xb200000000000000000000000000000000000b0c'
const SEED: Hex = `0x${'5eed'.repeat(16)}`
const COIN = 10n ** 18n

let stage: Stage
let proxy: FaultProxy
let rpc: RpcClient
/** Whom the running play asks. */
let asked: RpcClient
let simulator: Simulator
let twin: Address
let blockedTwin: Address

beforeAll(async () => {
  stage = await createStage(await startDevnet({ chainId: 8453, examples: [] }))
  const { chain, issuer, devnet } = stage
  const router = chain.v2[0]?.router
  const list = async (token: Address) => {
    const [deployment] = chain.v2
    if (!deployment) throw new Error('Base has no exchange')
    await listOnV2(deployment)(stage, {
      token,
      quote: chain.wrappedNative,
      tokenAmount: 200_000n * COIN,
      quoteAmount: 40n * COIN,
    })
  }
  twin = await stage.deploy('Clean')
  blockedTwin = await stage.deploy('SellBlocked', [router])
  await place(devnet.node, issuer, NATIVE, 'Clean')
  await place(devnet.node, issuer, NATIVE_BLOCKED, 'SellBlocked', [router])
  for (const token of [twin, blockedTwin, NATIVE, NATIVE_BLOCKED]) await list(token)
  proxy = await startFaultProxy(devnet.url)
  rpc = createRpcClient({
    urls: [proxy.url],
    chainId: 8453,
    clock: createSystemClock(),
  })
  simulator = createSimulator({
    threads: threadsOfWorker().trades,
    nodeEngines: () => createNodeEngines({ rpc: asked, chain }),
  })
}, 120_000)
afterAll(async () => {
  await Promise.all([simulator?.close(), rpc?.close(), proxy?.close(), stage?.stop()])
})

async function play<Output>(scenario: Scenario<TradeInput, Output>, address: Address, client = rpc): Promise<Output> {
  asked = client
  const { chain } = stage
  const state = await openState({
    suspect: 'chain',
    rpc: client,
    chain,
    plan: tradePlan('simulate', { chain, address }),
  })
  return simulator.simulate({ scenario, input: { address: address, seed: SEED }, chain, state })
}

const money = ({ nativeDelta, tokenDelta, buyTaxBps, sellTaxBps, transferTaxBps }: RoundTripFacts) => ({
  nativeDelta,
  tokenDelta,
  buyTaxBps,
  sellTaxBps,
  transferTaxBps,
})

describe('a token that only the chain can run', () => {
  test('is traded by the node, and comes out like its twin that runs here, to the last wei', async () => {
    const here = await play(roundTrip, twin)
    const there = await play(roundTrip, NATIVE)
    expect(here.engine).toBeUndefined()
    expect(there.engine).toBe('eth_simulateV1')
    expect(money(there)).toEqual(money(here))
    expect(there.steps.map(({ name, success }) => [name, success])).toEqual(
      here.steps.map(({ name, success }) => [name, success]),
    )
    expect(judgeRoundTrip(there)).toEqual(judgeRoundTrip(here))
    expect(there.logs).toHaveLength(here.logs.length)
  })

  test('is found to be a trap where it is one', async () => {
    const facts = await play(roundTrip, NATIVE_BLOCKED)
    expect(facts.engine).toBe('eth_simulateV1')
    expect(judgeRoundTrip(facts)).toMatchObject({ isHoneypot: true, inconclusive: undefined })
    expect(judgeRoundTrip(facts).errorReason).toMatch(/^Sell /)
  })

  test('is traded in all three windows', async () => {
    const [good, bad] = [await play(timeTravel, NATIVE), await play(timeTravel, NATIVE_BLOCKED)]
    expect(good.engine).toBe('eth_simulateV1')
    expect(good.windows.map(({ soldFresh, soldHeld }) => [soldFresh?.success, soldHeld?.success])).toEqual([
      [true, undefined],
      [true, true],
      [true, true],
    ])
    expect(bad.windows.map(({ soldFresh }) => soldFresh?.success)).toEqual([false, false, false])
  })

  test('is not taken for an empty account where the node shows no code of it', async () => {
    proxy.inject({
      name: 'hides the code of native tokens',
      method: 'eth_getCode',
      answer: (honest, { params: [address] }) => (address === NATIVE ? { ...honest, result: '0x' } : honest),
    })
    const facts = await play(roundTrip, NATIVE)
    proxy.inject()
    expect(facts).toMatchObject({ kind: 'token', engine: 'eth_simulateV1' })
  })
})

describe('on a node without eth_simulateV1', () => {
  beforeAll(() => proxy.inject(...limitedNode('eth_simulateV1')))
  afterAll(() => proxy.inject())

  test('a trade that works is shown to work, and its tax is not made up', async () => {
    const facts = await withFreshClient((client) => play(roundTrip, NATIVE, client))
    expect(facts.engine).toBe('eth_call')
    expect(facts.steps.map(({ name, success }) => [name, success])).toEqual([
      ['buy', true],
      ['transfer', true],
      ['approve', true],
      ['sell', true],
    ])
    expect(judgeRoundTrip(facts)).toMatchObject({ success: true, isHoneypot: false })
    expect(facts).toMatchObject({ tokenDelta: 0n, allowanceChanges: [] })
    expect(judgeRoundTrip(facts).inconclusive).toBe('the tax could not be measured')
  })

  test('a trade that fails proves nothing, because the trader could be told from a person', async () => {
    const failed = withFreshClient((client) => play(roundTrip, NATIVE_BLOCKED, client))
    await expect(failed).rejects.toThrow(UnsupportedExecutionError)
  })
})

describe('a node that cannot be believed', () => {
  const playsInThePresent = (method: string): Fault => ({
    name: 'plays everything in the present',
    method,
    call: (call) => ({ ...call, params: withoutTime(call.params) }),
  })

  test('ignores block overrides of eth_simulateV1: it is asked another way', async () => {
    const facts = await withFreshClient(async (client) => {
      await client.probe()
      proxy.inject(playsInThePresent('eth_simulateV1'))
      return play(roundTrip, NATIVE, client)
    })
    expect(facts.engine).toBe('eth_call')
  })

  test('ignores those of eth_call as well: nothing is said about the token', async () => {
    const played = withFreshClient(async (client) => {
      await client.probe()
      proxy.inject(...limitedNode('eth_simulateV1'), playsInThePresent('eth_call'))
      return play(roundTrip, NATIVE, client)
    })
    await expect(played).rejects.toThrow(UnsupportedExecutionError)
  })
  afterEach(() => proxy.inject())
})

/** For nodes that are not what others have seen them to be. */
async function withFreshClient<T>(use: (client: RpcClient) => Promise<T>): Promise<T> {
  const client = createRpcClient({ urls: [proxy.url], chainId: 8453, clock: createSystemClock() })
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

/** The same question, about the present. */
function withoutTime(params: unknown[]): unknown[] {
  return JSON.parse(JSON.stringify(params, (key, value) => (key === 'time' ? undefined : value)))
}
