import { type SolanaAccount, viewOf } from '../account.js'
import { ADDRESS_BYTES, addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { type AccountMeta, packed, readonly } from '../instruction.js'
import { findProgramAddress } from '../pda.js'

/** A transfer, as a hook will hear of it. */
export interface HookedTransfer {
  mint: SolanaAddress
  from: SolanaAddress
  to: SolanaAddress
  authority: SolanaAddress
  amount: bigint
}

/** Reads an account of the fork; `undefined` when it does not exist. */
export type ReadAccount = (address: SolanaAddress) => SolanaAccount | undefined

/** Where a hook lists the accounts that it wants to see. */
export function extraAccountsAddress(program: SolanaAddress, mint: SolanaAddress): SolanaAddress | undefined {
  return findProgramAddress(program, [EXTRA_SEED, addressBytes(mint)])
}

/**
 * The accounts that must follow those of a transfer of a token with this hook: what the hook lists,
 * the hook, the list. Worked out as wallets do (spl-transfer-hook-interface,
 * spl-tlv-account-resolution): literal keys, addresses derived from seeds (of the hook or of
 * another program), keys that stand in data. An entry that makes no sense is left out, and
 * everything after it, as a wallet would fail too.
 */
export function hookAccounts(read: ReadAccount, program: SolanaAddress, transfer: HookedTransfer): AccountMeta[] {
  const list = extraAccountsAddress(program, transfer.mint)
  if (list === undefined) return [readonly(program)]
  const data = read(list)?.data
  if (data === undefined || data.length === 0) return [readonly(program)]
  const known = [transfer.from, transfer.mint, transfer.to, transfer.authority, list]
  const context: Context = { read, program, keys: known, instruction: packed(EXECUTE, [64, transfer.amount]) }
  const metas: AccountMeta[] = []
  for (const entry of entriesOf(data)) {
    const address = resolve(entry, context)
    if (address === undefined) break
    context.keys.push(address)
    // The sender alone signs a trade: a hook gets no other signature that it wants.
    metas.push({ address, signer: false, writable: entry[WRITABLE_AT] === 1 })
  }
  return [...metas, readonly(program), readonly(list)]
}

interface Context {
  read: ReadAccount
  program: SolanaAddress
  keys: SolanaAddress[]
  instruction: Uint8Array
}

const EXTRA_SEED = new TextEncoder().encode('extra-account-metas')
/** The first eight bytes of the hash of "spl-transfer-hook-interface:execute". */
const EXECUTE = Uint8Array.of(105, 37, 101, 197, 75, 251, 102, 26)
const LIST_HEAD_BYTES = 16
const ENTRY_BYTES = 35
const WRITABLE_AT = 34
/** More would not fit into a transaction. */
const MAX_ENTRIES = 32
const LITERAL_KIND = 0
const OWN_PDA_KIND = 1
const KEY_IN_DATA_KIND = 2
/** From here on: the program stands at that index, less this. */
const FOREIGN_PDA_KIND = 128

/** Entries of the list: discriminator 8, length u32, count u32, then 35 bytes each. */
function entriesOf(data: Uint8Array): Uint8Array[] {
  if (data.length < LIST_HEAD_BYTES) return []
  const count = Math.min(viewOf(data).getUint32(12, true), MAX_ENTRIES)
  const fits = Math.floor((data.length - LIST_HEAD_BYTES) / ENTRY_BYTES)
  return Array.from({ length: Math.min(count, fits) }, (_, i) =>
    data.subarray(LIST_HEAD_BYTES + i * ENTRY_BYTES, LIST_HEAD_BYTES + (i + 1) * ENTRY_BYTES),
  )
}

function resolve(entry: Uint8Array, context: Context): SolanaAddress | undefined {
  const kind = entry[0] ?? 0
  const body = entry.subarray(1, 1 + ADDRESS_BYTES)
  if (kind === LITERAL_KIND) return addressAt(body)
  if (kind === KEY_IN_DATA_KIND) return keyInData(body, context)
  const program = kind === OWN_PDA_KIND ? context.program : context.keys[kind - FOREIGN_PDA_KIND]
  const seeds = readSeeds(body, context)
  return program && seeds && findProgramAddress(program, seeds)
}

/** 1: instruction data at an offset; 2: data of an account, by index, at an offset. */
function keyInData(body: Uint8Array, { read, keys, instruction }: Context): SolanaAddress | undefined {
  const [kind, first = 0, second = 0] = body
  if (kind === 1) return keyAt(instruction, first)
  if (kind !== 2) return undefined
  const holder = keys[first]
  return holder && keyAt(read(holder)?.data, second)
}

function keyAt(data: Uint8Array | undefined, offset: number): SolanaAddress | undefined {
  return data === undefined || offset + ADDRESS_BYTES > data.length ? undefined : addressAt(data, offset)
}

/**
 * Seeds packed into 32 bytes: 1 literal (length, bytes), 2 instruction data (offset, length), 3 key
 * (index), 4 data (index, offset, length), 0 ends.
 */
function readSeeds(body: Uint8Array, { read, keys, instruction }: Context): Uint8Array[] | undefined {
  const seeds: Uint8Array[] = []
  let at = 0
  const next = () => {
    const byte = body[at] ?? 0
    at += 1
    return byte
  }
  while (at < body.length) {
    const kind = next()
    if (kind === 0) break
    const seed = readSeed(kind)
    if (seed === undefined) return undefined
    seeds.push(seed)
  }
  return seeds

  function readSeed(kind: number): Uint8Array | undefined {
    if (kind === 1) {
      const length = next()
      const start = at
      at += length
      return at <= body.length ? body.subarray(start, at) : undefined
    }
    if (kind === 2) return slice(instruction, next(), next())
    const holder = keys[next()]
    if (holder === undefined) return undefined
    if (kind === 3) return addressBytes(holder)
    return kind === 4 ? slice(read(holder)?.data, next(), next()) : undefined
  }
}

function slice(data: Uint8Array | undefined, offset: number, length: number): Uint8Array | undefined {
  return data === undefined || offset + length > data.length ? undefined : data.subarray(offset, offset + length)
}
