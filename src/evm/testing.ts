import { type Address, EMPTY_CODE_HASH, type Hex, hexToBytes } from '../hex.js'
import type { Account, StateReader } from '../state/state-reader.js'
import type { BlockEnvironment } from './block-environment.js'
import { keccakHex } from './keccak-words.js'

/** What tests of the engine stand on: a block and a rich sender. Imported by tests only. */
export const TEST_BLOCK: BlockEnvironment = {
  chainId: 1,
  number: 23_000_000n,
  timestamp: 1_770_000_000n,
  coinbase: '0x00000000000000000000000000000000c01ba5e0',
  gasLimit: 60_000_000n,
  baseFeePerGas: 0n,
  blobBaseFee: 1n,
  prevRandao: '0x4f2c0d9e8b7a6f5e4d3c2b1a09f8e7d6c5b4a3928170f6e5d4c3b2a190817263',
  slotNumber: 13_000_000n,
}

export const TEST_SENDER: Address = '0x5e4de90000000000000000000000000000005e4d'

export interface TestAccount {
  code?: Hex
  balance?: bigint
  nonce?: bigint
  storage?: Record<string, bigint>
}

/** A state of which all is known: these accounts, the sender, and nothing else. */
export function createTestState(accounts: Record<Address, TestAccount>): StateReader {
  const all: Record<Address, TestAccount> = { [TEST_SENDER]: { balance: 10n ** 24n }, ...accounts }
  const codes = new Map<Hex, Uint8Array>()
  const known = new Map<Address, Account>()
  for (const [address, { code = '0x', balance = 0n, nonce = 0n }] of Object.entries(all) as [Address, TestAccount][]) {
    const bytes = hexToBytes(code)
    const codeHash = keccakHex(bytes)
    codes.set(codeHash, bytes)
    known.set(address, { balance, nonce, codeHash })
  }
  return {
    account: (address) => known.get(address) ?? { balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH },
    code: (hash) => codes.get(hash),
    storage: (address, slot) => all[address]?.storage?.[slot.toString()] ?? 0n,
    blockHash: (number) => `0x${number.toString(16).padStart(64, '0')}`,
  }
}
