import { createHash } from 'node:crypto'
import { createByteLru } from '../scheduling/lru.js'
import { PROGRAM_DATA_HEADER_BYTES, type SolanaAccount, viewOf } from './account.js'
import type { SolanaAddress } from './address.js'
import { LOADER_V1, LOADER_V2, UPGRADEABLE_LOADER } from './programs.js'

/**
 * Remembers the code of programs, which makes up nearly all of what a fork consists of and hardly
 * ever changes. Code of upgradeable programs is believed for as long as the head of its account,
 * with the slot of the deployment, stays the same.
 */
export interface ProgramMemory {
  /** Keeps code, in memory that threads share; any other account is given back as it came. */
  share(address: SolanaAddress, account: SolanaAccount | undefined): SolanaAccount | undefined
  /** Whether this is an account of code whose head is worth asking for. */
  knows(address: SolanaAddress): boolean
  /** The code, when `head` (its first bytes, now) is that of what is remembered. */
  recall(address: SolanaAddress, head: SolanaAccount | undefined): SolanaAccount | undefined
  /** Notes that a second node gave the same code as is remembered, where it is. */
  confirm(address: SolanaAddress): void
  isConfirmed(address: SolanaAddress): boolean
  /** What two nodes contradict each other about is not kept. */
  forget(address: SolanaAddress): void
  /** A program of the loaders that never change anything. */
  recallImmutable(address: SolanaAddress): SolanaAccount | undefined
}

export interface ProgramMemoryOptions {
  maxBytes?: number
  /** Told of each program that was asked for, and whether its code was there. */
  onLookup?(isHit: boolean): void
}

export function createProgramMemory({
  maxBytes = DEFAULT_MAX_BYTES,
  onLookup = () => {},
}: ProgramMemoryOptions = {}): ProgramMemory {
  const entries = createByteLru<SolanaAccount>({ maxBytes, sizeOf: ({ data }) => data.length })
  const isImmutable = ({ owner, executable }: SolanaAccount) =>
    executable && (owner === LOADER_V1 || owner === LOADER_V2)
  const isCode = (account: SolanaAccount) => account.owner === UPGRADEABLE_LOADER && slotOf(account.data) !== undefined
  /** Goes with the entry: another deployment is another entry. */
  const confirmed = new WeakSet<SolanaAccount>()
  return {
    confirm(address) {
      const entry = entries.get(address)
      if (entry) confirmed.add(entry)
    },
    forget: (address) => void entries.delete(address),
    isConfirmed(address) {
      const entry = entries.get(address)
      return entry !== undefined && confirmed.has(entry)
    },
    share(address, account) {
      if (account === undefined || !(isImmutable(account) || isCode(account))) return account
      onLookup(false)
      const digest = createHash('sha256').update(account.data).digest('base64')
      const shared = { ...account, data: inSharedMemory(account.data), digest }
      entries.set(address, shared)
      return shared
    },
    knows(address) {
      const entry = entries.get(address)
      return entry !== undefined && isCode(entry)
    },
    recall(address, head) {
      const entry = entries.get(address)
      if (entry === undefined || head === undefined || head.owner !== entry.owner) return undefined
      const headBytes = entry.data.subarray(0, PROGRAM_DATA_HEADER_BYTES)
      if (Buffer.compare(headBytes, head.data) !== 0) return undefined
      onLookup(true)
      return entry
    },
    recallImmutable(address) {
      const entry = entries.get(address)
      return entry && isImmutable(entry) ? entry : undefined
    },
  }
}

/** Forty programs of the usual size. */
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024
const PROGRAM_DATA_STATE = 3

function slotOf(data: Uint8Array): bigint | undefined {
  if (data.length < PROGRAM_DATA_HEADER_BYTES) return undefined
  const view = viewOf(data)
  return view.getUint32(0, true) === PROGRAM_DATA_STATE ? view.getBigUint64(4, true) : undefined
}

/** So that handing it to a thread copies nothing. */
function inSharedMemory(data: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(data.length))
  shared.set(data)
  return shared
}
