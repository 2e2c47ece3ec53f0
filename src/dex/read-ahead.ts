import type { Chain } from '../chains/chain.js'
import { ARBOS_SLOTS, ARBOS_STATE } from '../evm/arb-fees.js'
import { L1_BLOCK, L1_BLOCK_SLOTS } from '../evm/op-fees.js'
import { type Address, toPaddedHex, ZERO_ADDRESS } from '../hex.js'
import type { CallScript, ScriptCall } from '../state/call-script.js'
import type { AccountPrefetch } from '../state/prefetch-accounts.js'
import type { StateMiss } from '../state/state-reader.js'
import { guessTokenSlots, IMPLEMENTATION_SLOTS, prefetchOf } from './guess-slots.js'
import { callData } from './read-contract.js'
import type { Pool, Venue } from './venue.js'
import { quotesOf } from './venues.js'

/**
 * What trading a new token is going to read, as far as it can be told. Wrong guesses cost time and
 * nothing else. What only some nodes are asked is worked out when it is looked at.
 */
export interface TradeReadAhead {
  /** What tells where the token trades. */
  seeds: StateMiss[]
  /** What a trade there would touch, for nodes that cannot trace. */
  guesses: StateMiss[]
  /** What it may touch besides, which depends on words of the token. */
  prefetch: AccountPrefetch
  /** For nodes that can. */
  traces: CallScript[]
}

export interface TradePreview {
  token: Address
  /** Who trades in the traces: an account that is not in use. */
  trader: Address
  /** When the trade happens, in seconds since 1970; `undefined` is the block's own time. */
  times: readonly (bigint | undefined)[]
}

/**
 * Prepares for trades of any token on `chain`: what does not depend on the token is worked out
 * once.
 */
export function createReadAhead(chain: Chain, venues: readonly Venue[]): (preview: TradePreview) => TradeReadAhead {
  const always: StateMiss[] = [
    { kind: 'account', address: ZERO_ADDRESS },
    ...l1Seeds(chain),
    ...dollarSeeds(chain, venues),
  ]
  return ({ token, trader, times }) => {
    const routes = guessRoutes(chain, venues, token)
    const likely = routes.filter(({ pool }) => isNative(chain, pool.quote)).slice(0, MAX_LIKELY_ROUTES)
    return {
      // The first reads of all are those of code that asks who reads without a name.
      seeds: [...always, ...routes.flatMap(({ venue, pool }) => venue.probes(pool))],
      get guesses() {
        return [...likely.flatMap(({ venue, pool }) => venue.seeds(pool)), ...guessTokenSlots(chain, token, likely)]
      },
      get prefetch() {
        return prefetchOf(token, likely)
      },
      get traces() {
        const trades = likely.flatMap((route) => tracedTrades(route, trader))
        const calls = trades.flatMap((makeCalls, i) => makeCalls(i * CALLS_PER_TRADE))
        // What a sale in other circumstances may credit: fees are gathered there.
        const own = { to: token, data: callData(BALANCE_OF, [token]) }
        const script = { from: trader, balance: TRACED_SAVINGS, calls: [...calls, own] }
        return times.map((time) => ({ ...script, ...(time !== undefined && { time }) }))
      },
    }
  }
}

/** What tells how much L1 takes of a transaction. */
function l1Seeds({ stack, engine }: Chain): StateMiss[] {
  if (stack === 'op') return words(L1_BLOCK, L1_BLOCK_SLOTS)
  return engine?.system === 'arbitrum' ? words(ARBOS_STATE, ARBOS_SLOTS) : []
}

const words = (address: Address, slots: readonly bigint[]): StateMiss[] => [
  { kind: 'account', address },
  ...slots.map((slot) => ({ kind: 'storage', address, slot }) as const),
]

/** A pool that may be there. */
interface GuessedRoute {
  venue: Venue
  pool: Pool
}

/** Every place where the token may be traded. Venues stand in the order of their use. */
function guessRoutes(chain: Chain, venues: readonly Venue[], token: Address): GuessedRoute[] {
  const quotes = quotesOf(chain, token)
  return venues.flatMap((venue) => venue.guessPools(token, quotes).map((pool) => ({ venue, pool })))
}

/** The pools whose trade is prepared for before it is known whether they are there. */
const isNative = ({ wrappedNative }: Chain, quote: Address) => quote === wrappedNative || quote === ZERO_ADDRESS

/** What tells how much a dollar is worth in native coin, and what its own code is. */
function dollarSeeds(chain: Chain, venues: readonly Venue[]): StateMiss[] {
  const [native, ...dollars] = quotesOf(chain, ZERO_ADDRESS)
  if (native === undefined) return []
  const pools = venues.flatMap((venue) =>
    dollars.flatMap((dollar) => venue.guessPools(dollar, [native]).flatMap((pool) => venue.probes(pool))),
  )
  const codes = dollars.flatMap((address) => [
    { kind: 'account', address } as const,
    ...IMPLEMENTATION_SLOTS.map((slot) => ({ kind: 'storage', address, slot }) as const),
  ])
  return [...pools, ...codes]
}

/** Buy, ask for the balance, approve, sell. */
const CALLS_PER_TRADE = 4
/** The amounts of one fit into a script of 60 calls. */
const MAX_LIKELY_ROUTES = 7
/** Wei; the trace only has to reach every branch, not to be fair. */
const TRACED_SAVINGS = 10n ** 20n
/**
 * What a person tries, which sets off what fees have gathered for, and what is below every limit to
 * a purchase.
 */
const TRACED_AMOUNTS = [10n ** 17n, 10n ** 15n]
/** The traced trade has no deadline. */
const NEVER = 2n ** 63n
/** Stands for amounts that are filled in later, and is found in the calldata again by its looks. */
const PLACEHOLDER = BigInt(`0x${'c0ffee11'.repeat(8)}`)
const PLACEHOLDER_DIGITS = toPaddedHex(PLACEHOLDER, 32).slice(2)

/**
 * Round trips in one pool, one for each amount, as parts of a script that begin at a given call.
 * The second call of each answers the balance, which the later ones are filled with.
 */
function tracedTrades({ venue, pool }: GuessedRoute, trader: Address): ((firstCall: number) => ScriptCall[])[] {
  const order = { pool, trader, amountIn: PLACEHOLDER, deadline: NEVER }
  const [buy, sell] = [venue.buy(order), venue.sell(order)]
  const askBalance = { to: pool.token, data: callData(BALANCE_OF, [trader]) }
  const approve = { to: pool.token, data: callData(APPROVE, [venue.spender ?? pool.address, PLACEHOLDER]) }
  return TRACED_AMOUNTS.map((amount) => (firstCall) => [
    {
      ...buy,
      data: `0x${buy.data.slice(2).replaceAll(PLACEHOLDER_DIGITS, toPaddedHex(amount, 32).slice(2))}`,
      value: amount,
    },
    askBalance,
    fillAmount(approve, firstCall + 1),
    fillAmount(sell, firstCall + 1),
  ])
}

/** `balanceOf(address)` and `approve(address,uint256)` (EIP-20) */
const BALANCE_OF = '0x70a08231'
const APPROVE = '0x095ea7b3'

function fillAmount(call: ScriptCall, fromCall: number): ScriptCall {
  const at = (call.data.indexOf(PLACEHOLDER_DIGITS) - 2) / 2
  return at < 0 ? call : { ...call, fill: [{ at, fromCall }] }
}
