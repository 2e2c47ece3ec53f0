import { BaseError } from '../errors.js'
import { ADDRESS_BYTES, addressBytes, type SolanaAddress } from './address.js'
import type { Instruction } from './instruction.js'

/** A transaction as bytes, with the accounts in the order in which the runtime numbers them. */
export interface CompiledTransaction {
  bytes: Uint8Array
  accounts: readonly SolanaAddress[]
  writable: ReadonlySet<SolanaAddress>
}

/**
 * Lays instructions out as a legacy transaction whose signatures are all zero: the fork does not
 * check them. A tenth of the cost of a general library, which matters because a check plays about a
 * hundred. Throws {@link TransactionTooWideError} past the runtime's limit of accounts. Source:
 * docs.solanalabs.com, "Transaction format".
 */
export function compileTransaction(payer: SolanaAddress, instructions: readonly Instruction[]): CompiledTransaction {
  const roles = rolesOf(payer, instructions)
  if (roles.size > MAX_ACCOUNTS) throw new TransactionTooWideError()
  const groups: SolanaAddress[][] = [[], [], [], []]
  for (const [address, role] of roles) groups[role]?.push(address)
  const [signing = [], watching = [], written = [], read = []] = groups
  const accounts = groups.flat()
  const index = new Map<SolanaAddress, number>()
  for (const address of accounts) index.set(address, index.size)
  const signers = signing.length + watching.length
  let content = 0
  for (const { accounts: metas, data } of instructions) content += MAX_HEAD_BYTES + metas.length + data.length
  const bytes = new Uint8Array(
    MAX_HEAD_BYTES + signers * SIGNATURE_BYTES + (accounts.length + 1) * ADDRESS_BYTES + content,
  )
  let at = writeLength(bytes, 0, signers) + signers * SIGNATURE_BYTES
  bytes[at] = signers
  bytes[at + 1] = watching.length
  bytes[at + 2] = read.length
  at = writeLength(bytes, at + 3, accounts.length)
  for (const address of accounts) at = writeRun(bytes, at, addressBytes(address))
  at = writeRun(bytes, at, BLOCKHASH)
  at = writeLength(bytes, at, instructions.length)
  for (const { program, accounts: metas, data } of instructions) {
    bytes[at] = index.get(program) ?? 0
    at = writeLength(bytes, at + 1, metas.length)
    for (const { address } of metas) {
      bytes[at] = index.get(address) ?? 0
      at += 1
    }
    at = writeRun(bytes, writeLength(bytes, at, data.length), data)
  }
  return { bytes: bytes.subarray(0, at), accounts, writable: new Set([...signing, ...written]) }
}

/**
 * What each account is asked for: 0 to sign and be written, 1 to sign, 2 to be written, 3 to be
 * read. The runtime numbers accounts in this order.
 */
function rolesOf(payer: SolanaAddress, instructions: readonly Instruction[]): Map<SolanaAddress, number> {
  const roles = new Map([[payer, 0]])
  for (const { program, accounts } of instructions) {
    for (const { address, signer, writable } of accounts) {
      const role = (signer ? 0 : 2) + (writable ? 0 : 1)
      // Both bits of a role say what is not asked for.
      roles.set(address, role & (roles.get(address) ?? role))
    }
    if (!roles.has(program)) roles.set(program, 3)
  }
  return roles
}

/** Seven bits to a byte, lowest first. Tells where it ends, as {@link writeRun} does. */
function writeLength(to: Uint8Array, from: number, value: number): number {
  let at = from
  let rest = value
  for (; rest > 0x7f; rest >>= 7) {
    to[at] = (rest & 0x7f) | 0x80
    at += 1
  }
  to[at] = rest
  return at + 1
}

function writeRun(to: Uint8Array, at: number, run: Uint8Array): number {
  to.set(run, at)
  return at + run.length
}

/**
 * Locks of one transaction (the runtime's `MAX_TX_ACCOUNT_LOCKS`). The limit on its bytes does not
 * bind on a fork.
 */
const MAX_ACCOUNTS = 64
const SIGNATURE_BYTES = 64
/** Of a length three bytes are the most, and each instruction and each message has two. */
const MAX_HEAD_BYTES = 12
const BLOCKHASH = new Uint8Array(ADDRESS_BYTES).fill(1)

/** More accounts than a transaction may name: on the chain it could not be sent either. */
export class TransactionTooWideError extends BaseError {
  override readonly name = 'TransactionTooWideError'
  constructor() {
    super('A transaction would name too many accounts')
  }
}
