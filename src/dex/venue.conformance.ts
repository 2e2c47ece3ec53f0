import { parseEther } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ListPool } from '../../test/dex/list-pool.js'
import type { Stage } from '../../test/dex/venue-stage.js'
import { type Address, hexToBytes, ZERO_ADDRESS } from '../hex.js'
import { createSeededRandom } from '../simulation/random.js'
import type { Fork } from '../simulation/scenario.js'
import { createTrader } from '../simulation/trader.js'
import type { StateMiss } from '../state/state-reader.js'
import { approve, buy, sell, type TradeContext, transfer } from './legs.js'
import { createReadAhead } from './read-ahead.js'
import { balanceOf } from './read-contract.js'
import type { Pool, Venue } from './venue.js'
import { findMarkets } from './venues.js'

export interface VenueSubject {
  stage: () => Stage
  venue: () => Venue
  list: ListPool
  /** A dollar that the exchange has a market for, and its decimals. */
  stable: () => { address: Address; decimals: number }
}

/** The simulator gives up after eight, and some tokens want several. */
const MAX_ROUNDS = 4
const SPENT = parseEther('0.05')
const COIN_POOL = { tokens: parseEther('200000'), native: parseEther('40') }
/** Whole dollars; the price of a coin is 3,000 of them. */
const STABLE_POOL = { tokens: parseEther('200000'), dollars: 120_000n }
const HUB_POOL = { dollars: 900_000n, native: parseEther('300') }

