import type { SolanaAddress } from './address.js'
import { addressAt } from './address.js'
import { LOADER_V1, LOADER_V2, LOADER_V4, UPGRADEABLE_LOADER } from './programs.js'

/** What a Solana account holds. */
export interface SolanaAccount {
  lamports: bigint
  /** The program that alone may change `data`. */
  owner: SolanaAddress
  executable: boolean
  data: Uint8Array
  /** SHA-256 of `data`, in base64, where it was worked out before: of code that is remembered. */
  digest?: string
}

/** Little-endian views over `data`, without copying. */
export const viewOf = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength)

/**
 * The account that holds the code of an upgradeable program; `undefined` for programs that hold
 * theirs themselves.
 */
export function programDataAddress({ owner, executable, data }: SolanaAccount): SolanaAddress | undefined {
  if (owner !== UPGRADEABLE_LOADER || !executable || data.length < PROGRAM_BYTES) return undefined
  return viewOf(data).getUint32(0, true) === PROGRAM_STATE ? addressAt(data, 4) : undefined
}

/** Who may replace the code of a program. */
export type Upgradeability =
  | { kind: 'immutable' }
  | { kind: 'upgradeable'; authority: SolanaAddress; deployedSlot: bigint }
  /** The code's account is missing or is none. */
  | { kind: 'unknown' }

/**
 * Reads the header of a program data account (loader v3: state u32, slot u64, option byte 12,
 * authority 13..45).
 */
export function readUpgradeability(program: SolanaAccount, programData: SolanaAccount | undefined): Upgradeability {
  if (program.owner === LOADER_V1 || program.owner === LOADER_V2) return { kind: 'immutable' }
  if (program.owner === LOADER_V4) return { kind: 'unknown' }
  const data = programData?.data
  if (data === undefined || data.length < PROGRAM_DATA_HEADER_BYTES) return { kind: 'unknown' }
  const view = viewOf(data)
  if (view.getUint32(0, true) !== PROGRAM_DATA_STATE) return { kind: 'unknown' }
  if (view.getUint8(12) === 0) return { kind: 'immutable' }
  return { kind: 'upgradeable', authority: addressAt(data, 13), deployedSlot: view.getBigUint64(4, true) }
}

/** Before the code in a program data account. */
export const PROGRAM_DATA_HEADER_BYTES = 45
const PROGRAM_BYTES = 36
const PROGRAM_STATE = 2
const PROGRAM_DATA_STATE = 3
