import { type Address, EMPTY_CODE_HASH, hexToBytes, toPaddedHex, toQuantity } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { RpcAbilityError } from '../rpc/capabilities.js'
import {
  type BlockParameter,
  getBalance,
  getBlock,
  getCode,
  getStorageAt,
  getStorageValues,
  getTransactionCount,
} from '../rpc/methods.js'
import { RpcRejectedError } from '../rpc/node-replies.js'
import { RpcInvalidAnswerError } from '../rpc/parse.js'
import { type RpcOutcome, unwrap } from '../rpc/request.js'
import { createSnapshot, setStorage } from './known-state.js'
import { chunk, groupSlots, type ReadPart, type WantedAccount } from './read-plan.js'

/** Reads slots of many contracts by the method made for it (execution-apis #756). */
export function readSlotsByValues(slots: ReadonlyMap<Address, readonly bigint[]>, block: BlockParameter): ReadPart[] {
  const pairs = [...slots].flatMap(([address, keys]) => keys.map((slot) => [address, slot] as const))
  return chunk(pairs, MAX_STORAGE_VALUES).map((part) => {
    const groups = groupSlots(part)
    return {
      requests: [{ ...getStorageValues(groups, block), optional: true }],
      read([outcome]) {
        const values = createSnapshot()
        const answer = unwrapValues(outcome as RpcOutcome<Map<Address, bigint[]>> | undefined)
        for (const [address, keys] of groups) {
          keys.forEach((slot, i) => {
            const value = answer.get(address)?.[i]
            if (value !== undefined) setStorage(values, address, slot, value)
          })
        }
        return { values }
      },
    }
  })
}

/** A call for each slot. Every node can do it. */
export function readSlotsOneByOne(slots: ReadonlyMap<Address, readonly bigint[]>, block: BlockParameter): ReadPart[] {
  return [...slots].flatMap(([address, keys]) =>
    keys.map((slot) => ({
      requests: [getStorageAt(address, slot, block)],
      read([outcome]) {
        const values = createSnapshot()
        setStorage(values, address, slot, unwrap(outcome as RpcOutcome<bigint>))
        return { values }
      },
    })),
  )
}

/** Three calls for each account. Every node can do it. */
export function readAccountsOneByOne(accounts: readonly WantedAccount[], block: BlockParameter): ReadPart[] {
  return accounts.map(({ address }) => ({
    requests: [getBalance(address, block), getTransactionCount(address, block), getCode(address, block)],
    read([balance, nonce, code]) {
      const values = createSnapshot()
      const bytes = hexToBytes(unwrap(code as RpcOutcome<string>))
      const codeHash = bytes.length === 0 ? EMPTY_CODE_HASH : keccak256(bytes)
      values.code.set(codeHash, bytes)
      values.accounts.set(address, {
        balance: unwrap(balance as RpcOutcome<bigint>),
        nonce: unwrap(nonce as RpcOutcome<bigint>),
        codeHash,
      })
      return { values }
    },
  }))
}

/** Hashes from the node's list of blocks; blocks that are not there yet have none. */
export function readBlockHashesOneByOne(numbers: readonly bigint[]): ReadPart[] {
  return numbers.map((number) => ({
    requests: [getBlock(toQuantity(number))],
    read([outcome]) {
      const header = unwrap(outcome as RpcOutcome<{ hash: `0x${string}`; number: bigint } | undefined>)
      if (header && header.number !== number) throw new RpcInvalidAnswerError('the block asked for', 'another')
      const values = createSnapshot()
      values.blockHashes.set(number, header?.hash ?? NO_HASH)
      return { values }
    },
  }))
}

/** The most that one request may ask for, by the specification of the method. */
const MAX_STORAGE_VALUES = 1_024
const NO_HASH = toPaddedHex(0n, 32)

function unwrapValues(outcome: RpcOutcome<Map<Address, bigint[]>> | undefined): Map<Address, bigint[]> {
  if (outcome === undefined) throw new RpcInvalidAnswerError('an answer', undefined)
  if (outcome.ok) return outcome.value
  const { error } = outcome
  const isAboutTheCall = error instanceof RpcRejectedError && (error.kind === 'refused' || error.kind === 'unsupported')
  throw isAboutTheCall ? new RpcAbilityError('storageValues', error.message) : error
}
