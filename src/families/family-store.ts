import type { Hex } from '../hex.js'
import type { Family, FamilyCounts } from '../reports/family.js'
import type { TokenAddress } from '../solana/token-address.js'
import { StoreError } from '../stores/store-error.js'
import type { FamilyMember } from './family-member.js'

/** Whose family is asked for. */
export interface FamilyQuestion {
  chainId: number
  address: TokenAddress
  code: Hex
  /** Absent where it is not known how the token behaves. */
  behaviour: string | undefined
}

/** Another installation, whose memory was imported. */
export interface FamilySource {
  keyId: string
  /** When its file was made, in milliseconds since 1970. */
  madeAt: number
  members: number
}

export type ImportRefusal = 'older' | 'sources'

/**
 * Remembers every token that was judged, by its code. Each method rejects with
 * {@link FamilyStoreError} when the database fails.
 */
export interface FamilyStore {
  /** Remembers a token, or what is new of it. Lets go of what it takes the place of. */
  record(member: FamilyMember): Promise<void>
  /** Other tokens of the same code. */
  read(question: FamilyQuestion): Promise<Family>
  /** Which of these codes tokens were judged of, here. */
  findKnown(codes: readonly Hex[]): Promise<Set<Hex>>
  /** The installation's own memory, the newest first, at most so many. */
  list(limit: number): Promise<FamilyMember[]>
  count(): Promise<FamilyCounts & { codes: number }>
  /**
   * Takes the place of what was imported from the same installation before. Refused where that was
   * newer, or too many others are known.
   */
  replaceSource(
    keyId: string,
    file: { madeAt: number; members: readonly FamilyMember[] },
  ): Promise<ImportRefusal | undefined>
  listSources(): Promise<FamilySource[]>
  removeSource(keyId: string): Promise<boolean>
  /** Forgets what is old, and what is more than there is room for. */
  forgetOld(now: number): Promise<void>
}

/** The database did not answer, or answered nonsense. */
export class FamilyStoreError extends StoreError {
  override readonly name = 'FamilyStoreError'

  constructor(operation: string, cause: unknown) {
    super('store of families', operation, cause)
  }
}
