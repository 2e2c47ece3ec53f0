import type { Address, Hex } from '../hex.js'
import type { CallObject } from '../rpc/methods.js'
import { parseAddress, parseHash, parseList, parseObject, parseOptional } from '../rpc/parse.js'
import type { RpcRequest } from '../rpc/request.js'
import type { TokenAddress } from '../solana/token-address.js'

/** A word that a block changed: what it holds after the block, and the last transaction. */
export interface ChangedWord {
  value: bigint
  transaction: string | undefined
}

/** What a block changed. */
export interface BlockChanges {
  words: ReadonlyMap<TokenAddress, ReadonlyMap<bigint, ChangedWord>>
  /** Accounts whose code is another now, by the transaction. */
  codes: ReadonlyMap<TokenAddress, string | undefined>
}

/**
 * All that the transactions of a block changed, as geth's `prestateTracer` tells it with
 * `diffMode`. Words that changed and changed back within the block are told with their last value.
 */
export const traceBlockChanges = (blockHash: Hex): RpcRequest<BlockChanges> => ({
  method: 'debug_traceBlockByHash',
  params: [blockHash, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
  parse: parseChanges,
})

/** The same of one call that is made at the newest block, as the transaction `hash`. */
export const traceCallChanges = (call: CallObject, hash: Hex): RpcRequest<BlockChanges> => ({
  method: 'debug_traceCall',
  params: [call, 'latest', { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
  parse: (result) => toChanges([{ transaction: hash, result }]),
})

/** More than the gas of any block pays for. */
const MAX_TRANSACTIONS = 100_000

const parseChanges = (value: unknown): BlockChanges =>
  toChanges(
    parseList(value, parseObject, MAX_TRANSACTIONS).map(({ txHash, result }) => ({
      transaction: parseOptional(txHash, parseHash),
      result,
    })),
  )

function toChanges(all: readonly { transaction: Hex | undefined; result: unknown }[]): BlockChanges {
  const words = new Map<Address, Map<bigint, ChangedWord>>()
  const codes = new Map<Address, Hex | undefined>()
  for (const { transaction, result } of all) {
    const { pre, post } = parseObject(result)
    const [before, after] = [parseObject(pre), parseObject(post)]
    for (const account of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const address = parseAddress(account)
      const [was, is] = [readAccount(before[account]), readAccount(after[account])]
      // An account that is gone after the block has no code either.
      if (is?.hasCode || (was?.hasCode && !is)) codes.set(address, transaction)
      const slots = new Set([...(was?.storage.keys() ?? []), ...(is?.storage.keys() ?? [])])
      if (slots.size === 0) continue
      const known = words.get(address) ?? new Map<bigint, ChangedWord>()
      words.set(address, known)
      // A word that became zero is left out of what is after.
      for (const slot of slots) known.set(slot, { value: is?.storage.get(slot) ?? 0n, transaction })
    }
  }
  return { words, codes }
}

interface AccountState {
  hasCode: boolean
  storage: ReadonlyMap<bigint, bigint>
}

function readAccount(value: unknown): AccountState | undefined {
  if (value === undefined) return undefined
  const { code, storage } = parseObject(value)
  const words = Object.entries(parseOptional(storage, parseObject) ?? {})
  return {
    hasCode: code !== undefined && code !== '0x',
    storage: new Map(words.map(([slot, word]) => [BigInt(parseHash(slot)), BigInt(parseHash(word))])),
  }
}
