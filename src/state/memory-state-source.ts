import { type Address, EMPTY_CODE_HASH, type Hex, toPaddedHex, ZERO_ADDRESS } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { createBlockState, showAll } from './block-state.js'
import { createSnapshot, isKnown, setStorage } from './known-state.js'
import type { PinnedBlock, StateSource } from './state-source.js'

/** An account as a test writes it down. */
export interface MemoryAccount {
  balance?: bigint
  nonce?: bigint
  code?: Uint8Array
  storage?: Record<string, bigint> | Map<bigint, bigint>
}

export interface MemoryStateSourceOptions {
  block?: Partial<PinnedBlock>
  /** The whole world: any other account is empty, any other slot is zero. */
  accounts?: Record<Address, MemoryAccount>
  blockHashes?: ReadonlyMap<bigint, Hex>
}

/**
 * A made-up chain for tests and fixtures. It behaves as a node does: nothing is known before it is
 * loaded.
 */
export function createMemoryStateSource({
  block,
  accounts = {},
  blockHashes = new Map(),
}: MemoryStateSourceOptions = {}): StateSource {
  const state = createBlockState()
  const world = new Map(Object.entries(accounts).map(([address, account]) => [address, worldAccount(account)]))
  return {
    suspect: 'chain',
    ...showAll(state),
    block: { ...DEFAULT_BLOCK, ...block },
    async load(misses) {
      const known = createSnapshot()
      for (const miss of misses) {
        if (isKnown(state.values, miss)) continue
        if (miss.kind === 'blockHash') known.blockHashes.set(miss.number, blockHashes.get(miss.number) ?? NO_HASH)
        else if (miss.kind === 'storage') {
          setStorage(known, miss.address, miss.slot, world.get(miss.address)?.storage.get(miss.slot) ?? 0n)
        } else {
          const { balance, nonce, code, codeHash } = world.get(miss.address) ?? worldAccount({})
          known.accounts.set(miss.address, { balance, nonce, codeHash })
          known.code.set(codeHash, code)
        }
      }
      state.add(known)
    },
  }
}

function worldAccount({ balance = 0n, nonce = 0n, code = new Uint8Array(0), storage = {} }: MemoryAccount) {
  const slots =
    storage instanceof Map ? storage : new Map(Object.entries(storage).map(([slot, v]) => [BigInt(slot), v]))
  return { balance, nonce, code, codeHash: code.length === 0 ? EMPTY_CODE_HASH : keccak256(code), storage: slots }
}

const NO_HASH = toPaddedHex(0n, 32)

const DEFAULT_BLOCK: PinnedBlock = {
  chainId: 1,
  number: 1n,
  hash: toPaddedHex(1n, 32),
  parentHash: NO_HASH,
  timestamp: 1_767_225_600n,
  coinbase: ZERO_ADDRESS,
  gasLimit: 60_000_000n,
  baseFeePerGas: 1_000_000_000n,
  prevRandao: toPaddedHex(2n, 32),
  excessBlobGas: 0n,
  l1BlockNumber: undefined,
}
