import { type Address, EMPTY_CODE_HASH, type Hex, toQuantity } from '../hex.js'
import { parseAddress, parseHash, parseList, parseObject, parseQuantity } from '../rpc/parse.js'
import { canUseNonce } from './nonce-use.js'
import type { StateMiss } from './state-reader.js'
import type { StateSnapshot } from './state-source.js'

/** What runs of one job were seen to read: where to look, not what is there. */
export interface ReadSet {
  accounts: Map<Address, RememberedAccount>
  slots: Map<Address, Set<bigint>>
}

export interface RememberedAccount {
  codeHash: Hex
  /** Only where the code cannot use it, so that a change does not matter. */
  nonce: bigint | undefined
}

/**
 * Adds what was read since; the same object when there is nothing to add. A set that outgrows its
 * bounds is begun anew: what is still needed will be asked for again.
 */
export function growReadSet(readSet: ReadSet | undefined, reads: readonly StateMiss[], state: StateSnapshot): ReadSet {
  const news = reads.filter((read) => !isRemembered(readSet, read, state))
  if (readSet && news.length === 0) return readSet
  const grown = addReads(readSet, news, state)
  return isWithinBounds(grown) ? grown : addReads(undefined, news.slice(0, MAX_ACCOUNTS), state)
}

function isRemembered(readSet: ReadSet | undefined, read: StateMiss, { accounts }: StateSnapshot): boolean {
  if (read.kind === 'blockHash') return true
  if (read.kind === 'storage') return readSet?.slots.get(read.address)?.has(read.slot) === true
  return readSet?.accounts.get(read.address)?.codeHash === accounts.get(read.address)?.codeHash
}

function addReads(readSet: ReadSet | undefined, reads: readonly StateMiss[], state: StateSnapshot): ReadSet {
  const accounts = new Map(readSet?.accounts)
  const slots = new Map([...(readSet?.slots ?? [])].map(([address, keys]) => [address, new Set(keys)]))
  for (const read of reads) {
    if (read.kind === 'account') {
      const account = state.accounts.get(read.address)
      // Parts of a job that need the same account each ask for it, and looking through its code
      // takes time.
      if (account && accounts.get(read.address)?.codeHash !== account.codeHash)
        accounts.set(read.address, rememberAccount(account, state))
    } else if (read.kind === 'storage') {
      const keys = slots.get(read.address) ?? new Set()
      slots.set(read.address, keys.add(read.slot))
    }
  }
  return { accounts, slots }
}

function isWithinBounds({ accounts, slots }: ReadSet): boolean {
  const count = [...slots.values()].reduce((sum, keys) => sum + keys.size, 0)
  return accounts.size <= MAX_ACCOUNTS && count <= MAX_SLOTS
}

/** More than any trade reads. */
const MAX_ACCOUNTS = 96
const MAX_SLOTS = 1_024

export function rememberAccount(
  { codeHash, nonce }: { codeHash: Hex; nonce: bigint },
  { code }: StateSnapshot,
): RememberedAccount {
  const bytes = codeHash === EMPTY_CODE_HASH ? undefined : code.get(codeHash)
  return { codeHash, nonce: bytes && !canUseNonce(bytes) ? nonce : undefined }
}

export function missesOf({ accounts, slots }: ReadSet): StateMiss[] {
  return [
    ...[...accounts.keys()].map((address) => ({ kind: 'account', address }) as const),
    ...[...slots].flatMap(([address, keys]) => [...keys].map((slot) => ({ kind: 'storage', address, slot }) as const)),
  ]
}

export function encodeReadSet({ accounts, slots }: ReadSet): Uint8Array {
  const value = {
    accounts: [...accounts].map(([address, { codeHash, nonce }]) => [
      address,
      codeHash,
      ...(nonce === undefined ? [] : [toQuantity(nonce)]),
    ]),
    slots: [...slots].map(([address, keys]) => [address, ...[...keys].map(toQuantity)]),
  }
  return Buffer.from(JSON.stringify(value))
}

/**
 * `undefined` for anything that this version did not write: a store may be shared with other
 * versions, and with other people.
 */
export function decodeReadSet(bytes: Uint8Array): ReadSet | undefined {
  try {
    const value = parseObject(JSON.parse(Buffer.from(bytes).toString('utf8')))
    const accounts = parseList(value.accounts, (row) => parseList(row, (cell) => cell, 3), MAX_ACCOUNTS)
    const slots = parseList(value.slots, (row) => parseList(row, (cell) => cell, MAX_SLOTS + 1), MAX_SLOTS)
    return {
      accounts: new Map(
        accounts.map(([address, codeHash, nonce]) => [
          parseAddress(address),
          { codeHash: parseHash(codeHash), nonce: nonce === undefined ? undefined : parseQuantity(nonce) },
        ]),
      ),
      slots: new Map(slots.map(([address, ...keys]) => [parseAddress(address), new Set(keys.map(parseQuantity))])),
    }
  } catch {
    return undefined
  }
}
