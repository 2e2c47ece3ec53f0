import { type Address, EMPTY_CODE_HASH, toPaddedHex } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { RpcAbilityError } from '../rpc/capabilities.js'
import type { BlockParameter } from '../rpc/methods.js'
import { RpcRejectedError } from '../rpc/node-replies.js'
import { RpcInvalidAnswerError } from '../rpc/parse.js'
import { createSnapshot, setStorage } from './known-state.js'
import { digitsAt, nodeCall } from './node-call.js'
import {
  ENTRY_ANSWER_AT,
  entryDispatcher,
  IDENTITY_BYTES,
  MAX_HOLDERS,
  nameDispatcher,
  slotReader,
} from './node-programs.js'
import { canUseNonce } from './nonce-use.js'
import { normalizeCodeHash } from './read-by-override.js'
import type { ReadPart } from './read-plan.js'
import { UNKNOWN_NONCE } from './state-reader.js'
import type { StateSnapshot } from './state-source.js'

/**
 * What code that keeps accounts of people probably reads besides its own words: the accounts that
 * these words name (owners, wallets that are paid, code that runs in its place), and what it has
 * noted of them and of others. Which these are is found out on the node, in the same call.
 */
export interface AccountPrefetch {
  contract: Address
  /** Words that may name accounts. */
  slots: readonly bigint[]
  /** Whose entries are read besides, where they have code. */
  holders: readonly Address[]
  /** Slots of the mappings in which the entries are. */
  mappings: readonly bigint[]
  /** The slot of an account's entry, by the rule of Solidity: the node hashes by the same. */
  entrySlot(mapping: bigint, account: Address): bigint
}

/** Reads all of it in two calls, and the accounts that the contract's code names. */
export function readPrefetch(prefetch: AccountPrefetch, block: BlockParameter): ReadPart[] {
  return [readEntries(prefetch, block), readNamed(prefetch, block)].map(orNothing)
}

/** A node may limit what a call takes by any rule, and what is prefetched on a guess is no loss. */
function orNothing({ requests, read }: ReadPart): ReadPart {
  return {
    requests,
    read(outcomes) {
      try {
        return read(outcomes)
      } catch (error) {
        if (error instanceof RpcAbilityError || error instanceof RpcRejectedError) return {}
        throw error
      }
    },
  }
}

/** Nothing comes of it where the contract runs in spite of the override. */
function readEntries(prefetch: AccountPrefetch, block: BlockParameter): ReadPart {
  const { contract, slots, holders, mappings } = prefetch
  const holdersAt = HEADER_BYTES + slots.length * WORD_BYTES
  const mappingsAt = holdersAt + holders.length * WORD_BYTES
  const words = [BigInt(contract), BigInt(holdersAt), BigInt(mappingsAt), ...slots, ...holders.map(BigInt), ...mappings]
  const { request, read } = nodeCall({
    program: entryDispatcher,
    calldata: encode(words),
    block,
    overrides: (secret) => ({ [contract]: { code: slotReader(secret) } }),
  })
  return {
    requests: [request],
    read([outcome]) {
      const { identity, data, secret } = read(outcome)
      const values = createSnapshot()
      const reader = createAnswerReader(data.subarray(ENTRY_ANSWER_AT - IDENTITY_BYTES))
      /** One group of values, which count where the slot reader signed for them. */
      const keep = (keys: readonly bigint[]) => {
        const found = keys.map(() => reader.word())
        if (reader.digits() !== secret) return
        keys.forEach((slot, i) => {
          setStorage(values, contract, slot, found[i] ?? 0n)
        })
      }
      keep(slots)
      for (let left = slots.length + holders.length; left > 0 && !reader.isOver(); left -= 1) {
        const account = readAccount(reader)
        // In place of the contract's own code stands the slot reader.
        const isForeign = account.address !== contract && !holders.includes(account.address)
        if (isForeign) keepAccount(values, account)
        keep(mappings.map((mapping) => prefetch.entrySlot(mapping, account.address)))
      }
      if (!reader.isOver()) throw new RpcInvalidAnswerError('accounts and entries', `${data.length} bytes`)
      return { values, identities: [identity] }
    },
  }
}

function readNamed({ contract, holders }: AccountPrefetch, block: BlockParameter): ReadPart {
  const known = [contract, ...holders.filter((holder) => holder !== contract)].slice(0, MAX_HOLDERS)
  const { request, read } = nodeCall({
    program: nameDispatcher,
    calldata: encode([contract, ...known].map(BigInt)),
    block,
  })
  return {
    requests: [request],
    read([outcome]) {
      const { identity, data } = read(outcome)
      const values = createSnapshot()
      const reader = createAnswerReader(data)
      while (!reader.isOver()) keepAccount(values, readAccount(reader))
      return { values, identities: [identity] }
    },
  }
}

const encode = (words: readonly bigint[]) => words.map((value) => value.toString(16).padStart(DIGITS, '0')).join('')

const WORD_BYTES = 32
const DIGITS = 2 * WORD_BYTES
/** The contract, and where holders and mappings begin. */
const HEADER_BYTES = 3 * WORD_BYTES

/** Reads an answer from its beginning. Throws where it ends too early. */
function createAnswerReader(data: Uint8Array) {
  let at = 0
  const take = (size: number) => {
    if (!(at + size <= data.length)) throw new RpcInvalidAnswerError(`${at + size} bytes`, `${data.length} bytes`)
    at += size
    return at - size
  }
  const digits = () => digitsAt(data, take(WORD_BYTES), WORD_BYTES)
  return {
    digits,
    word: () => BigInt(`0x${digits()}`),
    bytes(size: number) {
      const start = take(size)
      return data.slice(start, start + size)
    },
    isOver: () => at === data.length,
  }
}

type AnswerReader = ReturnType<typeof createAnswerReader>

function readAccount(reader: AnswerReader) {
  const address = toPaddedHex(reader.word(), 20)
  const balance = reader.word()
  const hash = reader.word()
  return { address, balance, hash, code: reader.bytes(Number(reader.word())) }
}

function keepAccount(values: StateSnapshot, { address, balance, hash, code }: ReturnType<typeof readAccount>): void {
  const codeHash = normalizeCodeHash(toPaddedHex(hash, WORD_BYTES))
  if (keccak256(code) !== codeHash) throw new RpcAbilityError('stateOverride', 'code and code hash differ')
  if (codeHash !== EMPTY_CODE_HASH) values.code.set(codeHash, code)
  values.accounts.set(address, { balance, nonce: nonceOf(hash, code), codeHash })
}

/**
 * No opcode reads it. What does not exist (EIP-1052) has none, and a contract that cannot use its
 * own keeps the one that it began with (EIP-161).
 */
function nonceOf(codeHash: bigint, code: Uint8Array): bigint {
  if (codeHash === 0n) return 0n
  return canUseNonce(code) ? UNKNOWN_NONCE : 1n
}
