import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SolanaChain } from '../../src/devnet/solana/cluster.js'
import { addressFor, placeToken } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import { toTokenInfo } from '../../src/reports/solana/to-token-info.js'
import { PUMP_CURVE } from '../../src/solana/pools/layouts.js'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL } from '../../src/solana/programs.js'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/** Who made a token, since when it is traded, and what it costs, as its answer tells. */
const maker = addressFor('the maker')
const giver = addressFor('a giver of coins')

const example = (
  name: string,
  history: (chain: SolanaChain, token: ReturnType<typeof placeToken>) => void,
): SolanaExample => ({
  name,
  summary: name,
  expect: { trustStatus: 'Safe' },
  place(chain) {
    const token = placeToken(chain, name, {})
    history(chain, token)
    return token.mint
  },
})

let stage: SolanaStage
let proxy: FaultProxy
beforeAll(async () => {
  stage = await createSolanaStage({
    examples: [
      example('made by a wallet', (chain, { mint, pool }) => {
        chain.record([giver, mint, TOKEN_PROGRAM], true)
        chain.record([maker, mint, TOKEN_PROGRAM], false)
        chain.record([giver, mint, ...(pool ? [pool] : [])], false)
      }),
      example('launched', (chain, { mint }) => {
        chain.record([maker, mint, PUMP_CURVE.program, TOKEN_PROGRAM], false)
        for (let i = 0; i < 30; i += 1) chain.record([giver, mint, TOKEN_PROGRAM], false)
      }),
      example('given coins before it was made', (chain, { mint }) => {
        chain.record([giver, mint, SYSTEM_PROGRAM], false)
        chain.record([maker, mint, TOKEN_PROGRAM], false)
      }),
      example('forgotten for a while', (chain, { mint }) => {
        chain.record([maker, mint, TOKEN_PROGRAM], false)
      }),
      example('without a past', () => {}),
    ],
    nodeUrls: async (url) => {
      proxy = await startFaultProxy(url)
      return [proxy.url]
    },
  })
})
afterAll(async () => {
  await stage.close()
  await proxy.close()
})

async function ask(name: string) {
  const report = await stage.check({ address: stage.addressOf(name) })
  if (report.kind !== 'token') throw new Error(`${name} is no token`)
  expect(report.level).toBe('Safe')
  const { origin, market, pools } = toTokenInfo(report)
  return { origin, market, pools }
}

test.each([
  ['made by a wallet', maker, null],
  ['launched', maker, PUMP_CURVE.program],
  ['given coins before it was made', null, null],
  ['without a past', null, null],
])('%s', async (name, creator, through) => {
  const { origin } = await ask(name)
  expect(origin).toMatchObject({ creator, through, isProven: false })
  expect(origin.unknown === null).toBe(creator !== null)
  expect(origin.block === null).toBe(creator === null)
})

test('a market has its price, its depth and its beginning', async () => {
  const { market, pools } = await ask('made by a wallet')
  // 500 coins stand against 60 % of a thousand million tokens.
  expect(market).toMatchObject({
    price: '0.000000833333333333',
    quote: { symbol: 'SOL', address: WRAPPED_SOL, decimals: 9 },
    depth: [{ symbol: 'SOL', address: WRAPPED_SOL, decimals: 9, amount: '500000000000' }],
    since: expect.stringMatching(/^20\d\d-/),
  })
  expect(pools).toMatchObject([{ price: market?.price, quote: market?.quote, played: true }])
})

test('a node that does not remember is no reason for doubt, and is asked again', async () => {
  proxy.inject({
    name: 'refused',
    method: 'getTransaction',
    answer: (honest) => ({ ...honest, result: null }),
  })
  const { origin } = await ask('forgotten for a while')
  proxy.inject()
  expect(origin.creator).toBeNull()
  expect((await ask('forgotten for a while')).origin.creator).toBe(maker)
})
