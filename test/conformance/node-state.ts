import { keccakHex } from '../../src/evm/keccak-words.js'
import { type Hex, hexToBytes, toPaddedHex, toQuantity } from '../../src/hex.js'
import type { StateMiss, StateReader } from '../../src/state/state-reader.js'
import type { TestRpc } from './rpc.js'

/** A node's state at one block, for tests that need no more than an engine and a node. */
export interface NodeState extends StateReader {
  load(misses: readonly StateMiss[]): Promise<void>
}

export function createNodeState(rpc: TestRpc, block: bigint): NodeState {
  const accounts = new Map<string, { balance: bigint; nonce: bigint; codeHash: Hex }>()
  const codes = new Map<Hex, Uint8Array>()
  const storage = new Map<string, bigint>()
  const at = toQuantity(block)
  return {
    account: (address) => accounts.get(address),
    code: (hash) => codes.get(hash),
    storage: (address, slot) => storage.get(`${address} ${slot}`),
    blockHash: (number) => toPaddedHex(number, 32),
    async load(misses) {
      const questions = misses.flatMap((miss) => {
        if (miss.kind === 'storage') {
          return [{ method: 'eth_getStorageAt', params: [miss.address, toPaddedHex(miss.slot, 32), at] }]
        }
        if (miss.kind === 'blockHash') return []
        return ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map((method) => ({
          method,
          params: [miss.address, at],
        }))
      })
      const answers = await rpc.batch<Hex>(questions)
      let next = 0
      const take = () => answers[next++] ?? '0x'
      for (const miss of misses) {
        if (miss.kind === 'storage') storage.set(`${miss.address} ${miss.slot}`, BigInt(take()))
        if (miss.kind !== 'account') continue
        const balance = BigInt(take())
        const nonce = BigInt(take())
        const code = hexToBytes(take())
        const codeHash = keccakHex(code)
        codes.set(codeHash, code)
        accounts.set(miss.address, { balance, nonce, codeHash })
      }
    },
  }
}
