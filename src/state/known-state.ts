import { type Address, EMPTY_CODE_HASH, type Hex } from '../hex.js'
import { type StateMiss, type StateReader, UNKNOWN_NONCE } from './state-reader.js'
import type { StateSnapshot } from './state-source.js'

export function createSnapshot(): StateSnapshot {
  return { accounts: new Map(), code: new Map(), storage: new Map(), blockHashes: new Map() }
}

/**
 * Reads what is known. An account without code has the empty code, whether or not it was stored.
 */
export function readerOf({ accounts, code, storage, blockHashes }: StateSnapshot): StateReader {
  return {
    account: (address) => accounts.get(address),
    code: (hash) => codeIn({ code }, hash),
    storage: (address, slot) => storage.get(address)?.get(slot),
    blockHash: (number) => blockHashes.get(number),
  }
}

const codeIn = ({ code }: Pick<StateSnapshot, 'code'>, hash: Hex): Uint8Array | undefined =>
  hash === EMPTY_CODE_HASH ? EMPTY_CODE : code.get(hash)

export function isKnown(state: StateSnapshot, miss: StateMiss): boolean {
  if (miss.kind === 'storage') return state.storage.get(miss.address)?.has(miss.slot) === true
  if (miss.kind === 'blockHash') return state.blockHashes.has(miss.number)
  const account = state.accounts.get(miss.address)
  if (account === undefined || account.nonce === UNKNOWN_NONCE) return false
  return account.codeHash === EMPTY_CODE_HASH || state.code.has(account.codeHash)
}

export function setStorage({ storage }: StateSnapshot, address: Address, slot: bigint, value: bigint): void {
  const slots = storage.get(address)
  if (slots === undefined) storage.set(address, new Map([[slot, value]]))
  else slots.set(slot, value)
}

export function mergeInto(target: StateSnapshot, { accounts, code, storage, blockHashes }: StateSnapshot): void {
  for (const [hash, bytes] of code) target.code.set(hash, bytes)
  for (const [address, account] of accounts) target.accounts.set(address, account)
  for (const [address, slots] of storage) for (const [slot, value] of slots) setStorage(target, address, slot, value)
  for (const [number, hash] of blockHashes) target.blockHashes.set(number, hash)
}

/** Copies the answer to one question, if `source` has it. */
function copyKnown(source: StateSnapshot, target: StateSnapshot, miss: StateMiss): void {
  if (miss.kind === 'storage') {
    const value = source.storage.get(miss.address)?.get(miss.slot)
    if (value !== undefined) setStorage(target, miss.address, miss.slot, value)
    return
  }
  if (miss.kind === 'blockHash') {
    const hash = source.blockHashes.get(miss.number)
    if (hash !== undefined) target.blockHashes.set(miss.number, hash)
    return
  }
  const account = source.accounts.get(miss.address)
  const code = account && codeIn(source, account.codeHash)
  if (account === undefined || code === undefined) return
  target.accounts.set(miss.address, account)
  target.code.set(account.codeHash, code)
}

/** The answers to these questions, as far as `source` has them. */
export function pick(source: StateSnapshot, reads: readonly StateMiss[]): StateSnapshot {
  const picked = createSnapshot()
  for (const read of reads) copyKnown(source, picked, read)
  return picked
}

/** The questions that `state` has the answers to, but for block hashes. */
export function listReads({ accounts, storage }: StateSnapshot): StateMiss[] {
  return [
    ...[...accounts.keys()].map((address): StateMiss => ({ kind: 'account', address })),
    ...[...storage].flatMap(([address, slots]) =>
      [...slots.keys()].map((slot): StateMiss => ({ kind: 'storage', address, slot })),
    ),
  ]
}

export function isEqualAt(a: StateSnapshot, b: StateSnapshot, read: StateMiss): boolean {
  if (read.kind === 'blockHash') return a.blockHashes.get(read.number) === b.blockHashes.get(read.number)
  if (read.kind === 'storage')
    return a.storage.get(read.address)?.get(read.slot) === b.storage.get(read.address)?.get(read.slot)
  const [left, right] = [a.accounts.get(read.address), b.accounts.get(read.address)]
  return left?.balance === right?.balance && left?.nonce === right?.nonce && left?.codeHash === right?.codeHash
}

/** A text that is the same for the same question. */
export function keyOf(miss: StateMiss): string {
  if (miss.kind === 'storage') return `${miss.address}:${miss.slot.toString(16)}`
  return miss.kind === 'account' ? miss.address : `#${miss.number}`
}

const EMPTY_CODE = new Uint8Array(0)
