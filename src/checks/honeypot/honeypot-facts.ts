import type { MissingVenue } from '../../dex/venues.js'
import type { Address, Hex } from '../../hex.js'
import type { EngineName } from '../../simulation/scenario.js'
import type { Dependencies } from '../dependencies/trade-dependencies.js'
import type { MarketFacts } from '../trade/describe-markets.js'
import type { ProvidedLiquidity } from '../trade/provide-liquidity.js'
import type { UnknownVenue } from '../trade/unknown-venues.js'
import type { SaleConditions } from './condition-facts.js'
import type { Cause } from './explain-cause.js'
import type { Part } from './partial-work.js'
import type { PoolAllowance } from './pool-allowance.js'
import type { SaleSize } from './sale-sizes.js'
import type { WindowLabel } from './windows.js'

/** One attempt to turn tokens into native coin. */
export interface SellFacts {
  success: boolean
  /** 10,000 when the sell failed; `undefined` where the pool kept no account. Basis points. */
  taxBps: number | undefined
  /**
   * The same with what the way from the purchase to the sale has cost besides, where the sale is of
   * just what a purchase brought.
   */
  tripTaxBps?: number | undefined
  /** Empty on success. */
  errorReason: string
  /**
   * Of what was held, how much could be sold in one transaction. Basis points; only looked for when
   * the whole could not.
   */
  largestSellableBps: number
  /** After some sells of that share no more went through. */
  restIsStuck: boolean
  /** The router could not sell, but who brings the tokens to the pool can. */
  worksDirectly: boolean
  /** It worked until no gas was left, which further tries would only repeat. */
  ranDry: boolean
  /** How long a cooldown kept the seller waiting; 0 without one. */
  waitedSeconds: number
}

export interface BuyFacts {
  success: boolean
  taxBps: number | undefined
  errorReason: string
}

/** What trading did at one instant. */
export interface WindowFacts {
  label: WindowLabel
  /** A buy at that instant. */
  bought: BuyFacts
  /**
   * The sell, a block later, of what was bought at that instant; absent when nothing was bought.
   */
  soldFresh: SellFacts | undefined
  /**
   * The sell of what had been bought in the first window and held since; absent in the first window
   * itself.
   */
  soldHeld: SellFacts | undefined
}

/** A sell in circumstances of its own, played because some traps open only there. */
export interface ProbeFacts {
  name:
    | 'gift'
    | 'after-own-call'
    | 'large-holding'
    | 'large-sell'
    | 'small-sell'
    | 'second-sell'
    | 'second-purchase'
    | 'unlimited-approval'
    | 'other-approval'
    | 'other-means'
    | 'other-route'
    | 'delegated-account'
    | 'contract-wallet'
    | 'hidden-command'
    | 'crowd'
    | 'other-sellers'
    | 'rally'
    | 'slump'
    | 'no-tip'
    | 'high-gas-price'
    | 'other-tip'
    | 'plentiful-gas'
    | 'estimated-gas'
    | 'everyday-sale'
    | 'block-values'
    | 'sent-coins'
    | 'sent-tokens'
    | 'open-call'
    | 'later-code'
    | 'added-liquidity'
    | 'later'
  sold: SellFacts
  /** What it means, where that can be said more exactly than for all probes of the name. */
  meaning?: string
}

/**
 * What trading did at a moment that the token's own code names, beyond the windows or between them.
 */
export interface InstantFacts extends Omit<WindowFacts, 'label'> {
  /** Seconds since 1970. */
  timestamp: bigint
  /** Given when the height decides. */
  number: bigint | undefined
}

/** A round trip in another pool than the one that is judged. */
export interface OtherMarketFacts {
  venue: string
  pool: Address
  bought: BuyFacts
  /** Absent when nothing was bought. */
  sold: SellFacts | undefined
}

/** Why a trade failed in a window. */
export interface FailedTrade extends Cause {
  window: WindowLabel
  /** `sell` is of what was bought now; `sell-fresh` of what was bought in that window. */
  trade: 'buy' | 'sell' | 'sell-fresh'
}

