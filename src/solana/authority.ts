import type { SolanaAccount } from './account.js'
import { addressAt, type SolanaAddress } from './address.js'
import { isOnCurve } from './pda.js'
import { SYSTEM_PROGRAM, TOKEN_PROGRAMS } from './programs.js'

/**
 * What kind of holder a power has. A program or a multisig needs more than one person to abuse it,
 * or says in code when it may be.
 */
export type AuthorityKind = 'revoked' | 'wallet' | 'multisig' | 'program'

export interface Authority {
  address: SolanaAddress | undefined
  kind: AuthorityKind
  /** Members whose signatures are enough, of a multisig of the token program. */
  signers: SolanaAddress[]
  /** Of a multisig: how many of how many must sign. */
  threshold: { required: number; of: number } | undefined
}

/** A multisig of the token programs: m u8, n u8, initialised u8, then eleven keys. */
const MULTISIG_BYTES = 355
const MULTISIG_KEYS_AT = 3
const MAX_SIGNERS = 11

/**
 * Tells what kind of account holds a power. `account` is the authority's own; most wallets have
 * one, some programs' addresses none.
 */
export function classifyAuthority(address: SolanaAddress | undefined, account: SolanaAccount | undefined): Authority {
  if (address === undefined || address === SYSTEM_PROGRAM) {
    return { address: undefined, kind: 'revoked', signers: [], threshold: undefined }
  }
  const multisig = account && readMultisig(account)
  if (multisig) return { address, kind: 'multisig', ...multisig }
  const isProgram = (account !== undefined && account.owner !== SYSTEM_PROGRAM) || !isOnCurve(address)
  return { address, kind: isProgram ? 'program' : 'wallet', signers: [], threshold: undefined }
}

function readMultisig({ owner, data }: SolanaAccount): Pick<Authority, 'signers' | 'threshold'> | undefined {
  if (!TOKEN_PROGRAMS.includes(owner) || data.length !== MULTISIG_BYTES) return undefined
  const [required = 0, of = 0, initialised] = data
  if (initialised !== 1 || required === 0 || required > of || of > MAX_SIGNERS) return undefined
  const signers = Array.from({ length: required }, (_, i) => addressAt(data, MULTISIG_KEYS_AT + 32 * i))
  return { signers, threshold: { required, of } }
}
