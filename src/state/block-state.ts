import { deserialize, serialize } from 'node:v8'
import { createSnapshot, isKnown, mergeInto, readerOf } from './known-state.js'
import type { ReadSet } from './read-set.js'
import { UNKNOWN_NONCE } from './state-reader.js'
import type { StateSnapshot } from './state-source.js'

/**
 * What is known of one block. It only grows, and what was added is written down once, in memory
 * that threads share: each reads what is new to it.
 */
export interface BlockState {
  readonly values: StateSnapshot
  /** Adds what is not known yet. */
  add(values: StateSnapshot): void
  /** Read sets of which all is known. */
  readonly covered: WeakSet<ReadSet>
  log(): StateLog
}

/** The additions to a block's state, to be posted to a thread. */
export interface StateLog {
  /** Of the state, within this process. */
  id: number
  chunks: readonly StateChunk[]
}

interface StateChunk {
  buffer: SharedArrayBuffer
  /** Bytes that are written, which do not change any more. */
  used: number
}

/** The first chunk of a block; each is twice as large as the one before, up to the largest. */
const FIRST_CHUNK_BYTES = 32 * 1024
const LARGEST_CHUNK_BYTES = 512 * 1024
/** In front of each record: its bytes. */
const LENGTH_BYTES = 4

let ids = 0

export function createBlockState(): BlockState {
  ids += 1
  const id = ids
  const values = createSnapshot()
  const chunks: StateChunk[] = []
  const append = (record: Uint8Array) => {
    const needed = LENGTH_BYTES + record.length
    let chunk = chunks.at(-1)
    if (chunk === undefined || chunk.used + needed > chunk.buffer.byteLength) {
      const next = Math.min((chunk?.buffer.byteLength ?? FIRST_CHUNK_BYTES / 2) * 2, LARGEST_CHUNK_BYTES)
      chunk = { buffer: new SharedArrayBuffer(Math.max(next, needed)), used: 0 }
      chunks.push(chunk)
    }
    new DataView(chunk.buffer).setUint32(chunk.used, record.length)
    new Uint8Array(chunk.buffer).set(record, chunk.used + LENGTH_BYTES)
    chunk.used += needed
  }
  return {
    values,
    covered: new WeakSet(),
    add(added) {
      const fresh = unknownOf(added, values)
      if (fresh === undefined) return
      mergeInto(values, fresh)
      append(serialize(fresh))
    },
    log: () => ({ id, chunks: chunks.map((chunk) => ({ ...chunk })) }),
  }
}

/** How a source shows all of a state that is its own. */
export function showAll({ values, log }: BlockState) {
  return { ...readerOf(values), snapshot: () => values, asked: () => values, log }
}

/** The part of `added` that `known` lacks: two answers to one question are never mixed. */
function unknownOf(added: StateSnapshot, known: StateSnapshot): StateSnapshot | undefined {
  const fresh = createSnapshot()
  for (const [hash, code] of added.code) if (!known.code.has(hash)) fresh.code.set(hash, code)
  for (const [address, account] of added.accounts) {
    const hasMore = account.nonce !== UNKNOWN_NONCE || !known.accounts.has(address)
    if (hasMore && !isKnown(known, { kind: 'account', address })) fresh.accounts.set(address, account)
  }
  for (const [address, slots] of added.storage) {
    const before = known.storage.get(address)
    const rest = before === undefined ? slots : new Map([...slots].filter(([slot]) => !before.has(slot)))
    if (rest.size > 0) fresh.storage.set(address, rest)
  }
  for (const [number, hash] of added.blockHashes)
    if (!known.blockHashes.has(number)) fresh.blockHashes.set(number, hash)
  const { accounts, code, storage, blockHashes } = fresh
  return accounts.size + code.size + storage.size + blockHashes.size === 0 ? undefined : fresh
}

/** Reads a log as it grows, in another thread. */
export interface LogReader {
  readonly values: StateSnapshot
  /** Takes what was added since. */
  readOn(log: StateLog): void
}

export function createLogReader(): LogReader {
  const values = createSnapshot()
  let [at, offset] = [0, 0]
  return {
    values,
    readOn({ chunks }) {
      for (let chunk = chunks[at]; chunk !== undefined; chunk = chunks[at]) {
        while (offset < chunk.used) {
          const length = new DataView(chunk.buffer).getUint32(offset)
          const record = Buffer.from(chunk.buffer, offset + LENGTH_BYTES, length)
          mergeInto(values, deserialize(record) as StateSnapshot)
          offset += LENGTH_BYTES + length
        }
        if (at === chunks.length - 1) return
        at += 1
        offset = 0
      }
    },
  }
}

export function sizeOfLog({ chunks }: StateLog): number {
  return chunks.reduce((sum, { used }) => sum + used, 0)
}