/** What trading told of one market. */
export interface TradedFacts {
  /** Wei of each purchase; `undefined` where none was made. */
  spent: bigint | undefined
  windows: readonly WindowFacts[]
  /**
   * Only the first window was played: nothing but the exchange asked for anything that another
   * block has other, so that the later ones are as that is.
   */
  isTimeless?: boolean
  /** Played only where the ordinary sell in the first window works. */
  probes: readonly ProbeFacts[]
  /** What decides the ordinary sale; absent where it was not looked at. */
  conditions: SaleConditions | undefined
  /** What the ordinary trade stands on; absent where it was not looked at. */
  dependencies: Dependencies | undefined
  /** The sell in the first window, in a world as careless simulators set it up. */
  naive: SellFacts | undefined
  /** Moments at which something in the token changes its answer, in order. */
  instants: readonly InstantFacts[]
  /**
   * Where the token's code went another way in that world than in the real one; absent when it made
   * no difference.
   */
  divergence: Cause | undefined
  /** Accounts that the token names, outside the exchange. */
  namedAccounts: readonly Address[]
  /** Why trades failed, by window. */
  causes: readonly FailedTrade[]
  transferTaxBps: number | undefined
  transferErrorReason: string
  /**
   * Largest buy (wei) and sell (base units) that works in one transaction; `undefined` where no
   * limit was met.
   */
  maxBuy: bigint | undefined
  maxSell: bigint | undefined
  /** What little and much of a large holding sells for; empty where that was not tried. */
  sizes: readonly SaleSize[]
}

/** Everything that trading told about a token. */
export interface HoneypotFacts extends TradedFacts {
  kind: 'account' | 'contract' | 'token'
  /** Who executed; absent for the interpreter here. */
  engine?: EngineName | undefined
  /** Where it was traded; `undefined` without liquidity. */
  market: { venue: string; pool: Address; id: Hex | undefined; quoteReserve: bigint } | undefined
  /**
   * Wei: the least that says something about the token, where the wanted amount says nothing;
   * nothing was traded then.
   */
  leastAmount: bigint | undefined
  /** A token, and nowhere to trade it. */
  isStranded: boolean
  /** Where it seems to trade, then. */
  unknownVenues: readonly UnknownVenue[]
  /** Exchanges that the chain should have and that are not there. */
  missingVenues: readonly MissingVenue[]
  /** The request names a pool that is none of the token's: it was traded in the deepest one. */
  isOtherPool: boolean
  /** The pool was made on the fork. */
  provided: ProvidedLiquidity | undefined
  /** Every place where it can be traded; absent where there is none but one of ours. */
  markets: MarketFacts | undefined
  /** What an account that the token names may take from the pool; read after the trade. */
  poolAllowance: PoolAllowance | undefined
  /** Where else it was traded. */
  otherMarkets: readonly OtherMarketFacts[]
  /**
   * The first part after the first window that a bound of ours ended; what came before it is here.
   */
  unfinished: Part | undefined
}

/** A market in which nothing was tried. */
export const NOTHING_FOUND: TradedFacts = {
  spent: undefined,
  windows: [],
  probes: [],
  conditions: undefined,
  dependencies: undefined,
  naive: undefined,
  divergence: undefined,
  namedAccounts: [],
  instants: [],
  causes: [],
  transferTaxBps: undefined,
  transferErrorReason: '',
  maxBuy: undefined,
  maxSell: undefined,
  sizes: [],
}

/** The facts of a target that could not be traded. */
export const NOTHING_TRADED: Omit<HoneypotFacts, 'kind'> = {
  ...NOTHING_FOUND,
  market: undefined,
  leastAmount: undefined,
  isStranded: false,
  unknownVenues: [],
  missingVenues: [],
  isOtherPool: false,
  provided: undefined,
  markets: undefined,
  poolAllowance: undefined,
  otherMarkets: [],
  unfinished: undefined,
}
