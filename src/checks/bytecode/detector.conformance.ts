import { keccak_256 } from '@noble/hashes/sha3.js'
import { expect, test } from 'vitest'
import { ethereum } from '../../chains/ethereum.js'
import { type Address, bytesToHex, EMPTY_CODE_HASH, type Hex, hexToBytes, ZERO_ADDRESS } from '../../hex.js'
import type { StateSource } from '../../state/state-source.js'
import { checkBytecode } from './check-bytecode.js'
import type { Detector } from './detector.js'
import type { BytecodeReport, RiskFlag } from './report.js'

export interface Case {
  name: string
  code: string
  /** Words of the contract's storage; every other one is zero. */
  storage?: Record<string, bigint>
  /** Code of further accounts. */
  accounts?: Record<Address, string>
  balance?: bigint
  timestamp?: bigint
}

/** Where test contracts stand. */
export const TARGET: Address = '0x00000000000000000000000000000000deadc0de'

/** After Cancun. */
const NOW = 1_750_000_000n

/** A chain of a few accounts, all known from the start but only answered once asked for, as a node would. */
export function createTestState({
  code,
  storage = {},
  accounts = {},
  balance = 0n,
  timestamp = NOW,
}: Case): StateSource {
  const codes = new Map<Address, Uint8Array>([[TARGET, hexToBytes(code)]])
  for (const [address, text] of Object.entries(accounts)) codes.set(address as Address, hexToBytes(text))
  const hashes = new Map<Address, Hex>([...codes].map(([address, bytes]) => [address, bytesToHex(keccak_256(bytes))]))
  const byHash = new Map([...codes].map(([address, bytes]) => [hashes.get(address), bytes]))
  const words = new Map(Object.entries(storage).map(([slot, value]) => [BigInt(slot), value]))
  const asked = new Set<string>()
  const name = (address: Address, slot?: bigint) => `${address}:${slot ?? ''}`
  return {
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
      for (const miss of misses)
        if (miss.kind !== 'blockHash') asked.add(name(miss.address, miss.kind === 'storage' ? miss.slot : undefined))
    },
    snapshot: () => ({ accounts: new Map(), code: new Map(), storage: new Map(), blockHashes: new Map() }),
    account: (address) =>
      asked.has(name(address))
        ? { balance: address === TARGET ? balance : 0n, nonce: 1n, codeHash: hashes.get(address) ?? EMPTY_CODE_HASH }
        : undefined,
    code: (hash) => (hash === EMPTY_CODE_HASH ? new Uint8Array() : byHash.get(hash)),
    storage: (address, slot) =>
      asked.has(name(address, slot)) ? (address === TARGET ? (words.get(slot) ?? 0n) : 0n) : undefined,
    blockHash: () => undefined,
  }
}

export const checkCase = (given: Case): Promise<BytecodeReport> =>
  checkBytecode({ state: createTestState(given), address: TARGET, chain: ethereum })

export interface DetectorCases {
  flags: (Case & {
    /** Places that must be among the evidence. */
    at?: number[]
    level?: RiskFlag['threatLevel']
  })[]
  /** Harmless twins. */
  ignores: Case[]
}

/** A detector's table: what it must find, and what only looks like it. */
export function testDetector({ id }: Detector, { flags, ignores }: DetectorCases): void {
  for (const { at, level, ...given } of flags) {
    test(`flags ${given.name}`, async () => {
      const flag = (await checkCase(given)).riskFlags.find((found) => found.id === id)
      expect(flag, 'a flag').toBeDefined()
      if (level !== undefined) expect(flag?.threatLevel).toBe(level)
      expect(flag?.evidence.map(({ pc }) => pc)).toEqual(expect.arrayContaining(at ?? []))
    })
  }
  for (const given of ignores) {
    test(`ignores ${given.name}`, async () => {
      const { riskFlags } = await checkCase(given)
      expect(riskFlags.filter((flag) => flag.id === id)).toEqual([])
    })
  }
}
