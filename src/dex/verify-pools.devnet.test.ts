import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOnV2, listOnV3 } from '../../test/dex/list-pool.js'
import { type Stage, startStage } from '../../test/dex/venue-stage.js'
import type { Chain } from '../chains/chain.js'
import { createSystemClock } from '../clock.js'
import { positionManagerOf } from '../devnet/place-exchanges.js'
import type { Hex } from '../hex.js'
import { createRpcClient, type RpcClient } from '../rpc/rpc-client.js'
import { verifyPools } from './verify-pools.js'

let stage: Stage
let rpc: RpcClient
beforeAll(async () => {
  stage = await startStage(1)
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
  rpc = createRpcClient({ urls: [stage.devnet.url], chainId: 1, clock: createSystemClock(), limits })
  const { v2, v3, watchedTokens, wrappedNative: quote } = stage.chain
  const [uniswapV2, uniswapV3] = [v2[0], v3[0]]
  const [dollar] = watchedTokens.filter(({ address }) => address !== quote)
  if (!uniswapV2 || !uniswapV3 || !dollar) return expect.unreachable()
  const tokenAmount = 3_000n * 10n ** BigInt(dollar.decimals)
  const listing = { token: dollar.address, quote, tokenAmount, quoteAmount: 10n ** 18n }
  await listOnV2(uniswapV2)(stage, listing)
  await listOnV3(uniswapV3, positionManagerOf(uniswapV3))(stage, listing)
})
afterAll(async () => {
  await rpc?.close()
  await stage?.stop()
})

async function verify(chain: Chain) {
  const verified = await verifyPools(rpc, chain)
  return Object.fromEntries(verified.map(({ exchange, problems, note }) => [exchange, note ?? problems]))
}

test('pools that factories name are those that follow from the table', async () => {
  expect(await verify(stage.chain)).toMatchObject({ 'Uniswap V2': [], 'Uniswap V3': [] })
})

test('a factory without any of these pools is said to have none', async () => {
  expect(await verify(stage.chain)).toMatchObject({ 'SushiSwap V2': 'the factory has none to compare' })
})

test('another hash of the pools’ code is noticed, and the pool is named', async () => {
  const initCodeHash: Hex = `0x${'ab'.repeat(32)}`
  const v2 = stage.chain.v2.map((each) => ({ ...each, initCodeHash }))
  const v3 = stage.chain.v3.map((each) => ({ ...each, initCodeHash }))
  const said = /^the pool of 0x[0-9a-f]{40} is 0x[0-9a-f]{40} and not 0x[0-9a-f]{40}$/
  expect(await verify({ ...stage.chain, v2, v3 })).toMatchObject({
    'Uniswap V2': [expect.stringMatching(said)],
    'Uniswap V3': [expect.stringMatching(said)],
  })
})
