import { encodeFunctionData } from 'viem'
import type { Chain } from '../chains/chain.js'
import { type Address, toPaddedHex, ZERO_ADDRESS } from '../hex.js'
import type { CallScript, ScriptCall } from '../state/call-script.js'
import type { StateMiss } from '../state/state-reader.js'
import { guessTokenSlots, IMPLEMENTATION_SLOTS } from './guess-slots.js'
import { erc20Abi } from './read-contract.js'
import type { Pool, Venue } from './venue.js'
import { quotesOf } from './venues.js'

/** What trading a token that nobody here has met is going to read, as far as it can be told. Wrong guesses cost time and nothing else. */
export interface TradeReadAhead {
  seeds: StateMiss[]
  /** For nodes that can trace. */
  traces: CallScript[]
}

export interface TradePreview {
  chain: Chain
  /** Where it may trade. */
  venues: readonly Venue[]
  token: Address
  /** Who trades in the traces: an account that nobody uses. */
  trader: Address
  /** When the trade happens, in seconds since 1970; `undefined` is the block's own time. */
  times: readonly (bigint | undefined)[]
}

export function readAheadOfTrade({ chain, venues, token, trader, times }: TradePreview): TradeReadAhead {
  const likely = likelyRoutes(chain, venues, token)
  const calls = likely.flatMap((route, i) => tradeCalls(route, trader, i * CALLS_PER_MARKET))
  return {
    seeds: [
      // Who reads without a name.
      { kind: 'account', address: ZERO_ADDRESS },
      ...discoverySeeds(chain, venues, token),
      ...likely.flatMap(({ venue, pool }) => venue.seeds(pool)),
      ...guessTokenSlots(chain, token, likely),
    ],
    traces: times.map((time) => ({
      from: trader,
      balance: TRACED_SAVINGS,
      calls,
      ...(time !== undefined && { time }),
    })),
  }
}

/** A pool that may be there, against the native coin. */
interface GuessedRoute {
  venue: Venue
  pool: Pool
}

/** The pools whose trade is prepared for before anybody has looked whether they are there. Venues stand in the order of their use. */
function likelyRoutes(chain: Chain, venues: readonly Venue[], token: Address): GuessedRoute[] {
  const native = quotesOf(chain, token).slice(0, 1)
  return venues
    .flatMap((venue) => venue.guessPools(token, native).map((pool) => ({ venue, pool })))
    .slice(0, MAX_LIKELY_ROUTES)
}

/** What tells which pools there are, of the token and of what it may be quoted in. */
function discoverySeeds(chain: Chain, venues: readonly Venue[], token: Address): StateMiss[] {
  const [native = chain.wrappedNative, ...dollars] = quotesOf(chain, token)
  const ofVenues = venues.flatMap((venue) => {
    const hubs = dollars.flatMap((dollar) => venue.guessPools(dollar, [native]))
    return [...venue.guessPools(token, [native, ...dollars]), ...hubs].flatMap((pool) => venue.probes(pool))
  })
  const ofDollars = dollars.flatMap((address) => [
    { kind: 'account', address } as const,
    ...IMPLEMENTATION_SLOTS.map((slot) => ({ kind: 'storage', address, slot }) as const),
  ])
  return [...ofVenues, ...ofDollars]
}

/** Buy, ask for the balance, approve, sell. */
const CALLS_PER_MARKET = 4
/** A script holds thirty calls. */
const MAX_LIKELY_ROUTES = 7
/** Wei; the trace only has to reach every branch, not to be fair. */
const TRACED_SAVINGS = 10n ** 20n
const TRACED_AMOUNT = 10n ** 15n
/** The traced trade has no deadline. */
const NEVER = 2n ** 63n
/** Stands for the bought amount until the trace knows it, and is found in the calldata again by its looks. */
const PLACEHOLDER = BigInt(`0x${'c0ffee11'.repeat(8)}`)

/** A round trip in one pool as a script. Its second call answers the balance, which later calls are filled with. */
function tradeCalls({ venue, pool }: GuessedRoute, trader: Address, firstCall: number): ScriptCall[] {
  const order = (amountIn: bigint) => ({ pool, trader, amountIn, deadline: NEVER })
  const fillAmount = (data: ScriptCall['data']) => {
    const at = (data.indexOf(toPaddedHex(PLACEHOLDER, 32).slice(2)) - 2) / 2
    return at < 0 ? {} : { fill: [{ at, fromCall: firstCall + 1 }] }
  }
  const sell = venue.sell(order(PLACEHOLDER))
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [venue.spender ?? pool.address, PLACEHOLDER],
  })
  return [
    venue.buy(order(TRACED_AMOUNT)),
    { to: pool.token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [trader] }) },
    { to: pool.token, data: approve, ...fillAmount(approve) },
    { ...sell, ...fillAmount(sell.data) },
  ]
}
