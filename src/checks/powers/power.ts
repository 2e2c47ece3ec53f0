import type { Address, Hex } from '../../hex.js'
import type { Word } from '../dependencies/trade-dependencies.js'

/**
 * Who holds a power. `account`: an ordinary one. `delegated`: one that runs foreign code by
 * EIP-7702. `multisig`: a Safe. `timelock`: one whose delay was tried. `contract`: any other.
 * `unknown`: a check of the caller whose members could not be found. `renounced`: the owner is no
 * address. `unset`: no address was ever named. `anyone`: there is no check.
 */
export const HOLDER_KINDS = [
  'account',
  'delegated',
  'multisig',
  'timelock',
  'contract',
  'unknown',
  'renounced',
  'unset',
  'anyone',
] as const
export type HolderKind = (typeof HOLDER_KINDS)[number]

export interface Holder {
  kind: HolderKind
  /** Who must send the call; absent where no address could be named. */
  address?: Address
  /** The contract through which the holder acts, where it is not the sender: a proxy's admin. */
  through?: Address
  /** Of a multisig: signatures needed, and owners. */
  threshold?: number
  owners?: number
  /** What a timelock makes its holder wait. Seconds. */
  delaySeconds: number
  /**
   * Kept from sight: an obfuscated check, or an active holder beside an `owner()` that names no
   * address.
   */
  isHidden: boolean
}

/** What a power does to buyers. */
export type EffectKind =
  | 'blocks-account'
  | 'blocks-sells'
  | 'stops-trading'
  | 'raises-tax'
  | 'lowers-limit'
  | 'burns-balance'
  | 'moves-balance'
  | 'mints'
  | 'mints-unseen'
  | 'takes-allowance'
  | 'replaces-code'
  | 'blocks-transfers'
  | 'raises-transfer-tax'
  | 'pulls-liquidity'
  | 'destroys'
  /** Nothing that could be tried did any harm. */
  | 'none'
  /** Who may call it was not found, so that nothing could be tried. */
  | 'untried'

/** One call of a proof. */
export interface ProofStep {
  from: Address
  to: Address
  input: Hex
  /** Wei that are sent along; none where absent. */
  value?: bigint
  /** What has to pass between the step before and this one. */
  waitSeconds?: number
}

/** A word that is set before the calls of a proof: what no call that could be made writes. */
export interface Setting {
  address: Address
  slot: bigint
  value: bigint
}

/** The calls of the worst case, in order, after what is set; and what came of it. */
export interface Proof {
  settings?: readonly Setting[]
  steps: ProofStep[]
  outcome: string
}

/**
 * What comes before every proof: code of ours, and two people who buy and let the exchange take it.
 */
export interface Scene {
  code: readonly { address: Address; code: Hex }[]
  steps: readonly ProofStep[]
  /** The sale of the first of them, which goes through where no power was used. */
  sale: ProofStep
}

/** A power over the token, with the worst that it was seen to do. */
export interface Power {
  /** Whose function it is: the token, or the contract that decides about its code. */
  contract: Address
  selector: Hex
  /** Types of the arguments as the code tells them: `address,uint256`. */
  argumentTypes: string
  holder: Holder
  effect: EffectKind
  /**
   * The share of what a buyer has that the worst case takes or locks, in basis points. Of `mints`,
   * the share of the pool that can be drained.
   */
  lossBps: number
  /** Of refused sells: whether a purchase was seen to work after the call. */
  purchasesGoOn?: boolean
  /** What the worst case is, in words. */
  worstCase: string
  /** The code keeps the effect below what would take nearly all. */
  isBounded: boolean
  /** Whether another call of the same holder undid it; `undefined` where that was not tried. */
  isReversible: boolean | undefined
  /** No call went through; what it may write was set on the fork instead, and did this. */
  isShownBySetting?: boolean
  /** Calls that were tried. */
  tried: number
  proof: Proof | undefined
}

/** How much a sweep did. */
export interface Effort {
  calls: number
  trades: number
}

/**
 * What is remembered of a code: the call that was worst for each function. Arguments by the part
 * they play, so that they fit a clone.
 */
export interface Recipe {
  contractHash: Hex
  selector: Hex
  effect: EffectKind
  /** What the present state decided about the function then. */
  fingerprint: string
  steps: readonly RecipeStep[]
}

export interface RecipeStep {
  selector: Hex
  choice: Choice
  waitSeconds?: number
  isUnannounced?: boolean
}

/** Parts that addresses and amounts play in a call. */
export type AddressRole = 'buyer' | 'pool' | 'router' | 'holder' | 'hostile' | 'fresh' | 'token'
export type AmountRole = 'held' | 'reserve' | 'inflation' | 'max'

/** The arguments of a call, before its sender is known. */
export interface Choice {
  /** The first address, and all others. */
  address: AddressRole
  others: AddressRole
  number: bigint | AmountRole
  /** The only numeric argument that gets `number`, while others get zero; `undefined`: all do. */
  focus?: number
  flag: boolean
  /** Elements of lists of any length; one where absent. */
  count?: number
  /**
   * Words of arguments that are to be these: names of entries, and what a refusal asked for. Lists
   * get it as their only element, bytes as their first word, before one of nothing.
   */
  fixed?: readonly (readonly [index: number, word: bigint])[]
  /** For arguments of bytes: a call that the contract makes of itself. */
  call?: { selector: Hex; types: string; choice: Choice }
}

export interface PowersFacts {
  powers: Power[]
  /** What says who may call a privileged function. */
  guards: readonly Word[]
  effort: Effort
  /** Absent where nothing could be tried. */
  scene?: Scene
  recipes: Recipe[]
  /** Why the sweep may lack something; empty when it is complete. */
  unfinished: string
}
