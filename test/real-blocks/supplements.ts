import { encodeDeployData } from 'viem'
import type { Chain } from '../../src/chains/chain.js'
import { planExchanges } from '../../src/devnet/place-exchanges.js'
import { venuesOf } from '../../src/dex/venues.js'
import { createEvm } from '../../src/evm/create-evm.js'
import { keccakHex } from '../../src/evm/keccak-words.js'
import { createTestState, TEST_BLOCK } from '../../src/evm/testing.js'
import { type Address, hexToBytes, ZERO_ADDRESS } from '../../src/hex.js'
import { UnknownStateError } from '../../src/state/witness.js'
import type { Witness } from './async-witness.js'

/**
 * What a test adds to a witness, each thing by its name. Nothing that a witness proves is changed.
 */
export interface Supplements {
  /** Contracts that cannot change. */
  codes: ReadonlyMap<Address, Uint8Array>
  words: ReadonlyMap<Address, ReadonlyMap<bigint, bigint>>
}

/** The witness with what it lacks from `added`. */
export function supplement(witness: Witness, { codes, words }: Supplements): Witness {
  return {
    ...witness,
    account: (address) =>
      orElse(witness.account(address), () => {
        const code = codes.get(address)
        // A created account begins at 1 (EIP-161).
        return code && { nonce: 1n, balance: 0n, codeHash: keccakHex(code) }
      }),
    code: (address) => orElse(witness.code(address), () => codes.get(address)),
    storage: (address, slot) => orElse(witness.storage(address, slot), () => words.get(address)?.get(slot)),
  }
}

/**
 * The witness with those slots that it lacks, and that `mayBe` lets pass, taken as never written.
 * Each is told to `note`. Accounts, code and all other slots stay unknown.
 */
export function assumeUnwritten(
  witness: Witness,
  mayBe: (address: Address, slot: bigint) => boolean,
  note: (address: Address, slot: bigint) => void,
): Witness {
  return {
    ...witness,
    storage: (address, slot) =>
      orElse(witness.storage(address, slot), () => {
        if (!mayBe(address, slot)) return undefined
        note(address, slot)
        return 0n
      }),
  }
}

async function orElse<T>(known: Promise<T>, other: () => T | undefined): Promise<T> {
  try {
    return await known
  } catch (error) {
    if (!(error instanceof UnknownStateError)) throw error
    const found = other()
    if (found === undefined) throw error
    return found
  }
}

/**
 * USDC's library for signatures on Ethereum and OP Mainnet, which its code names: no transfer of
 * these blocks ran it, so that no witness holds it. Taken as an account without code.
 */
const LIBRARIES: readonly Address[] = [
  '0x800c32eaa2a6c93cf4cb51794450ed77fbfbb172',
  '0x5042f2376cb78b4f68b6ab13792f88d3d4cfa101',
]

/**
 * Factories, routers and Permit2 of a chain: as another of its blocks holds them, or else built
 * from their authors' packages. The zero address, which reads are made from, is an account without
 * code.
 */
export async function readPeriphery(chain: Chain, blocks: readonly Witness[]): Promise<Map<Address, Uint8Array>> {
  const wanted = venuesOf(chain).flatMap(({ factory, router, spender = router }) => [factory, router, spender])
  const built = construct(chain, new Set(wanted))
  const codes = new Map<Address, Uint8Array>([ZERO_ADDRESS, ...LIBRARIES].map((each) => [each, new Uint8Array()]))
  for (const address of wanted) {
    const held = await firstHeld(blocks, address)
    const code = held ?? built.get(address)
    if (code) codes.set(address, code)
  }
  return codes
}

async function firstHeld(blocks: readonly Witness[], address: Address): Promise<Uint8Array | undefined> {
  for (const block of blocks) {
    const code = await block.code(address).catch(() => undefined)
    if (code && code.length > 0) return code
  }
  return undefined
}

/** What the constructors of the devnet's exchanges return at the addresses that they have here. */
function construct(chain: Chain, wanted: ReadonlySet<Address>): Map<Address, Uint8Array> {
  const placements = planExchanges(chain, ZERO_ADDRESS).placements.filter(({ address }) => wanted.has(address))
  return new Map(
    placements.map(({ address, artifact: { abi, bytecode }, args = [] }) => {
      const state = createTestState({ [address]: { code: encodeDeployData({ abi, bytecode, args }) } })
      const { output } = createEvm({ state, block: TEST_BLOCK, hardfork: 'cancun' }).read({ to: address, data: '0x' })
      return [address, hexToBytes(output)] as const
    }),
  )
}
