import { type Address, EMPTY_CODE_HASH, type Hex } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { RpcAbilityError } from '../rpc/capabilities.js'
import { type BlockParameter, getTransactionCount } from '../rpc/methods.js'
import { RpcInvalidAnswerError } from '../rpc/parse.js'
import { type RpcOutcome, unwrap } from '../rpc/request.js'
import { createSnapshot } from './known-state.js'
import { digitsAt, nodeCall } from './node-call.js'
import { accountDispatcher, blockHashDispatcher, slotDispatcher, slotReader } from './node-programs.js'
import { chunk, groupSlots, type ReadPart, type WantedAccount } from './read-plan.js'

/**
 * Reads slots of many contracts in one `eth_call`: each contract's code is overridden with a slot
 * reader, its storage stays.
 */
export function readSlotsByOverride(slots: ReadonlyMap<Address, readonly bigint[]>, block: BlockParameter): ReadPart[] {
  const pairs = [...slots].flatMap(([address, keys]) => keys.map((slot) => [address, slot] as const))
  return chunk(pairs, MAX_SLOTS_PER_CALL).map((part) => slotCall(groupSlots(part), block))
}

/** Balances, code hashes and codes in one `eth_call`, nonces beside it: no opcode reads them. */
export function readAccountsByOverride(accounts: readonly WantedAccount[], block: BlockParameter): ReadPart[] {
  return chunk(accounts, MAX_ACCOUNTS_PER_CALL).map((part) => accountCall(part, block))
}

/**
 * BLOCKHASH as the chain itself answers it, which on an L2 need not be what the node's block list
 * says.
 */
export function readBlockHashesByOverride(numbers: readonly bigint[], block: BlockParameter): ReadPart {
  const { request, read } = nodeCall({ program: blockHashDispatcher, calldata: numbers.map(word).join(''), block })
  return {
    requests: [request],
    read([outcome]) {
      const { identity, data } = read(outcome)
      const values = createSnapshot()
      expectLength(data, numbers.length * 32)
      numbers.forEach((number, i) => {
        values.blockHashes.set(number, `0x${digitsAt(data, i * 32, 32)}`)
      })
      return { values, identities: [identity] }
    },
  }
}

/** About 2,400 gas each, of 16.7 million. */
const MAX_SLOTS_PER_CALL = 4_000
/**
 * With the longest code each (24 KiB) memory costs about 1.7 million gas and the answer has 1.6 MB.
 */
const MAX_ACCOUNTS_PER_CALL = 32

function slotCall(slots: ReadonlyMap<Address, readonly bigint[]>, block: BlockParameter): ReadPart {
  const groups = [...slots]
  const calldata = groups.map(
    ([address, keys]) => word(BigInt(address)) + word(BigInt(keys.length * 32)) + keys.map(word).join(''),
  )
  const { request, read } = nodeCall({
    program: slotDispatcher,
    calldata: calldata.join(''),
    block,
    overrides(secret) {
      const code = slotReader(secret)
      return Object.fromEntries(groups.map(([address]) => [address, { code }]))
    },
  })
  return {
    requests: [request],
    read([outcome]) {
      const { identity, data, secret } = read(outcome)
      expectLength(
        data,
        groups.reduce((bytes, [, keys]) => bytes + keys.length * 32 + 32, 0),
      )
      const values = createSnapshot()
      const unread: ReturnType<ReadPart['read']>['unread'] = []
      let at = 0
      for (const [address, keys] of groups) {
        if (digitsAt(data, at + keys.length * 32, 32) !== secret) {
          unread.push(...keys.map((slot) => ({ kind: 'storage', address, slot }) as const))
        } else {
          const start = at
          values.storage.set(address, new Map(keys.map((slot, i) => [slot, readWord(data, start + i * 32)])))
        }
        at += keys.length * 32 + 32
      }
      return { values, identities: [identity], unread }
    },
  }
}

function accountCall(accounts: readonly WantedAccount[], block: BlockParameter): ReadPart {
  const flagged = ({ address, expectedCodeHash }: WantedAccount) =>
    word(BigInt(address) | (expectedCodeHash === undefined ? CODE_WANTED : 0n))
  const { request, read } = nodeCall({ program: accountDispatcher, calldata: accounts.map(flagged).join(''), block })
  const counted = accounts.filter(({ assumedNonce }) => assumedNonce === undefined)
  return {
    // Nonces do not say which block they are from. Before them stands the header and after them a
    // program that does (decision 0031).
    requests: [...counted.map(({ address }) => getTransactionCount(address, block)), request],
    read(outcomes) {
      const { identity, data } = read(outcomes.at(-1))
      const nonces = outcomes.slice(0, -1)
      const nonceOf = new Map(counted.map(({ address }, i) => [address, unwrap(nonces[i] as RpcOutcome<bigint>)]))
      const values = createSnapshot()
      const unread: ReturnType<ReadPart['read']>['unread'] = []
      let at = 0
      for (const { address, expectedCodeHash, assumedNonce } of accounts) {
        const size = Number(`0x0${digitsAt(data, at + 64, 32)}`)
        if (!(at + 96 + size <= data.length)) throw new RpcInvalidAnswerError('an account', `${data.length} bytes`)
        const code = data.slice(at + 96, at + 96 + size)
        const codeHash = normalizeCodeHash(`0x${digitsAt(data, at + 32, 32)}`)
        const balance = BigInt(`0x${digitsAt(data, at, 32)}`)
        at += 96 + size
        if (expectedCodeHash === undefined) {
          if (keccak256(code) !== codeHash) throw new RpcAbilityError('stateOverride', 'code and code hash differ')
          values.code.set(codeHash, code)
        } else if (expectedCodeHash !== codeHash) {
          unread.push({ kind: 'account', address })
          continue
        }
        values.accounts.set(address, { balance, nonce: nonceOf.get(address) ?? assumedNonce ?? 0n, codeHash })
      }
      expectLength(data, at)
      return { values, identities: [identity], unread }
    },
  }
}

const CODE_WANTED = 1n << 255n

/**
 * EXTCODEHASH of an account that does not exist is zero (EIP-1052); for us it has the empty code.
 */
export function normalizeCodeHash(hash: Hex): Hex {
  return /^0x0+$/.test(hash) ? EMPTY_CODE_HASH : hash
}

function expectLength(data: Uint8Array, length: number): void {
  if (data.length !== length) throw new RpcInvalidAnswerError(`${length} bytes`, `${data.length} bytes`)
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}

function readWord(data: Uint8Array, at: number): bigint {
  return BigInt(`0x${digitsAt(data, at, 32)}`)
}
