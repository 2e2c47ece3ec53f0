import { concatHex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createV3Market } from '../../src/devnet/market.js'
import type { Address, Hex } from '../../src/hex.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'
import { readEvents } from '../watching/read-events.js'
import { createLauncher, type Launcher } from './launcher.js'

interface ListingBody {
  id: string
  state: string
  address: string
  exchange: string
  transaction: string
  isKnownCode: boolean
  blockTime: string
  judgedAt: string | null
  liquidity: string | null
  verdict: { level: string; token: { name: string; symbol: string; marks: string[] } | null } | null
}

interface FeedBody {
  listings: ListingBody[]
  chains: number[]
  followed: { chainId: number; block: number; isCurrent: boolean }[]
}

let service: ServiceOnDevnet
let launcher: Launcher

const ask = async (query = '') => {
  const response = await fetch(`${service.url}/api/feed${query}`, {
    headers: { authorization: `Bearer ${service.key}` },
  })
  return { status: response.status, body: (await response.json()) as FeedBody }
}
const listed = async (query = '') => (await ask(query)).body.listings
const findListing = async (token: Address) => (await listed()).find(({ address }) => address.toLowerCase() === token)

/** Waits for an event of the service, and gives up long after any machine would have it. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`what was waited for did not come: ${JSON.stringify(await listed())}`)
}
const judged = (token: Address) =>
  until(async () => {
    const found = await findListing(token)
    return found?.state === 'judged' && found.liquidity !== null ? found : undefined
  })

beforeAll(async () => {
  service = await startServiceOnDevnet({ chainId: 1, examples: [] }, { env: { ASSAY_FEED: '1' } })
  launcher = createLauncher(service.devnet)
  // The feed begins at the head that it sees first: what was there before is no news.
  await until(async () => {
    await launcher.launch(await launcher.make('Clean'))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return (await listed())[0]
  })
})
afterAll(() => service?.stop())

test('the feed says which chains it follows, and how far', async () => {
  const { body } = await ask()
  expect(body).toMatchObject({ chains: [1], followed: [{ chainId: 1, isCurrent: true }] })
  expect(body.followed[0]?.block).toBeGreaterThan(0)
})

describe('a token that comes to a market', () => {
  test('is told with its exchange and its verdict, good or bad, by list and by event', async () => {
    const events = readEvents(`${service.url}/api/feed/events?level=Critical%20Risk`, service.key)
    const clean = await launcher.make('Clean')
    const shut = await launcher.make('SellBlocked', [service.devnet.chain.v2[0]?.router])
    const transaction = await launcher.launch(clean, createV3Market(service.devnet.chain), '3')
    await launcher.launch(shut)
    const good = await judged(clean)
    const bad = await judged(shut)
    expect(good).toMatchObject({ exchange: 'Uniswap V3', transaction })
    expect(good.verdict?.level).not.toBe('Critical Risk')
    expect(bad).toMatchObject({ exchange: 'Uniswap V2', isKnownCode: false, verdict: { level: 'Critical Risk' } })
    const told = await events.until((all) => all.some(({ id }) => id === bad.id))
    // The filter holds for events as for the list.
    expect(told.map(({ id }) => id)).not.toContain(good.id)
    events.close()
    const hostile = (await listed('?level=Critical%20Risk')).map(({ id }) => id)
    expect(hostile).toContain(bad.id)
    expect(hostile).not.toContain(good.id)
    const deep = (await listed('?minLiquidity=5')).map(({ id }) => id)
    expect(deep).toContain(bad.id)
    expect(deep).not.toContain(good.id)
    expect(await listed('?chainId=56')).toEqual([])
  })

  test('bears the name that it gives itself, made safe to show, once it is judged', async () => {
    const token = await launcher.makeNamed(HOSTILE_NAME)
    await launcher.launch(token)
    const { verdict } = await judged(token)
    expect(verdict?.token).toMatchObject({ name: '<img>USDT!', symbol: 'CLEAN', marks: ['hidden'] })
  })

  test('whose pool has nothing in it yet is judged again with its first liquidity', async () => {
    const token = await launcher.make('Clean')
    const { v2, wrappedNative } = service.devnet.chain
    const factory = v2[0]?.factory as Address
    // `createPair(address,address)`
    const data = concatHex(['0xc9c65396', pad(token), pad(wrappedNative)])
    await launcher.send({ what: 'create a pair', from: launcher.maker, to: factory, data })
    const empty = await until(async () => {
      const found = await findListing(token)
      return found?.state === 'judged' ? found : undefined
    })
    expect(empty).toMatchObject({ liquidity: null })
    await launcher.launch(token)
    expect(await judged(token)).toMatchObject({ id: empty.id })
  })

  test('by the word of a contract that is no exchange is not told', async () => {
    const token = await launcher.make('Clean')
    const { wrappedNative } = service.devnet.chain
    const topics: Hex[] = [pad(wrappedNative), pad(token), PAIR_CREATED]
    const pushed = topics.map((topic) => concatHex(['0x7f', topic]))
    // Init code that stores a pair's address and tells of it: PUSH32, MSTORE, three topics, LOG3.
    const data = concatHex(['0x7f', pad('0x9a17'), '0x600052', ...pushed, '0x60406000a300'])
    await launcher.send({ what: 'tell of a pair', from: launcher.maker, data })
    // One that comes later shows that the block was gone through.
    const other = await launcher.make('Clean')
    await launcher.launch(other)
    await judged(other)
    expect(await findListing(token)).toBeUndefined()
  })

  test('in a block that is undone is taken back', async () => {
    const { node } = service.devnet
    const token = await launcher.make('Clean')
    const snapshot = await node.call<string>('evm_snapshot')
    const events = readEvents(`${service.url}/api/feed/events`, service.key)
    await launcher.launch(token)
    const { id, isKnownCode } = await judged(token)
    expect(isKnownCode).toBe(true)
    await node.call('evm_revert', snapshot)
    await node.call('evm_mine')
    const told = await events.until((all) =>
      all.some((each) => each.id === id && 'state' in each && each.state === 'undone'),
    )
    expect(told.filter((each) => each.id === id).length).toBeGreaterThan(1)
    expect(await findListing(token)).toBeUndefined()
    events.close()
  })
})

/** With a mark that turns the line around: as many bytes as the name of the honest token. */
const HOSTILE_NAME = '<img>\u202eUSDT!'

const PAIR_CREATED: Hex = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9'

test.each(['level=Fine', 'level=', 'minLiquidity=much', 'chainId=one', 'limit=0', 'limit=1000', 'chainId=1&chainId=2'])(
  'the feed refuses the filter %s',
  async (query) => {
    expect(await ask(`?${query}`)).toMatchObject({ status: 400, body: { success: false, code: 'invalid_filter' } })
  },
)

test.runIf(process.env.MEASURE === '1')('from block to verdict', async () => {
  const contracts = ['Clean', 'SellBlocked', 'OwnerCanClose', 'Clean', 'SellBlocked', 'OwnerCanClose']
  const seconds: number[] = []
  for (const contract of contracts) {
    const token = await launcher.make(contract, contract === 'SellBlocked' ? [service.devnet.chain.v2[0]?.router] : [])
    const sentAt = Date.now()
    await launcher.launch(token)
    const { judgedAt, blockTime } = await judged(token)
    seconds.push((Date.parse(judgedAt ?? '') - sentAt) / 1_000)
    process.stdout.write(`${contract}: ${seconds.at(-1)} s after it was sent, block time ${blockTime}\n`)
  }
})
