import { describe, expect, test } from 'vitest'
import { type Address, hexToBytes } from '../hex.js'
import { createMemoryStateSource } from '../state/memory-state-source.js'
import { createEvm } from './create-evm.js'

const TOKEN: Address = '0x00000000000000000000000000000000000a11ce'
const CALLER: Address = '0x00000000000000000000000000000000000ca11e'
const STRANGER: Address = '0x5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d'

const BLOCK = {
  chainId: 1,
  number: 2n,
  timestamp: 1n,
  coinbase: CALLER,
  gasLimit: 30_000_000n,
  baseFeePerGas: 0n,
  blobBaseFee: 1n,
  prevRandao: `0x${'1'.repeat(64)}` as const,
}

/**
 * Runs `code` with the address in the first argument, once it is loaded, and gives the storage keys
 * that were asked for.
 */
async function slotsAskedFor(code: string, argument: Address, strangers: readonly Address[]): Promise<number> {
  const state = createMemoryStateSource({ accounts: { [TOKEN]: { code: hexToBytes(code) } } })
  await state.load([TOKEN, CALLER, BLOCK.coinbase].map((address) => ({ kind: 'account', address }) as const))
  const evm = createEvm({ state, block: BLOCK, hardfork: 'osaka' })
  for (const stranger of strangers) evm.addStranger(stranger)
  const { status } = evm.read({ from: CALLER, to: TOKEN, data: `0x${'0'.repeat(24)}${argument.slice(2)}` })
  expect(status).toBe('success')
  return evm.misses.filter(({ kind }) => kind === 'storage').length
}

/** mapping at slot 2: MSTORE(0, arg), MSTORE(32, 2), SLOAD(KECCAK256(0, 64)) */
const SOLIDITY_MAPPING = '0x5f355f5260026020526040' + '5f2054'
/** The same, and then a field of the structure there. */
const FIELD_OF_STRUCT = '0x5f355f5260026020526040' + '5f20600301' + '54'
/** allowance[owner][spender]: hash of (spender 7, hash of (owner, 2)) */
const NESTED = '0x5f355f52600260205260405f2060205260075f5260405f2054'
/** Packed: 20 bytes of address and a 4-byte seed, as Solady lays out balances. */
const PACKED = '0x5f3560601b5f526387a211a260e01b60145260185f2054'
/** The address itself as the key, plus one. */
const UNHASHED = '0x5f3560010154'

describe('strangers', () => {
  test.each([
    ['a mapping', SOLIDITY_MAPPING],
    ['a structure in a mapping', FIELD_OF_STRUCT],
    ['a mapping in a mapping', NESTED],
    ['a packed key', PACKED],
  ])('no node is asked for what a stranger has in %s', async (_, code) => {
    expect(await slotsAskedFor(code, STRANGER, [STRANGER])).toBe(0)
  })

  test.each([
    ['a mapping', SOLIDITY_MAPPING],
    ['a structure in a mapping', FIELD_OF_STRUCT],
    ['a mapping in a mapping', NESTED],
    ['a packed key', PACKED],
  ])('what a known account has in %s is asked for', async (_, code) => {
    expect(await slotsAskedFor(code, CALLER, [STRANGER])).toBe(1)
    expect(await slotsAskedFor(code, CALLER, [])).toBe(1)
  })

  test('a key that was not hashed proves nothing', async () => {
    expect(await slotsAskedFor(UNHASHED, STRANGER, [STRANGER])).toBe(1)
  })

  test('a stranger is an empty account that no node is asked for', () => {
    const evm = createEvm({ state: createMemoryStateSource(), block: BLOCK, hardfork: 'osaka' })
    evm.addStranger(STRANGER)
    evm.setBalance(STRANGER, 5n)
    expect(evm.account(STRANGER)).toMatchObject({ balance: 5n, nonce: 0n })
    expect(evm.misses).toEqual([])
  })
})
