import type { Chain } from '../chains/chain.js'
import { type Address, ZERO_ADDRESS } from '../hex.js'
import type { AccountPrefetch } from '../state/prefetch-accounts.js'
import type { StateMiss } from '../state/state-reader.js'
import { mappingSlot, nestedMappingSlot } from './mapping-slot.js'
import type { Pool, Venue } from './venue.js'

/**
 * Owner, flags, fees and limits live in the first slots; measured, 24 of them catch nearly all that
 * compilers lay out there.
 */
const GUESSED_SLOTS = Array.from({ length: 24 }, (_, i) => BigInt(i))
/** Balances and allowances are among the first mappings. */
const GUESSED_MAPPINGS = GUESSED_SLOTS.slice(0, 8)
/**
 * Lists of accounts (exempt from fees, barred, pools) follow behind the variables. The last is that
 * of upgradeable tokens of OpenZeppelin: ERC-7201 "openzeppelin.storage.ERC20".
 */
const NOTED_MAPPINGS = [
  ...Array.from({ length: 32 }, (_, i) => BigInt(i)),
  51n,
  0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n,
]
/** WETH9 has name, symbol and decimals before `balanceOf`; so do WBNB and Base's predeploy. */
const WETH9_BALANCES_SLOT = 3n
/** Where USDC's code keeps balances, and where upgradeable tokens of OpenZeppelin do. */
const DOLLAR_MAPPINGS = [...GUESSED_MAPPINGS, 9n, 51n]
/** Where proxies name their implementation: EIP-1967, and the forerunner of it that USDC is. */
export const IMPLEMENTATION_SLOTS = [
  0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn,
  0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3n,
]

/**
 * Allowances of the token's own at the places where Solidity would keep them, and what the pools
 * and it have of the wrapped coin. The trader's own are known: the trader is new.
 */
export function guessTokenSlots(
  { wrappedNative }: Chain,
  token: Address,
  routes: readonly GuessedRoute[],
): StateMiss[] {
  const spenders = spendersOf(routes)
  const allowances = GUESSED_MAPPINGS.flatMap((base) =>
    spenders.map((spender) => nestedMappingSlot(base, token, spender)),
  )
  const holders = holdersOf(token, routes)
  return [...slotsOf(token, allowances), ...slotsOf(wrappedNative, balanceSlots([WETH9_BALANCES_SLOT], holders))]
}

/** What the token has noted of pools, routers, itself, the zero address and what it names. */
export function prefetchOf(token: Address, routes: readonly GuessedRoute[]): AccountPrefetch {
  return {
    contract: token,
    slots: [...GUESSED_SLOTS, ...IMPLEMENTATION_SLOTS],
    holders: [...holdersOf(token, routes), ZERO_ADDRESS],
    mappings: NOTED_MAPPINGS,
    entrySlot: mappingSlot,
  }
}

interface GuessedRoute {
  venue: Venue
  pool: Pool
}

const spendersOf = (routes: readonly GuessedRoute[]) => [...new Set(routes.flatMap(({ venue }) => venue.spender ?? []))]

const holdersOf = (token: Address, routes: readonly GuessedRoute[]) => [
  ...new Set([...routes.map(({ pool }) => pool.address), ...spendersOf(routes), token]),
]

/**
 * What a dollar reads to pay these holders: it is probably a proxy in front of code that keeps
 * balances in the usual way.
 */
export function guessDollarSlots(dollar: Address, holders: readonly Address[]): StateMiss[] {
  return slotsOf(dollar, [...GUESSED_SLOTS, ...IMPLEMENTATION_SLOTS, ...balanceSlots(DOLLAR_MAPPINGS, holders)])
}

const balanceSlots = (bases: readonly bigint[], holders: readonly Address[]) =>
  bases.flatMap((base) => holders.map((holder) => mappingSlot(base, holder)))

const slotsOf = (address: Address, slots: readonly bigint[]) =>
  slots.map((slot) => ({ kind: 'storage', address, slot }) as const)
