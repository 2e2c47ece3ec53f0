import { keccakHex } from '../../src/evm/keccak-words.js'
import { type Address, type Hex, hexToBytes } from '../../src/hex.js'
import type { StateReader } from '../../src/state/state-reader.js'
import type { Allocation } from './state-root.js'

/** A world that is completely known: what is not allocated does not exist. */
export function createAllocatedState(
  alloc: Record<Address, Allocation>,
  blockHash: (number: bigint) => Hex,
): StateReader {
  const codes = new Map<Hex, Uint8Array>()
  const accounts = new Map(
    Object.entries(alloc).map(([address, { balance = '0x0', nonce = '0x0', code = '0x', storage = {} }]) => {
      const bytes = hexToBytes(code)
      const codeHash = keccakHex(bytes)
      codes.set(codeHash, bytes)
      const slots = new Map(Object.entries(storage).map(([key, value]) => [BigInt(key), BigInt(value)]))
      return [address.toLowerCase(), { account: { balance: BigInt(balance), nonce: BigInt(nonce), codeHash }, slots }]
    }),
  )
  const nothing = { balance: 0n, nonce: 0n, codeHash: keccakHex(new Uint8Array(0)) }
  return {
    account: (address) => accounts.get(address)?.account ?? nothing,
    code: (hash) => codes.get(hash),
    storage: (address, slot) => accounts.get(address)?.slots.get(slot) ?? 0n,
    blockHash,
    hasStorage: (address) => [...(accounts.get(address)?.slots.values() ?? [])].some((value) => value !== 0n),
  }
}
