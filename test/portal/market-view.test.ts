import { describe, expect, test } from 'vitest'
import { NO_REPORTS, type Reports, type SolanaReport } from '../../portal/src/api/reports.js'
import { readMarket } from '../../portal/src/report/market-view.js'
import { readFacts } from '../../portal/src/report/read-facts.js'
import { unknownFields } from '../../portal/src/report/unknown-fields.js'
import { createTestApp, HONEYPOT, request } from '../http/test-app.js'

type TokenInfo = NonNullable<SolanaReport['tokenInfo']>
type Pool = TokenInfo['pools'][number]

const SOL = { symbol: 'SOL', address: 'So11111111111111111111111111111111111111112', decimals: 9 }
const OTHER = { symbol: '', address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: null }
const [FIRST, SECOND] = ['58oQChx4yWmvKdwLLZzBi4ChoCc2fqCUWBkwMihLYQo2', '7qbRF6YsyGuLUVs6Y1q64bdVrfe4ZcUUz1JRdoVNUJnm']

const pool = (more: Partial<Pool>): Pool => ({
  ...{ venue: 'Orca', address: FIRST, status: 'open', quoteMint: SOL.address, quote: SOL, price: '0.5' },
  ...{ tokenReserve: '1', quoteReserve: '3000000000', liquidity: 'lp-token', lockedPercent: 80, positions: [] },
  ...{ played: true },
  ...more,
})

const depthOf = (quote: typeof SOL | typeof OTHER, amount: string) => ({ ...quote, amount })

/** The answer of Solana, as far as its market goes. */
function onSolana(pools: Pool[], depth: ReturnType<typeof depthOf>[]): Reports {
  const market = { price: '0.5', quote: SOL, depth, since: '2026-01-02T00:00:00.000Z' }
  const holder = { account: FIRST, owner: SECOND, amount: '1500000', percent: 12.5, kind: 'wallet', frozen: false }
  const tokenInfo = {
    decimals: 6,
    supply: '9',
    name: 'N',
    market,
    origin: {},
    pools,
    holders: [holder],
    authorities: [],
  }
  const slot = { first: 7, last: 7, timestamp: '2026-01-03T00:00:00.000Z' }
  const solana = { tokenInfo, slot, honeypotResponse: { pair: FIRST } } as unknown as SolanaReport
  const honeypot = { honeypotResponse: { venue: 'Orca', timeTravelResults: [] } } as unknown as Reports['honeypot']
  return { ...NO_REPORTS, ...(honeypot && { honeypot }), others: { solana } }
}

describe('the market of a Solana token', () => {
  test('is shown as that of any other', () => {
    const second = pool({ venue: 'Meteora', address: SECOND, quoteReserve: '1000000000', status: 'not-open-yet' })
    const reports = onSolana([pool({}), second], [depthOf(SOL, '4000000000')])
    expect(readMarket(reports, 'SOL')).toEqual({
      price: '0.5 SOL',
      depth: ['4 SOL'],
      pools: [
        ...[{ venue: 'Orca', place: FIRST, share: 75, isJudged: true, reserve: '3 SOL' }],
        ...[{ venue: 'Meteora', place: SECOND, share: 25, isJudged: false, reserve: '1 SOL', closed: 'not open yet' }],
      ].map((each) => ({ ...each, price: '0.5 SOL', exactPrice: '0.5', locked: 80, positions: [] })),
      omitted: 0,
      since: { timestamp: '2026-01-02T00:00:00.000Z' },
      unit: 'slot',
    })
    expect(readFacts(reports, 'SOL')).toEqual([
      { name: 'One costs', value: '0.5 SOL' },
      { name: 'Market', value: 'Orca and one more pool' },
      { name: 'In the pool', value: '3 SOL' },
    ])
  })

  test('amounts that cannot be said in whole tokens are not said, and shares of different things are none', () => {
    const strange = pool({ address: SECOND, quote: OTHER, quoteMint: OTHER.address, price: null, lockedPercent: null })
    const view = readMarket(onSolana([pool({}), strange], [depthOf(SOL, '3'), depthOf(OTHER, '5')]), 'SOL')
    expect(view?.depth).toEqual(['0.000000003 SOL'])
    expect(view?.pools.map(({ share }) => share)).toEqual([undefined, undefined])
    expect(view?.pools[1]).toEqual({ venue: 'Orca', place: SECOND, isJudged: false, positions: [] })
  })

  test('says whose the parts of its liquidity are', () => {
    const position = { address: SECOND, owner: null, percent: 30, hold: 'locked' as const }
    const view = readMarket(onSolana([pool({ positions: [position] })], [depthOf(SOL, '1')]), 'SOL')
    expect(view?.pools[0]?.positions).toEqual([{ share: 30, owner: null, leaves: 'not now' }])
  })

  test('is not shown a second time by the names of its fields', () => {
    expect(unknownFields(onSolana([pool({})], [depthOf(SOL, '1')]))).toEqual([])
  })
})

test('the market of a contract has its price in the native coin, and counts blocks', async () => {
  const { post } = await createTestApp()
  const honeypot = (await post(request(), { url: HONEYPOT })).json()
  const view = readMarket({ ...NO_REPORTS, honeypot }, 'ETH')
  expect(view).toMatchObject({ price: '0.00025 ETH', depth: ['6 ETH'], unit: 'block' })
  expect(view?.pools.map(({ locked }) => locked)).toEqual([undefined, undefined])
  expect(readMarket(NO_REPORTS, 'ETH')).toBeUndefined()
})
