import { keccak_256 } from '@noble/hashes/sha3.js'
import { createEvm } from '../../evm/create-evm.js'
import { type Address, bytesToHex, EMPTY_CODE_HASH, type Hex, hexToBytes, ZERO_ADDRESS } from '../../hex.js'
import { createBlockState, showAll } from '../../state/block-state.js'
import { createSnapshot, setStorage } from '../../state/known-state.js'
import type { StateReader } from '../../state/state-reader.js'
import type { StateSource } from '../../state/state-source.js'

export interface Case {
  name: string
  code: string
  /** Words of the contract's storage; every other one is zero. */
  storage?: Record<string, bigint>
  /** Code of further accounts. */
  accounts?: Record<Address, string>
  /** Words of the other accounts' storage. */
  storageOf?: Record<Address, Record<string, bigint>>
  balance?: bigint
  timestamp?: bigint
}

/** Where test contracts stand. */
export const TARGET: Address = '0x00000000000000000000000000000000deadc0de'

/** After Cancun. */
const NOW = 1_750_000_000n

/**
 * A chain of a few accounts, all known from the start but only answered once asked for, as a node
 * would.
 */
export function createTestState({
  code,
  storage = {},
  accounts = {},
  storageOf = {},
  balance = 0n,
  timestamp = NOW,
}: Case): StateSource {
  const codes = new Map<Address, Uint8Array>([[TARGET, hexToBytes(code)]])
  for (const [address, text] of Object.entries(accounts)) codes.set(address as Address, hexToBytes(text))
  const hashes = new Map<Address, Hex>([...codes].map(([address, bytes]) => [address, bytesToHex(keccak_256(bytes))]))
  const words = new Map(
    Object.entries<Record<string, bigint>>({ ...storageOf, [TARGET]: storage }).flatMap(([address, of]) =>
      Object.entries(of).map(([slot, value]) => [`${address}:${BigInt(slot)}`, value] as const),
    ),
  )
  const state = createBlockState()
  return {
    suspect: 'chain',
    block: {
      chainId: 1,
      number: 20_000_000n,
      hash: '0x00',
      parentHash: '0x00',
      timestamp,
      coinbase: ZERO_ADDRESS,
      gasLimit: 30_000_000n,
      baseFeePerGas: 1n,
      prevRandao: '0x00',
      excessBlobGas: 0n,
      l1BlockNumber: undefined,
    },
    async load(misses) {
      const known = createSnapshot()
      for (const miss of misses) {
        if (miss.kind === 'storage') {
          setStorage(known, miss.address, miss.slot, words.get(`${miss.address}:${miss.slot}`) ?? 0n)
        } else if (miss.kind === 'account') {
          const { address } = miss
          const codeHash = hashes.get(address) ?? EMPTY_CODE_HASH
          known.accounts.set(address, { balance: address === TARGET ? balance : 0n, nonce: 1n, codeHash })
          known.code.set(codeHash, codes.get(address) ?? new Uint8Array())
        }
      }
      state.add(known)
    },
    ...showAll(state),
  }
}

const DEPLOYER: Address = '0x1000000000000000000000000000000000000001'

const nobodyKnown: StateReader = {
  account: () => ({ balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH }),
  code: () => new Uint8Array(),
  storage: () => 0n,
  blockHash: () => '0x00',
}

/**
 * Runs the constructor on our own EVM, so that owners and switches hold what they would hold on a
 * chain.
 */
export function deploy(creationCode: Hex): { state: StateSource; address: Address; code: Uint8Array } {
  const { block } = createTestState({ name: 'block', code: '0x' })
  const evm = createEvm({
    state: nobodyKnown,
    block: { ...block, coinbase: ZERO_ADDRESS, baseFeePerGas: 0n, blobBaseFee: 1n, prevRandao: `0x${'00'.repeat(32)}` },
    hardfork: 'cancun',
  })
  evm.setBalance(DEPLOYER, 10n ** 20n)
  const { createdAddress, error } = evm.transact({
    from: DEPLOYER,
    data: creationCode,
    gasLimit: 20_000_000n,
    gasPrice: 0n,
  })
  if (createdAddress === undefined) throw new Error(`the constructor failed: ${error}`)
  const address = createdAddress
  const code = evm.code(address)
  const base = createTestState({ name: 'deployed', code: '0x' })
  // What the constructor created beside it is found by the accounts that are asked for.
  const holders = new Map<Hex, Address>()
  return {
    address,
    code,
    state: {
      ...base,
      load: async () => {},
      account: (of) => {
        const account = evm.account(of)
        if (account !== undefined) holders.set(account.codeHash, of)
        return account
      },
      code: (hash) => evm.code(holders.get(hash) ?? address),
      storage: (of, slot) => evm.storage(of, slot),
    },
  }
}
