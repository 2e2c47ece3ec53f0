import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import type { Chain, WatchedToken } from '../chains/chain.js'
import type { Address } from '../hex.js'
import { readContract } from './artifacts.js'
import type { DevnetTransaction } from './devnet-ledger.js'
import type { Scene, TimelineEvent } from './example.js'
import { DEPLOYED_SECONDS_AGO, traded } from './listing.js'
import { transfer } from './market.js'
import type { Placement } from './place-contract.js'
import { DAY, payments } from './trading-history.js'

/**
 * The contract behind all of the devnet's proxies in the shape of USDC: where Ethereum's stands.
 */
const DOLLAR_LOGIC: Address = '0x43506849d7c04f9138d1a2050bbf3a0c054402dd'
/** The account that may exchange the code of Ethereum's USDC. */
const PROXY_ADMIN: Address = '0x807a96288a1a408dbc13de2b1d087d10356395d2'

/** What the issuer of each dollar begins with. */
const SUPPLY = 1_000_000_000n
/** A pool begins with these. */
const LISTED_DOLLARS = 900_000n
const LISTED_NATIVE = parseEther('300')

const dollarAbi = parseAbi([
  'function initialize(string name, string symbol, uint8 decimals, address owner)',
  'function mint(address to, uint256 amount)',
])

export interface WellKnownTokens {
  placements: Placement[]
  /** What the issuer does first: proxies cannot be set up by their constructor. */
  transactions: DevnetTransaction[]
}

/**
 * The chain's watched tokens at their addresses, simple ones of the same shape; `issuer` owns them
 * and holds what there is.
 */
export function planWellKnownTokens({ id, watchedTokens, wrappedNative }: Chain, issuer: Address): WellKnownTokens {
  const dollars = watchedTokens.filter(({ address }) => address !== wrappedNative)
  const plain = (token: WatchedToken) => PLAIN_DOLLARS[`${id} ${token.symbol}`]
  const proxied = dollars.filter((token) => !plain(token))
  return {
    placements: [
      { address: DOLLAR_LOGIC, artifact: readContract('DollarCoin') },
      ...dollars.map((token): Placement => {
        const { address } = token
        const { contract, args } = plain(token) ?? { contract: 'DollarCoinProxy', args: [DOLLAR_LOGIC, PROXY_ADMIN] }
        return { address, artifact: readContract(contract), args }
      }),
    ],
    transactions: proxied.flatMap((token) => setUp(token, issuer)),
  }
}

/** Dollars that are no proxies, with the arguments of their constructors. */
const PLAIN_DOLLARS: Record<string, { contract: string; args: readonly unknown[] }> = {
  '1 USDT': { contract: 'TetherUsd', args: [SUPPLY * 10n ** 6n] },
  '1 DAI': { contract: 'DaiStablecoin', args: [SUPPLY * 10n ** 18n] },
  '56 BSC-USD': { contract: 'BridgedUsd', args: [SUPPLY] },
}

const NAMES: Record<string, string> = { USDC: 'USD Coin', USDT: 'Tether USD' }

function setUp({ address, symbol, decimals }: WatchedToken, issuer: Address): DevnetTransaction[] {
  const name = NAMES[symbol] ?? symbol
  const args = [name, symbol, decimals, issuer] as const
  const initialize = encodeFunctionData({ abi: dollarAbi, functionName: 'initialize', args })
  const amount = SUPPLY * 10n ** BigInt(decimals)
  const mint = encodeFunctionData({ abi: dollarAbi, functionName: 'mint', args: [issuer, amount] })
  return [
    { what: `set up ${symbol}`, from: issuer, to: address, data: initialize },
    { what: `mint ${symbol}`, from: issuer, to: address, data: mint },
  ]
}

/** One of the chain's dollars as an example: listed, traded, and paid with. */
export function wellKnownToken(scene: Scene, symbol: string): { target: Address; events: TimelineEvent[] } {
  const token = scene.chain.watchedTokens.find((watched) => watched.symbol === symbol)
  if (!token) throw new RangeError(`The chain has no ${symbol}`)
  const { address: target, decimals } = token
  const unit = 10n ** BigInt(decimals)
  const gifts = scene.traders.map((trader) => ({
    secondsAgo: 5 * DAY,
    transaction: transfer(scene.issuer, target, trader, 5_000n * unit),
  }))
  const listing = { decimals, lister: scene.issuer, wholeTokens: LISTED_DOLLARS, native: LISTED_NATIVE }
  return { target, events: [...traded(scene, target, listing), ...gifts, ...payments(scene, target, unit)] }
}

/** The wrapped native coin as an example: wrapped, and paid with. */
export function wrappedNative(scene: Scene): { target: Address; events: TimelineEvent[] } {
  const target = scene.chain.wrappedNative
  const data = encodeFunctionData({ abi: parseAbi(['function deposit() payable']), functionName: 'deposit' })
  const wrapped = scene.traders.map((from) => ({
    secondsAgo: DEPLOYED_SECONDS_AGO,
    transaction: { what: 'wrap', from, to: target, data, value: parseEther('60') },
  }))
  return { target, events: [...wrapped, ...payments(scene, target, parseEther('0.1'))] }
}
