import type { Chain } from '../../chains/chain.js'
import type { CallFrame, Log } from '../../evm/inspector.js'
import type { ProvidedLiquidity } from '../provide-liquidity.js'
import type { UnknownVenue } from '../unknown-venues.js'
import type { SimulateReport } from './report.js'

/** Piece by piece until nothing is left, or through another router. */
export type WayOut = 'in-parts' | 'other-router'

/** What happened in the round trip, before anybody judged it. The fields mean what they mean in {@link SimulateReport}. */
export interface RoundTripFacts
  extends Pick<
    SimulateReport,
    | 'kind'
    | 'nativeDelta'
    | 'tokenDelta'
    | 'allowanceChanges'
    | 'returnData'
    | 'buyTaxBps'
    | 'sellTaxBps'
    | 'transferTaxBps'
    | 'gasUsed'
    | 'watchedDeltas'
    | 'isReentrancy'
    | 'venue'
    | 'steps'
    | 'engine'
  > {
  /** How a sell that failed could be made all the same; absent when nothing worked, or nothing failed. */
  wayOut: WayOut | undefined
  /** A token, and nowhere to trade it. */
  isStranded: boolean
  unknownVenues: readonly UnknownVenue[]
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
    isStranded: false,
    unknownVenues: [],
    provided: undefined,
    steps: [],
    calls: [],
    logs: [],
  }
}
