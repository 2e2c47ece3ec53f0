import type { Chain } from '../../chains/chain.js'
import type { MissingVenue } from '../../dex/venues.js'
import type { CallFrame, Log } from '../../evm/inspector.js'
import type { ProvidedLiquidity } from './provide-liquidity.js'
import type { TradeReport } from './trade-report.js'
import type { UnknownVenue } from './unknown-venues.js'

/** Piece by piece until nothing is left, or through another router. */
export type WayOut = 'in-parts' | 'other-router'

/**
 * What happened in the round trip, before it is judged. The fields mean what they mean in {@link
 * TradeReport}.
 */
export interface RoundTripFacts
  extends Pick<
    TradeReport,
    | 'kind'
    | 'nativeDelta'
    | 'tokenDelta'
    | 'allowanceChanges'
    | 'returnData'
    | 'returnDataBytes'
    | 'buyTaxBps'
    | 'sellTaxBps'
    | 'transferTaxBps'
    | 'gasUsed'
    | 'l1Fee'
    | 'watchedDeltas'
    | 'isReentrancy'
    | 'venue'
    | 'steps'
    | 'engine'
    | 'isTruncated'
  > {
  /**
   * How a sell that failed could be made all the same; absent when nothing worked, or nothing
   * failed.
   */
  wayOut: WayOut | undefined
  /** Wei of the purchase; `undefined` where none was made. */
  spent: bigint | undefined
  /** Wei: the most that one purchase takes, where more was wanted. */
  maxBuy: bigint | undefined
  /**
   * Wei: the least that says something about the token, where the wanted amount says nothing;
   * nothing was traded then.
   */
  leastAmount: bigint | undefined
  /** A token, and nowhere to trade it. */
  isStranded: boolean
  unknownVenues: readonly UnknownVenue[]
  /** Exchanges that the chain should have and that are not there. */
  missingVenues: readonly MissingVenue[]
  /** The pool was made on the fork. */
  provided: ProvidedLiquidity | undefined
  calls: readonly CallFrame[]
  logs: readonly Log[]
}

/** The facts of a target with which nothing could be done. */
export function nothingHappened(kind: RoundTripFacts['kind'], chain: Chain): RoundTripFacts {
  return {
    kind,
    nativeDelta: 0n,
    tokenDelta: 0n,
    allowanceChanges: [],
    returnData: '0x',
    buyTaxBps: undefined,
    sellTaxBps: undefined,
    transferTaxBps: undefined,
    gasUsed: 0n,
    watchedDeltas: chain.watchedTokens.map(({ address }) => ({ token: address, delta: 0n })),
    isReentrancy: false,
    venue: undefined,
    wayOut: undefined,
    spent: undefined,
    maxBuy: undefined,
    leastAmount: undefined,
    isStranded: false,
    unknownVenues: [],
    missingVenues: [],
    provided: undefined,
    steps: [],
    calls: [],
    logs: [],
    isTruncated: false,
  }
}
