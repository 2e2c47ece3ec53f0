import type { TrustStatus } from '../checks/levels.js'
import type { Hex } from '../hex.js'
import type { TokenAddress } from '../solana/token-address.js'

/** A token that was judged, as its family remembers it. Times in milliseconds since 1970. */
export interface FamilyMember {
  chainId: number
  address: TokenAddress
  /** On Solana of the mint's rules. */
  code: Hex
  /** Hash of `traits`. */
  behaviour: string
  /** What it does: what decides a sale, what privileged roles can do, what trades cost. */
  traits: readonly string[]
  /** Who made it, where the node told. */
  creator: TokenAddress | undefined
  firstAt: number
  lastAt: number
  firstLevel: TrustStatus
  lastLevel: TrustStatus
  /** It was hostile when it was judged, this time or another. */
  isHostile: boolean
  /** It was hostile once, and not when it was judged first. */
  isTurned: boolean
}

/**
 * Of one code, hostile ones and others each: neither of them can push the other out, and the
 * figures of one report are counted in milliseconds.
 */
export const MAX_OF_CODE = 1_000
/** Some 500 bytes each. */
export const MAX_MEMBERS = 200_000
/** A token that was not judged for a year says little about today's copies. */
export const MEMBER_KEPT_MS = 365 * 24 * 3_600_000
/** Of one other installation: a file of some 20 MB. */
export const MAX_IMPORTED = 50_000
export const MAX_SOURCES = 16

/** Traits of one token; an ordinary one has three. */
export const MAX_TRAITS = 40
/** The longest name of one of ours is 30 characters. */
export const MAX_TRAIT_CHARS = 60

/** Memory of this very installation; others are named by their keys. */
export const OWN = ''
