import type { SolanaAddress } from '../../solana/address.js'
import type { Authority } from '../../solana/authority.js'
import type { Pool, PoolLiquidity } from '../../solana/pools/pool.js'
import type { PoolPrice } from '../../solana/pools/pool-price.js'
import type { Mint } from '../../solana/token/mint.js'
import type { ThreatLevel } from '../bytecode/bytecode-report.js'
import type { Dependencies } from '../dependencies/trade-dependencies.js'
import type { FindingBasis } from '../finding.js'
import type { ActivityPulse } from '../history/history-report.js'
import type { GroupStanding } from './group-standing.js'
import type { LegFacts, PlayFacts, PowerId } from './play/play-facts.js'
import type { SolanaOrigin } from './read-solana-origin.js'
import type { FindingId } from './solana-findings.js'
import type { WindowLabel } from './solana-windows.js'

/** One thing that was found, with what it is worth. */
export interface SolanaFinding {
  id: FindingId
  title: string
  description: string
  /** What was seen: addresses, numbers, what an act on the fork did. */
  detail: string
  basis: FindingBasis
  threatLevel: ThreatLevel
  /** 0 to 100, on the scale of `levels.ts`. */
  weight: number
  /** Who holds the power, where it is one. */
  holder?: SolanaAddress
  /** The effect was brought about on the fork. */
  proven?: boolean
}

export interface SolanaWindow {
  label: WindowLabel
  buyTaxBps: number
  sellTaxBps: number
  buy: LegFacts
  /** The worst of the sales that were tried. */
  sell: LegFacts
  riskScore: number
  errorReason: string
}

/** Who holds much of the supply. */
export interface Holder {
  /** The token account. */
  account: SolanaAddress
  owner: SolanaAddress
  amount: bigint
  frozen: boolean
  kind: 'pool' | 'burnt' | 'program' | 'wallet'
}

export interface PoolReport {
  pool: Pool
  name: string
  /**
   * Base units of the token, and of what it is priced in; `undefined` when a vault could not be
   * read.
   */
  reserves: { token: bigint | undefined; quote: bigint | undefined }
  /** The account that sellers are paid from is frozen. */
  isQuoteFrozen: boolean
  quoteMint: SolanaAddress
  /** `undefined` where what it is priced in is no token. */
  quoteDecimals: number | undefined
  /** What it charges, fees not counted. */
  price: PoolPrice | undefined
  liquidity: PoolLiquidity
  /**
   * Share of the liquidity that cannot be taken out, in basis points; `undefined` when it is not
   * known.
   */
  lockedBps: number | undefined
  /** Of a concentrated pool, those that hold most of what sellers are paid from. */
  positions: PositionReport[]
}

/** A part of a concentrated pool's liquidity. */
export interface PositionReport {
  address: SolanaAddress
  /** Who holds the token that stands for it; `undefined` when there is none, or no node said. */
  owner: SolanaAddress | undefined
  /** Of what sellers are paid from, in basis points. */
  shareBps: number
  /** Whether the owner can take it out. */
  hold: 'free' | 'locked' | 'unknown'
}

/** What a token calls itself, and who may change that. */
export interface TokenNames {
  name: string
  symbol: string
  uri: string
  /** Where that was read: where the mint points to, the mint, or the metadata program's account. */
  source: 'pointer' | 'mint' | 'metaplex' | 'none'
  updateAuthority: SolanaAddress | undefined
  mutable: boolean
}

export interface HookReport {
  program: SolanaAddress
  /** False: there is no such program, so that nothing can be transferred. */
  exists: boolean
  upgradeability: 'immutable' | 'upgradeable' | 'unknown'
  upgradeAuthority: SolanaAddress | undefined
  /** SHA-256 of its code, in hex; `undefined` where it is not known. */
  codeHash: string | undefined
}

export interface SolanaHistory {
  success: boolean
  activityPulse: ActivityPulse | undefined
  message: string
  recent: { signature: string; slot: bigint; time: bigint | undefined; failed: boolean }[]
}

/** One purchase and sale as a node simulated them. */
export interface NodeTrial {
  buy: LegFacts
  sell: LegFacts
}

export interface SolanaTokenReport {
  kind: 'token'
  /** First and last slot that anything was read at, and the cluster's time. */
  slots: { first: bigint; last: bigint }
  time: bigint
  epoch: bigint
  mint: Mint
  names: TokenNames
  trusted: string | undefined
  windows: SolanaWindow[]
  transfer: LegFacts
  reviewed: boolean
  isHoneypot: boolean
  isTimeHoneypot: boolean
  /**
   * Why not all was seen or tried; empty when it was. The verdict is then at least `Medium Risk`.
   */
  gaps: string[]
  findings: SolanaFinding[]
  /** `undefined` when nothing could be executed. */
  play: PlayFacts | undefined
  /** What a node simulated instead, where nothing could be executed here and it would. */
  trial: NodeTrial | undefined
  authorities: {
    power: PowerId
    authority: Authority
    /** Those behind the address, where a known program counts them. */
    group: GroupStanding | undefined
    proven: boolean | undefined
    detail: string
  }[]
  hook: HookReport | undefined
  /** `undefined`: the node would not tell. */
  holders: Holder[] | undefined
  pools: PoolReport[]
  history: SolanaHistory
  /** What would have to change for the verdict to change. */
  dependencies: Dependencies
  origin: SolanaOrigin
}

/** The address is no mint: a wallet, a program, some other account, or nothing. */
export interface NotAMintReport {
  kind: 'not-a-mint'
  slots: { first: bigint; last: bigint }
  time: bigint
  isProgram: boolean
  history: SolanaHistory
}

export type SolanaReport = SolanaTokenReport | NotAMintReport
