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
  const roles = new Map<SolanaAddress, { signer: boolean; writable: boolean }>([
    [payer, { signer: true, writable: true }],
  ])
  const add = (address: SolanaAddress, isSigner: boolean, isWritable: boolean) => {
    const role = roles.get(address)
    if (role === undefined) roles.set(address, { signer: isSigner, writable: isWritable })
    else {
      role.signer ||= isSigner
      role.writable ||= isWritable
    }
  }
  for (const { program, accounts } of instructions) {
    for (const { address, signer, writable } of accounts) add(address, signer, writable)
    add(program, false, false)
  }
  if (roles.size > MAX_ACCOUNTS) throw new TransactionTooWideError()
  const entries = [...roles]
  const pick = (isSigner: boolean, isWritable: boolean) =>
    entries.filter(([, role]) => role.signer === isSigner && role.writable === isWritable).map(([address]) => address)
  const groups = [pick(true, true), pick(true, false), pick(false, true), pick(false, false)] as const
  const accounts = groups.flat()
  const index = new Map(accounts.map((address, i) => [address, i]))
  const signers = groups[0].length + groups[1].length
  const body = instructions.flatMap(({ program, accounts: metas, data }) => [
    Uint8Array.of(index.get(program) ?? 0),
    compactLength(metas.length),
    Uint8Array.from(metas, ({ address }) => index.get(address) ?? 0),
    compactLength(data.length),
    data,
  ])
  const bytes = Buffer.concat([
    compactLength(signers),
    Buffer.alloc(signers * SIGNATURE_BYTES),
    Uint8Array.of(signers, groups[1].length, groups[3].length),
    compactLength(accounts.length),
    ...accounts.map(addressBytes),
    Buffer.alloc(ADDRESS_BYTES, 1),
    compactLength(instructions.length),
    ...body,
  ])
  return { bytes, accounts, writable: new Set([...groups[0], ...groups[2]]) }
}

/**
 * Locks of one transaction (the runtime's `MAX_TX_ACCOUNT_LOCKS`). The limit on its bytes does not
 * bind on a fork.
 */
const MAX_ACCOUNTS = 64
const SIGNATURE_BYTES = 64

/** Seven bits to a byte, lowest first. */
function compactLength(length: number): Uint8Array {
  const bytes: number[] = []
  let rest = length
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>= 7
  } while (rest > 0)
  return Uint8Array.from(bytes)
}

/** More accounts than a transaction may name: on the chain it could not be sent either. */
export class TransactionTooWideError extends BaseError {
  override readonly name = 'TransactionTooWideError'
  constructor() {
    super('A transaction would name too many accounts')
  }
}
