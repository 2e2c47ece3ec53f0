import { type SolanaAccount, viewOf } from '../account.js'
import { ADDRESS_BYTES, address, addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { findProgramAddress } from '../pda.js'

/**
 * SPL governance: addresses that act when enough votes, which are tokens, were cast. Layouts:
 * solana-program-library `governance/program/src/state` (`governance.rs`, `realm.rs`,
 * `realm_config.rs`, `token_owner_record.rs`, `enums.rs`). The shared deployment alone is known;
 * a copy of it under another address is a program like any other.
 */
export const GOVERNANCE_PROGRAM = address('GovER5Lthms3bLBqWub97yVrMmEogzX7xNjdXpPPCVZw')

/** Share of all votes in percent that is enough; `undefined`: these voters are not asked. */
type Threshold = number | undefined

export interface Governance {
  realm: SolanaAddress
  /** Between the vote and the deed. */
  delaySeconds: number
  community: { threshold: Threshold; leastToPropose: bigint }
  council: { threshold: Threshold; leastToPropose: bigint }
}

export interface Realm {
  communityMint: SolanaAddress
  councilMint: SolanaAddress | undefined
  /** Of the community's votes: a part of the supply in 10^-10, or so many base units. */
  allVotes: { kind: 'fraction' | 'absolute'; value: bigint }
  /** May change which mints and programs decide. */
  authority: SolanaAddress | undefined
}

/** What stands between a mint and its votes. */
export interface VotersConfig {
  /** A program says what a vote weighs. */
  hasAddin: boolean
  /** The mint gives no votes. */
  isDormant: boolean
}

/** Places in the list of kinds of accounts. */
const GOVERNANCES: readonly number[] = [3, 4, 9, 10, 18, 19, 20, 21]
const REALMS: readonly number[] = [1, 16]
const REALM_CONFIG = 11
const RECORDS: readonly number[] = [2, 17]

/** Borsh: fields one behind the other, options with a byte before them. */
function createReader(data: Uint8Array, from: number) {
  const view = viewOf(data)
  let at = from
  const skip = (bytes: number) => {
    const before = at
    at += bytes
    return before
  }
  const u8 = () => view.getUint8(skip(1))
  const u32 = () => view.getUint32(skip(4), true)
  const u64 = () => view.getBigUint64(skip(8), true)
  const key = () => addressAt(data, skip(ADDRESS_BYTES))
  const option = () => (u8() === 1 ? key() : undefined)
  return { skip, u8, u32, u64, key, option }
}

/** `undefined` for an account of another kind or program, and for one that is cut. */
function read<T>(
  account: SolanaAccount | undefined,
  kinds: readonly number[],
  parse: (reader: ReturnType<typeof createReader>) => T,
): T | undefined {
  if (account?.owner !== GOVERNANCE_PROGRAM || !kinds.includes(account.data[0] ?? 0)) return undefined
  try {
    return parse(createReader(account.data, 1))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export const readGovernance = (account: SolanaAccount | undefined): Governance | undefined =>
  read(account, GOVERNANCES, ({ skip, u8, u32, u64, key }) => {
    const threshold = (): Threshold => (u8() < DISABLED ? u8() : undefined)
    const realm = key()
    skip(ADDRESS_BYTES + 4)
    const community = { threshold: threshold(), leastToPropose: u64() }
    const delaySeconds = u32()
    skip(4 + 1)
    const ofCouncil = threshold()
    threshold()
    // Accounts from before there was one for the council have a zero in its place.
    const council = { threshold: ofCouncil === 0 ? community.threshold : ofCouncil, leastToPropose: u64() }
    return { realm, delaySeconds, community, council }
  })

/** Of thresholds, after that of yes votes and that of votes at all. */
const DISABLED = 2

export const readRealm = (account: SolanaAccount | undefined): Realm | undefined =>
  read(account, REALMS, ({ skip, u8, u64, key, option }) => {
    const communityMint = key()
    skip(8 + 8)
    const kind = u8() === 0 ? 'fraction' : 'absolute'
    const value = u64()
    const councilMint = option()
    skip(6 + 2)
    return { communityMint, councilMint, allVotes: { kind, value }, authority: option() }
  })

/** Without an account of it, tokens themselves are votes. */
export const readVotersConfigs = (
  account: SolanaAccount | undefined,
): { community: VotersConfig; council: VotersConfig } =>
  read(account, [REALM_CONFIG], ({ skip, u8, option }) => {
    skip(ADDRESS_BYTES)
    const voters = (): VotersConfig => {
      const addins = [option(), option()]
      const isDormant = u8() === DORMANT
      skip(8)
      return { hasAddin: addins.some((addin) => addin !== undefined), isDormant }
    }
    return { community: voters(), council: voters() }
  }) ?? { community: PLAIN, council: PLAIN }

const PLAIN: VotersConfig = { hasAddin: false, isDormant: false }
const DORMANT = 2

/** Where the records of who put how many votes in are told apart by. */
export const RECORD = { realmAt: 1, mintAt: 33, bytes: 105 } as const

/** A voter of the realm and the tokens of that mint that were put in for voting. */
export const readRecord = (
  account: SolanaAccount | undefined,
  of: { realm: SolanaAddress; mint: SolanaAddress },
): { owner: SolanaAddress; votes: bigint } | undefined =>
  read(account, RECORDS, ({ u64, key }) => {
    const isOf = [of.realm, of.mint].map((each) => key() === each)
    const record = { owner: key(), votes: u64() }
    return isOf.includes(false) ? undefined : record
  })

const words = (text: string) => new TextEncoder().encode(text)

export const realmConfigAddress = (realm: SolanaAddress) =>
  findProgramAddress(GOVERNANCE_PROGRAM, [words('realm-config'), addressBytes(realm)])

/** The account that tokens lie in while they are votes. */
export const votesAddress = (realm: SolanaAddress, mint: SolanaAddress) =>
  findProgramAddress(GOVERNANCE_PROGRAM, [words('governance'), addressBytes(realm), addressBytes(mint)])

/** A second address of a governance, which holds coins and may hold powers. */
export const treasuryAddress = (governance: SolanaAddress) =>
  findProgramAddress(GOVERNANCE_PROGRAM, [words('native-treasury'), addressBytes(governance)])
