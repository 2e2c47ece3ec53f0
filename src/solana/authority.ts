import { programDataAddress, readUpgradeability, type SolanaAccount, type Upgradeability } from './account.js'
import { addressAt, type SolanaAddress } from './address.js'
import { isOnCurve } from './pda.js'
import { SYSTEM_PROGRAM, TOKEN_PROGRAMS } from './programs.js'

/**
 * What kind of holder a power has. A program or a multisig needs more than one person to abuse it,
 * or says in code when it may be. A group is one that a program counts (`groups/`), and is made out
 * by more than the holder's own account.
 */
export type AuthorityKind = 'revoked' | 'wallet' | 'multisig' | 'group' | 'program'

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
 * one, some programs' addresses none. `isOwnerReplaceable`: one wallet can replace the code of the
 * program that it belongs to (see {@link isReplaceableByWallet}).
 */
export function classifyAuthority(
  address: SolanaAddress | undefined,
  account: SolanaAccount | undefined,
  isOwnerReplaceable = false,
): Authority {
  if (address === undefined || address === SYSTEM_PROGRAM) {
    return { address: undefined, kind: 'revoked', signers: [], threshold: undefined }
  }
  const multisig = account && readMultisig(account)
  if (multisig) {
    const { members, threshold } = multisig
    const signers = members.slice(0, threshold.required)
    return { address, kind: isOnePerson(multisig) ? 'wallet' : 'multisig', signers, threshold }
  }
  // The key signs, whatever program the account was given to.
  const kind = isOnCurve(address) || isOwnerReplaceable ? 'wallet' : 'program'
  return { address, kind, signers: [], threshold: undefined }
}

/**
 * Whether one key is enough: the token programs count a key once for each place that it has among
 * the members.
 */
function isOnePerson({ members, threshold }: Multisig): boolean {
  const places = new Map<SolanaAddress, number>()
  for (const key of members) places.set(key, (places.get(key) ?? 0) + 1)
  return Math.max(...places.values()) >= threshold.required
}

/**
 * Whether the program that owns an account is one that a single wallet may put other code into, and
 * so sign as the account. `read` gives accounts; built-in programs are no one's.
 */
export function isReplaceableByWallet(
  read: (address: SolanaAddress) => SolanaAccount | undefined,
  account: SolanaAccount | undefined,
): boolean {
  const upgrade = upgradeOfOwner(read, account)
  if (upgrade?.kind !== 'upgradeable') return false
  return classifyAuthority(upgrade.authority, read(upgrade.authority)).kind === 'wallet'
}

/** Whether no key can put other code into the program that owns an account. */
export const isOfFinalProgram: typeof isReplaceableByWallet = (read, account) =>
  upgradeOfOwner(read, account)?.kind === 'immutable'

function upgradeOfOwner(
  read: (address: SolanaAddress) => SolanaAccount | undefined,
  account: SolanaAccount | undefined,
): Upgradeability | undefined {
  if (account === undefined || account.owner === SYSTEM_PROGRAM || TOKEN_PROGRAMS.includes(account.owner)) {
    return undefined
  }
  const program = read(account.owner)
  const code = program && programDataAddress(program)
  return program && readUpgradeability(program, code && read(code))
}

/** A multisig of the token programs. */
export interface Multisig {
  /** In the order of their places: a key may have several. */
  members: SolanaAddress[]
  threshold: { required: number; of: number }
}

/** Reads a multisig of the token programs; `undefined` where the account is none. */
export function readMultisig({ owner, data }: SolanaAccount): Multisig | undefined {
  if (!TOKEN_PROGRAMS.includes(owner) || data.length !== MULTISIG_BYTES) return undefined
  const [required = 0, of = 0, initialised] = data
  if (initialised !== 1 || required === 0 || required > of || of > MAX_SIGNERS) return undefined
  const members = Array.from({ length: of }, (_, i) => addressAt(data, MULTISIG_KEYS_AT + 32 * i))
  return { members, threshold: { required, of } }
}
