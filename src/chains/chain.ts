import type { Address } from '../hex.js'
import type { Deployments, Exchange, Family } from './exchanges.js'

/**
 * Rule sets the engine knows, oldest first. An L2's own names are mapped to the Ethereum rules they
 * adopted. No analysis runs under those before Shanghai: old blocks and conformance suites do. The
 * last is prepared for, in part (docs/chains.md), and in the table of no chain.
 */
export const hardforks = [
  'frontier',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
  'amsterdam',
] as const
export type Hardfork = (typeof hardforks)[number]

/** Whether `rules` are those of `fork` or later ones. */
export const isSince = (rules: Hardfork, fork: Hardfork): boolean => hardforks.indexOf(rules) >= hardforks.indexOf(fork)

export interface WatchedToken {
  symbol: string
  address: Address
  decimals: number
}

export interface ChainFacts {
  id: number
  name: string
  /** Lower-case word that the phishing answer uses for `chain`. */
  slug: string
  nativeSymbol: string
  /** Milliseconds from block to block: the pace at which time travel moves the height. */
  blockTimeMs: number
  /** Whose height NUMBER answers. On Arbitrum it is an estimate of L1's, which moves every 12 s. */
  numberSource: 'block' | 'l1'
  numberTimeMs: number
  /** Public endpoints, used when the operator names none. */
  defaultRpcUrls: readonly string[]
  wrappedNative: Address
  /** Major tokens whose balance changes are reported, in the order of the answer. */
  watchedTokens: readonly WatchedToken[]
  /** In the order of their use, within a family. */
  exchanges: readonly Exchange[]
  /** Oldest first; `since` in seconds. The last one that has begun rules. */
  hardforks: readonly { name: Hardfork; since: number }[]
  /** Oldest first; `since` in seconds. Absent where the blob fee never moves from its least. */
  blobSchedule?: readonly { since: number; updateFraction: bigint }[]
  /**
   * What its blocks hold besides transactions: Ethereum's withdrawals and requests, the OP Stack's
   * deposits and vaults, or things that only the chain's own nodes execute.
   */
  stack: 'ethereum' | 'op' | 'own'
  /** Where its EVM differs from Ethereum's under the same rules; nowhere without. */
  engine?: EngineFacts
  /** Tokens that others like to be taken for. */
  wellKnownTokens?: readonly WellKnownToken[]
  /** Services that lock liquidity, by the addresses that they publish: they only give a name. */
  lockers?: Readonly<Record<Address, string>>
  /** Absent: there is no devnet of the chain. */
  devnet?: DevnetTraits
}

/** Exchanges by their family, each in the order of {@link ChainFacts.exchanges}. */
type ByFamily = { readonly [F in Family]: readonly Deployments[F][] }

/** Everything that this service knows of a chain. Plain data, which is posted to worker threads. */
export interface Chain extends Omit<ChainFacts, 'exchanges'>, ByFamily {}

/** Plain data, since worker threads are sent it. */
export interface EngineFacts {
  /** P256VERIFY before Osaka brought it to Ethereum (RIP-7212), and its gas. */
  p256?: { since: Hardfork; gas: number }
  /** Whose system contracts answer without EVM code; see `src/evm/chain-extras.ts`. */
  system?: 'bsc' | 'base' | 'arbitrum'
  /** In place of EIP-7825's. */
  maxTransactionGas?: number
}

/** Whatever tip is offered (Nitro's `DropTip` and `GasPriceOp`, `arbos/tx_processor.go`). */
export const takesNoTips = (engine: EngineFacts | undefined): boolean => engine?.system === 'arbitrum'

export interface WellKnownToken {
  symbol: string
  name: string
  address: Address
}

/**
 * What blocks of the chain look like on the devnet, for contracts that look at them. Typical values
 * of late 2025, not exact ones.
 */
export interface DevnetTraits {
  gasLimit: bigint
  baseFeePerGas: bigint
  coinbase: Address
}

/** A chain as its file says it, with exchanges sorted by family. */
export function defineChain({ exchanges, ...facts }: ChainFacts): Chain {
  const of = <F extends Family>(family: F) =>
    exchanges.flatMap((each) => (each.family === family ? [withoutFamily(each)] : [])) as unknown as Deployments[F][]
  return {
    ...facts,
    v2: of('v2'),
    v3: of('v3'),
    v4: of('v4'),
    solidly: of('solidly'),
    slipstream: of('slipstream'),
    algebra: of('algebra'),
  }
}

const withoutFamily = ({ family: _, ...deployment }: Exchange) => deployment

/** The rule set of `chain` at a block's timestamp (seconds). */
export function hardforkAt(chain: Chain, timestamp: bigint): Hardfork {
  const begun = chain.hardforks.filter(({ since }) => BigInt(since) <= timestamp)
  return (begun.at(-1) ?? chain.hardforks[0])?.name ?? 'osaka'
}
