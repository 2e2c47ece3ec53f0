import { EMPTY_CODE_HASH } from '../hex.js'
import { toWord, type Word } from '../instructions/word.js'
import { type Account, type StateMiss, type StateReader, UNKNOWN_NONCE } from '../state/state-reader.js'
import { type AccountEntry, createEntry, createSlot, type Slot, type TransientSlot } from './account-entry.js'
import { type Code, type CodeCache, EMPTY_CODE } from './code.js'
import type { Log } from './inspector.js'
import { AnalysisResistedError } from './limits.js'
import type { Strangers } from './strangers.js'

/** A place in the undo log and among what became warm, and the counters that go back with it. */
export interface Checkpoint {
  undo: number
  warm: number
  logs: number
  refund: number
}

/**
 * Chain state with this run's changes on top, and the way back from each of them. Reading what the
 * {@link StateReader} does not know gives zero and records a miss.
 */
export interface World {
  refund: number
  logs: Log[]
  readonly misses: StateMiss[]
  /** Number of the transaction that runs, from 1. */
  transaction: number
  beginTransaction(): void
  /** Deletes what was destroyed; `keepsBalances` as in the rules. */
  endTransaction(keepsBalances: boolean): void
  /** Code asked what a block says of itself, besides its time and height. */
  asksBlock: boolean
  /** The account, without asking for its state. */
  entry(address: Word): AccountEntry
  /** The account with its state. */
  account(address: Word): AccountEntry
  code(account: AccountEntry): Code
  /** The nonce of an account that was looked at, which the state may not know. */
  nonce(account: AccountEntry): bigint
  slot(account: AccountEntry, key: Word): Slot
  /** Fills in the slot's value, and its value at the start of the transaction. */
  readSlot(account: AccountEntry, key: Word): Slot
  writeSlot(slot: Slot, value: Word): void
  readTransient(account: AccountEntry, key: Word): Word
  writeTransient(account: AccountEntry, key: Word, value: Word): void
  warmAccount(account: AccountEntry): boolean
  /** For what is warm when a transaction begins, which nothing within it takes back. */
  warmFromStart(account: AccountEntry): void
  warmSlot(slot: Slot): boolean
  touch(account: AccountEntry): void
  setBalance(account: AccountEntry, balance: bigint): void
  /** Adds to a balance that no code has asked for: what the state knows of it may come later. */
  credit(account: AccountEntry, amount: bigint): void
  setNonce(account: AccountEntry, nonce: bigint): void
  setCode(account: AccountEntry, code: Code): void
  /** Whether the account is known to hold storage (EIP-7610). */
  hasStorage(account: AccountEntry): boolean
  markCreated(account: AccountEntry): void
  markDestroyed(account: AccountEntry): void
  missBlockHash(number: bigint): void
  entries(): Iterable<AccountEntry>
  accountCount(): number
  checkpoint(): Checkpoint
  /** Forgets how to go back behind this point. */
  forgetUndo(): void
  revert(checkpoint: Checkpoint): void
}

type Field =
  | 'balance'
  | 'nonce'
  | 'code'
  | 'codeHash'
  | 'createdIn'
  | 'destroyedIn'
  | 'touchedIn'
  | 'slots'
  | 'freshStorage'

/** One change: put `previous` back into `field` of `target`. */
interface Undo {
  target: AccountEntry | Slot | TransientSlot
  field: Field | 'value'
  previous: unknown
}

