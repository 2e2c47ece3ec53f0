import { type Address, EMPTY_CODE_HASH, type Hex, toQuantity } from '../hex.js'
import { parseAddress, parseHash, parseList, parseObject, parseQuantity } from '../rpc/parse.js'
import { canUseNonce } from './nonce-use.js'
import { groupSlots } from './read-plan.js'
import type { StateMiss } from './state-reader.js'
import type { StateSnapshot } from './state-source.js'

/** What runs of one job were seen to read: where to look, not what is there. */
export interface ReadSet {
  accounts: Map<Address, RememberedAccount>
  slots: Map<Address, bigint[]>
}

export interface RememberedAccount {
  codeHash: Hex
  /** Only where the code cannot use it, so that a change does not matter. */
  nonce: bigint | undefined
}

/** Adds what was read since. The oldest entries stay: they are what every run needs. */
export function growReadSet(readSet: ReadSet | undefined, reads: Iterable<StateMiss>, state: StateSnapshot): ReadSet {
  const accounts = new Map(readSet?.accounts)
  const slots = new Map<Address, Set<bigint>>([...(readSet?.slots ?? [])].map(([key, keys]) => [key, new Set(keys)]))
  let count = [...slots.values()].reduce((sum, keys) => sum + keys.size, 0)
  for (const read of reads) {
    if (read.kind === 'account' && (accounts.has(read.address) || accounts.size < MAX_ACCOUNTS)) {
      const account = state.accounts.get(read.address)
      if (account) accounts.set(read.address, rememberAccount(account, state))
    }
    if (read.kind === 'storage' && count < MAX_SLOTS) {
      const keys = slots.get(read.address) ?? new Set()
      slots.set(read.address, keys.add(read.slot))
      count += 1
    }
  }
  return { accounts, slots: new Map([...slots].map(([address, keys]) => [address, [...keys]])) }
}

/** More than any trade reads. A hostile token can make the list long, once, but not longer than this. */
const MAX_ACCOUNTS = 96
const MAX_SLOTS = 1_024

function rememberAccount({ codeHash, nonce }: { codeHash: Hex; nonce: bigint }, { code }: StateSnapshot) {
  const bytes = codeHash === EMPTY_CODE_HASH ? undefined : code.get(codeHash)
  return { codeHash, nonce: bytes && !canUseNonce(bytes) ? nonce : undefined }
}

export function missesOf({ accounts, slots }: ReadSet): StateMiss[] {
  return [
    ...[...accounts.keys()].map((address) => ({ kind: 'account', address }) as const),
    ...[...slots].flatMap(([address, keys]) => keys.map((slot) => ({ kind: 'storage', address, slot }) as const)),
  ]
}

export function encodeReadSet({ accounts, slots }: ReadSet): Uint8Array {
  const value = {
    accounts: [...accounts].map(([address, { codeHash, nonce }]) => [
      address,
      codeHash,
      ...(nonce === undefined ? [] : [toQuantity(nonce)]),
    ]),
    slots: [...slots].map(([address, keys]) => [address, ...keys.map(toQuantity)]),
  }
  return Buffer.from(JSON.stringify(value))
}

/** `undefined` for anything that this version did not write: a store may be shared with other versions, and with other people. */
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
      slots: groupSlots(
        slots.flatMap(([address, ...keys]) => keys.map((key) => [parseAddress(address), parseQuantity(key)] as const)),
      ),
    }
  } catch {
    return undefined
  }
}
