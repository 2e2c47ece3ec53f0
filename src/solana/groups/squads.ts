import { createHash } from 'node:crypto'
import { type SolanaAccount, viewOf } from '../account.js'
import { ADDRESS_BYTES, address, addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { findProgramAddress } from '../pda.js'
import { SYSTEM_PROGRAM } from '../programs.js'

/**
 * Squads: multisigs whose vaults hold powers. Sources: Squads-Protocol/v4
 * `state/multisig.rs` and `state/seeds.rs`, Squads-Protocol/squads-mpl `state/ms.rs` (version 3),
 * and the program addresses in their README files. The same layout under another program proves
 * nothing: its code may do anything.
 */
export const SQUADS_V4 = address('SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf')
export const SQUADS_V3 = address('SMPLecH534NA9acpos4G6x7uf3LWbCAwZQE9e8ZekMu')

/** A multisig as its account says. */
export interface Squad {
  address: SolanaAddress
  program: SolanaAddress
  name: 'Squads v3' | 'Squads v4'
  /** Votes that are enough. */
  threshold: number
  /** Who can vote: each key once, whatever the account says. */
  voters: SolanaAddress[]
  /** Between the last vote and the deed; the members can change it. */
  delaySeconds: number
  /** May change members and threshold without a vote. */
  manager: SolanaAddress | undefined
}

/** Reads a multisig; `undefined` when the account is none of Squads' own programs. */
export function readSquad(at: SolanaAddress, account: SolanaAccount | undefined): Squad | undefined {
  const read = account && READERS.get(account.owner)
  if (account === undefined || read === undefined || account.executable) return undefined
  try {
    return read(at, account.data)
  } catch (error) {
    // Shorter than it says of itself.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Whether `holder` is one of the first vaults of the multisig: an address that it acts as. */
export function isVaultOf({ address: squad, program }: Squad, holder: SolanaAddress): boolean {
  for (let index = 0; index < MAX_VAULTS; index += 1) {
    const seeds =
      program === SQUADS_V4
        ? [MULTISIG, addressBytes(squad), VAULT, Uint8Array.of(index)]
        : [SQUAD, addressBytes(squad), Uint8Array.of(index, 0, 0, 0), AUTHORITY]
    if (findProgramAddress(program, seeds) === holder) return true
  }
  return false
}

/** Few use more than the first; each costs two hashes. */
const MAX_VAULTS = 8
/** More voters than any that is in use; the account says how many there are. */
const MAX_MEMBERS = 1_024

const words = (text: string) => new TextEncoder().encode(text)
const [MULTISIG, VAULT, SQUAD, AUTHORITY] = ['multisig', 'vault', 'squad', 'authority'].map(words) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

/** The first eight bytes of an account's data in programs made with Anchor. */
const anchorAccount = (name: string) => createHash('sha256').update(`account:${name}`).digest().subarray(0, 8)
const V4_HEAD = anchorAccount('Multisig')
const V3_HEAD = anchorAccount('Ms')
const startsWith = (data: Uint8Array, head: Uint8Array) => Buffer.compare(data.subarray(0, head.length), head) === 0

const V4 = { configAuthority: 40, threshold: 72, timeLock: 74, rentCollector: 94 } as const
const V4_MEMBER_BYTES = ADDRESS_BYTES + 1
/** Of a member's permissions: 1 to propose, 2 to vote, 4 to execute. */
const VOTES = 2
const V3 = { threshold: 8, count: 54 } as const

type Reader = (at: SolanaAddress, data: Uint8Array) => Squad | undefined

const readV4: Reader = (at, data) => {
  if (!startsWith(data, V4_HEAD)) return undefined
  const view = viewOf(data)
  const manager = addressAt(data, V4.configAuthority)
  // An option: its key is there only where it is set. One byte of the address' bump follows.
  const countAt = V4.rentCollector + 1 + (view.getUint8(V4.rentCollector) === 1 ? ADDRESS_BYTES : 0) + 1
  const count = view.getUint32(countAt, true)
  if (count > MAX_MEMBERS) return undefined
  const voters = Array.from({ length: count }, (_, i) => countAt + 4 + i * V4_MEMBER_BYTES)
    .filter((member) => (view.getUint8(member + ADDRESS_BYTES) & VOTES) !== 0)
    .map((member) => addressAt(data, member))
  return {
    ...{ address: at, program: SQUADS_V4, name: 'Squads v4', voters: [...new Set(voters)] },
    threshold: view.getUint16(V4.threshold, true),
    delaySeconds: view.getUint32(V4.timeLock, true),
    manager: manager === SYSTEM_PROGRAM ? undefined : manager,
  }
}

const readV3: Reader = (at, data) => {
  if (!startsWith(data, V3_HEAD)) return undefined
  const view = viewOf(data)
  const count = view.getUint32(V3.count, true)
  if (count > MAX_MEMBERS) return undefined
  const voters = Array.from({ length: count }, (_, i) => addressAt(data, V3.count + 4 + i * ADDRESS_BYTES))
  return {
    ...{ address: at, program: SQUADS_V3, name: 'Squads v3', voters: [...new Set(voters)] },
    threshold: view.getUint16(V3.threshold, true),
    delaySeconds: 0,
    manager: undefined,
  }
}

const READERS: ReadonlyMap<SolanaAddress, Reader> = new Map([
  [SQUADS_V4, readV4],
  [SQUADS_V3, readV3],
])