export function createWorld(state: StateReader, codeCache: CodeCache, strangers: Strangers, maxMisses: number): World {
  const accounts = new Map<Word, AccountEntry>()
  const misses: StateMiss[] = []
  const missedBlockHashes = new Set<bigint>()
  const undo: Undo[] = []
  /** What this transaction has made warm. Numbers are not used again: what others did is over. */
  const warm: (AccountEntry | Slot)[] = []
  let transaction = 0
  let destroyed: AccountEntry[] = []

  const entry = (address: Word): AccountEntry => {
    const known = accounts.get(address)
    if (known !== undefined) return known
    const made = createEntry(address)
    accounts.set(address, made)
    return made
  }

  const note = (miss: StateMiss) => {
    if (misses.length >= maxMisses) throw new AnalysisResistedError('misses')
    misses.push(miss)
  }

  const miss = (account: AccountEntry) => {
    if (account.missed) return
    account.missed = true
    note({ kind: 'account', address: account.address })
  }

  const load = (account: AccountEntry) => {
    account.known = true
    const found: Account | undefined = state.account(account.address)
    if (found === undefined) return strangers.has(account.address) ? undefined : miss(account)
    fill(account, found)
  }

  const fill = (account: AccountEntry, found: Account) => {
    if (account.balance !== 0n) addToUndo(account, found.balance)
    account.balance += found.balance
    account.nonce = found.nonce
    account.codeHash = found.codeHash
  }

  /** What was credited before the balance was known goes back to that balance. */
  const addToUndo = (account: AccountEntry, balance: bigint) => {
    for (const step of undo) {
      if (step.target === account && step.field === 'balance') step.previous = (step.previous as bigint) + balance
    }
  }

  const change = <K extends Field>(account: AccountEntry, field: K, value: AccountEntry[K]) => {
    undo.push({ target: account, field, previous: account[field] })
    account[field] = value
  }

  const slot = (account: AccountEntry, key: Word): Slot => {
    const known = account.slots.get(key)
    if (known !== undefined) return known
    const made = createSlot(account.freshStorage, 0)
    account.slots.set(key, made)
    return made
  }

  const world: World = {
    refund: 0,
    logs: [],
    misses,
    transaction: 0,
    asksBlock: false,
    beginTransaction() {
      transaction += 1
      world.transaction = transaction
      world.refund = 0
      world.logs = []
      warm.length = 0
      destroyed = []
    },
    endTransaction(keepsBalances) {
      for (const account of destroyed) {
        if (account.destroyedIn !== transaction) continue
        if (!keepsBalances) change(account, 'balance', 0n)
        change(account, 'nonce', 0n)
        change(account, 'code', EMPTY_CODE)
        change(account, 'codeHash', EMPTY_CODE_HASH)
        change(account, 'slots', new Map())
        change(account, 'freshStorage', true)
      }
      destroyed = []
    },
    entry,
    account(address) {
      const account = entry(address)
      if (!account.known) load(account)
      return account
    },
    code(account) {
      if (account.code !== undefined) return account.code
      if (!account.known) load(account)
      if (account.codeHash === EMPTY_CODE_HASH) return EMPTY_CODE
      const bytes = state.code(account.codeHash)
      if (bytes === undefined) {
        miss(account)
        return EMPTY_CODE
      }
      account.code = codeCache.prepare(account.codeHash, bytes)
      return account.code
    },
    nonce(account) {
      if (account.nonce !== UNKNOWN_NONCE) return account.nonce
      miss(account)
      return 0n
    },
    slot,
    readSlot(account, key) {
      const found = slot(account, key)
      if (!found.known) {
        found.known = true
        const slotNumber = BigInt(key)
        const value = state.storage(account.address, slotNumber)
        if (value !== undefined) found.value = toWord(value)
        else if (!strangers.owns(key)) note({ kind: 'storage', address: account.address, slot: slotNumber })
      }
      if (found.originalIn !== transaction) {
        found.originalIn = transaction
        found.original = found.value
      }
      return found
    },
    writeSlot(found, value) {
      undo.push({ target: found, field: 'value', previous: found.value })
      found.value = value
    },
    readTransient(account, key) {
      return account.transientIn === transaction ? (account.transient.get(key)?.value ?? 0) : 0
    },
    writeTransient(account, key, value) {
      if (account.transientIn !== transaction) {
        account.transientIn = transaction
        account.transient = new Map()
      }
      const found = account.transient.get(key) ?? { value: 0 }
      if (found.value === 0) account.transient.set(key, found)
      undo.push({ target: found, field: 'value', previous: found.value })
      found.value = value
    },
    warmAccount(account) {
      if (account.warmIn === transaction) return false
      account.warmIn = transaction
      warm.push(account)
      return true
    },
    warmFromStart(account) {
      account.warmIn = transaction
    },
    warmSlot(found) {
      if (found.warmIn === transaction) return false
      found.warmIn = transaction
      warm.push(found)
      return true
    },
    touch(account) {
      if (account.touchedIn !== transaction) change(account, 'touchedIn', transaction)
    },
    setBalance: (account, balance) => change(account, 'balance', balance),
    credit(account, amount) {
      const found = account.known ? undefined : state.account(account.address)
      if (found !== undefined) {
        account.known = true
        fill(account, found)
      }
      change(account, 'balance', account.balance + amount)
    },
    setNonce: (account, nonce) => change(account, 'nonce', nonce),
    setCode(account, code) {
      change(account, 'code', code)
      change(account, 'codeHash', code.hash)
    },
    hasStorage(account) {
      if (account.freshStorage) return false
      for (const { value } of account.slots.values()) if (value !== 0) return true
      return state.hasStorage?.(account.address) ?? false
    },
    markCreated(account) {
      change(account, 'createdIn', transaction)
      // What the access list has warmed stays warm.
      const warm = [...account.slots].filter(([, { warmIn }]) => warmIn === transaction)
      change(account, 'slots', new Map(warm.map(([key, { warmIn }]) => [key, createSlot(true, warmIn)])))
      change(account, 'freshStorage', true)
    },
    markDestroyed(account) {
      if (account.destroyedIn === transaction) return
      change(account, 'destroyedIn', transaction)
      destroyed.push(account)
    },
    missBlockHash(number) {
      if (missedBlockHashes.has(number)) return
      missedBlockHashes.add(number)
      note({ kind: 'blockHash', number })
    },
    entries: () => accounts.values(),
    accountCount: () => accounts.size,
    checkpoint: () => ({ undo: undo.length, warm: warm.length, logs: world.logs.length, refund: world.refund }),
    forgetUndo() {
      undo.length = 0
    },
    revert(checkpoint) {
      while (undo.length > checkpoint.undo) restore(undo.pop() as Undo)
      while (warm.length > checkpoint.warm) (warm.pop() as AccountEntry | Slot).warmIn = COLD
      world.refund = checkpoint.refund
      if (world.logs.length > checkpoint.logs) world.logs.length = checkpoint.logs
    },
  }
  return world
}

/** The number of no transaction. */
const COLD = 0

function restore({ target, field, previous }: Undo): void {
  ;(target as unknown as Record<string, unknown>)[field] = previous
}