/** What every venue promises, on a devnet where its exchange stands. */
export function venueConformance(name: string, { stage, venue, list, stable }: VenueSubject): void {
  describe(`${name}: venue`, () => {
    let token: Address
    let unlisted: Address
    const wrapped = () => stage().chain.wrappedNative
    const quotes = () => [wrapped(), stable().address]

    beforeAll(async () => {
      const { address: dollar, decimals } = stable()
      const unit = 10n ** BigInt(decimals)
      token = await stage().deploy('Clean')
      unlisted = await stage().deploy('Clean')
      const against = { token, quote: wrapped(), tokenAmount: COIN_POOL.tokens, quoteAmount: COIN_POOL.native }
      await list(stage(), against)
      await list(stage(), {
        ...{ token, quote: dollar },
        ...{ tokenAmount: STABLE_POOL.tokens, quoteAmount: STABLE_POOL.dollars * unit },
      })
      await list(stage(), {
        ...{ token: dollar, quote: wrapped() },
        ...{ tokenAmount: HUB_POOL.dollars * unit, quoteAmount: HUB_POOL.native },
      })
    })

    /** Some exchanges have pools against the native coin itself. */
    const wrappedQuote = (quote: Address) => (quote === ZERO_ADDRESS ? wrapped() : quote)
    const find = (fork: Fork) => venue().findPools(fork, token, quotes())
    const marketAgainst = (fork: Fork, quote: Address) => {
      const market = findMarkets(fork, [venue()], token).find(({ pool }) => wrappedQuote(pool.quote) === quote)
      if (!market) throw new Error(`${name} has no market against ${quote}`)
      return market
    }
    const contextOf = (fork: Fork, quote: Address): TradeContext => ({
      fork,
      market: marketAgainst(fork, quote),
      trader: createTrader(fork, createSeededRandom(`0x${'5e'.repeat(32)}`), 'trader', SPENT),
    })
    /** Rounds that lack state are played with what there is; only complete ones come out. */
    const roundTrip = (quote: Address, known: readonly StateMiss[] = []) =>
      stage().play((fork) => {
        if (find(fork).length < quotes().length || findMarkets(fork, [venue()], token).length < quotes().length) return
        const context = contextOf(fork, quote)
        const bought = buy(context, SPENT)
        const approved = approve(context, bought.tokenDelta)
        const offered = venue().curve(fork, context.market.pool)?.offers(bought.tokenDelta)
        const sold = sell(context, bought.tokenDelta)
        const left = balanceOf(fork, stable().address, context.trader.address)
        return { ...context, bought, approved, offered, sold, left }
      }, known)
    const complete = <T>(value: T | undefined): T => {
      if (value === undefined) throw new Error('not all pools were found')
      return value
    }

    test('finds the pools that there are, and what stands behind their prices', async () => {
      const { output } = await stage().play(find)
      expect(output.map(({ token, quote }) => [token, wrappedQuote(quote)])).toEqual(
        quotes().map((quote) => [token, quote]),
      )
      const [against] = output
      const { quoteReserve = 0n, tokenReserve = 0n } = against ?? {}
      expectNearlyAll(Number(quoteReserve) / Number(COIN_POOL.native))
      const price = Number(COIN_POOL.tokens) / Number(COIN_POOL.native)
      expect(Number(tokenReserve) / Number(quoteReserve) / price).toBeCloseTo(1, 3)
      expect(output.every((pool) => pool.venue === venue().name)).toBe(true)
    })

    test('finds none for a token that is listed nowhere', async () => {
      const { output } = await stage().play((fork) => venue().findPools(fork, unlisted, quotes()))
      expect(output).toEqual([])
    })

    test('guesses each pool that there is, without asking', async () => {
      const { output } = await stage().play(find)
      const keyOf = ({ address, quote, tier, id }: Pool) => `${address} ${quote} ${tier} ${id}`
      expect(venue().guessPools(token, quotes()).map(keyOf)).toEqual(expect.arrayContaining(output.map(keyOf)))
    })

    test('compares depths against different tokens in native coin', async () => {
      const { output } = await stage().play((fork) => findMarkets(fork, [venue()], token))
      expect(output.map(({ pool }) => wrappedQuote(pool.quote)).toSorted()).toEqual(quotes().toSorted())
      for (const { depth } of output) expectNearlyAll(Number(depth) / Number(COIN_POOL.native))
    })

    test('foretells the state that discovery and a trade read', async () => {
      const { read, output } = await roundTrip(wrapped())
      const { pool } = complete(output).market
      const keyOf = (miss: StateMiss) =>
        JSON.stringify(miss, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
      const wasRead = new Set(read.map(keyOf))
      const foretold = [...venue().probes(pool), ...venue().seeds(pool)]
      const unread = foretold.filter((miss) => !wasRead.has(keyOf(miss)))
      // Factories of one family keep their pools in one of two places; both are asked for at once.
      const elsewhere = unread.filter((miss) => miss.kind === 'storage' && miss.address === venue().factory)
      expect(elsewhere.length).toBeLessThanOrEqual(1)
      expect(unread.filter((miss) => !elsewhere.includes(miss))).toEqual([])
      expect(foretold.length).toBeGreaterThan(0)
    })

    test('wants little more than what it foretells, once what all tokens share is known', async () => {
      const { read, output } = await roundTrip(wrapped())
      const own = venue().guessPools(token, quotes())
      const ofToken = new Set([token, complete(output).trader.address, ...own.map(({ address }) => address)])
      const shared = read.filter(
        (miss) =>
          (miss.kind === 'account' && !ofToken.has(miss.address)) ||
          (miss.kind === 'storage' && !ofToken.has(miss.address)),
      )
      const readAhead = createReadAhead(stage().chain, [venue()])
      const { seeds, guesses, prefetch } = readAhead({ token, trader: ZERO_ADDRESS, times: [] })
      const entries = prefetch.mappings.flatMap((mapping) =>
        prefetch.holders.map((holder) => prefetch.entrySlot(mapping, holder)),
      )
      const words = [...prefetch.slots, ...entries].map((slot) => ({ kind: 'storage', address: token, slot }) as const)
      const { rounds } = await roundTrip(wrapped(), [...seeds, ...guesses, ...words, ...shared])
      expect(rounds).toBeLessThanOrEqual(MAX_ROUNDS)
    })

    test('buys for exactly what it is given, and delivers what the pool says', async () => {
      const { bought, market } = complete((await roundTrip(wrapped())).output)
      const swap = venue().readSwap(market.pool, 'buy', bought.sent.result.logs)
      expect(bought).toMatchObject({ success: true, nativeDelta: -SPENT, taxBps: 0 })
      expect(swap).toEqual({ amountIn: SPENT, amountOut: bought.tokenDelta })
      const ideal = (SPENT * market.pool.tokenReserve) / market.pool.quoteReserve
      expect(Number(bought.tokenDelta) / Number(ideal)).toBeGreaterThan(0.97)
      expect(bought.tokenDelta).toBeLessThanOrEqual(ideal)
    })

    test('sells everything after an approval of exactly that much, and pays out native coin', async () => {
      const { approved, sold, bought, market } = complete((await roundTrip(wrapped())).output)
      expect(approved?.success).toBe(true)
      expect(sold).toMatchObject({ success: true, tokenDelta: -bought.tokenDelta, taxBps: 0 })
      const swap = venue().readSwap(market.pool, 'sell', sold.sent.result.logs)
      expect(swap).toEqual({ amountIn: bought.tokenDelta, amountOut: sold.nativeDelta })
      expect(Number(sold.nativeDelta) / Number(SPENT)).toBeGreaterThan(0.95)
    })

    test('knows before a sale what the pool will pay, but for its fee', async () => {
      for (const quote of quotes()) {
        const { offered, sold, market } = complete((await roundTrip(quote)).output)
        const swap = venue().readSwap(market.pool, 'sell', sold.sent.result.logs)
        const share = Number(swap?.amountOut) / Number(offered)
        expect(share).toBeLessThanOrEqual(1.000001)
        expect(share).toBeGreaterThan(0.97)
      }
    })

    test('trades a pool against a dollar for native coin all the same', async () => {
      const { bought, sold, market, left } = complete((await roundTrip(stable().address)).output)
      expect(market.via?.token).toBe(stable().address)
      expect(bought).toMatchObject({ success: true, nativeDelta: -SPENT, taxBps: 0 })
      expect(sold).toMatchObject({ success: true, tokenDelta: -bought.tokenDelta, taxBps: 0 })
      expect(left).toBe(0n)
      expect(venue().readSwap(market.pool, 'buy', bought.sent.result.logs)?.amountOut).toBe(bought.tokenDelta)
      expect(Number(sold.nativeDelta) / Number(SPENT)).toBeGreaterThan(0.93)
    })

    test('cannot sell what was not approved', async () => {
      const { output } = await stage().play((fork) => {
        if (findMarkets(fork, [venue()], token).length < quotes().length) return
        const context = contextOf(fork, wrapped())
        const bought = buy(context, SPENT)
        return sell(context, bought.tokenDelta)
      })
      expect(complete(output)).toMatchObject({ success: false, taxBps: 10_000 })
    })

    test('prepares a trade of whatever amount a token claims', () => {
      for (const pool of venue().guessPools(token, quotes()).slice(0, 2)) {
        const order = { pool, trader: unlisted, amountIn: 2n ** 256n - 1n, deadline: 2n ** 63n }
        for (const prepare of [venue().buy, venue().sell, venue().permit])
          expect(() => prepare?.({ ...order, via: { ...pool, token: pool.quote, quote: wrapped() } })).not.toThrow()
        for (const prepare of [venue().buy, venue().sell]) expect(() => prepare(order)).not.toThrow()
      }
    })

    test('a transfer between people is no trade', async () => {
      const { output } = await stage().play((fork) => {
        if (findMarkets(fork, [venue()], token).length < quotes().length) return
        const context = contextOf(fork, wrapped())
        const bought = buy(context, SPENT)
        const given = transfer(context, '0x00000000000000000000000000000000000f71e4', bought.tokenDelta)
        return { given, swap: venue().readSwap(context.market.pool, 'sell', given.sent.result.logs) }
      })
      const { given, swap } = complete(output)
      expect(given).toMatchObject({ success: true, taxBps: 0 })
      expect(swap).toBeUndefined()
    })

    test.each(Object.entries(HOSTILE_TOKENS))('is not upset by a token that %s', async (_, code) => {
      const { output } = await stage().play((fork) => {
        fork.evm.setCode(token, hexToBytes(code))
        return { pools: find(fork), markets: findMarkets(fork, [venue()], token) }
      })
      expect(output.pools.every(({ quoteReserve }) => quoteReserve >= 0n)).toBe(true)
    })
  })
}

/** A pool may be called shallower than it is, never deeper. */
function expectNearlyAll(share: number) {
  expect(share).toBeGreaterThan(0.85)
  expect(share).toBeLessThan(1.001)
}

/** Code of tokens that answer what is not expected. */
const HOSTILE_TOKENS = {
  'has no code': '0x',
  'always reverts': '0x60006000fd',
  'answers one byte': '0x60016000f3',
  'answers the largest number': '0x60001960005260206000f3',
  'answers a kilobyte of ones': '0x6104005b60019003600019815280600357506104006000f3',
  'never ends': '0x5b600056',
  'uses an invalid opcode': '0xfe',
}
