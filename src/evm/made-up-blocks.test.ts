import { expect, test } from 'vitest'
import { type Address, bytesToHex, type Hex, hexToBytes, toPaddedHex } from '../hex.js'
import { createEvm } from './create-evm.js'
import { keccak256 } from './keccak-words.js'
import type { RuleSet } from './rules.js'
import { createTestState, TEST_BLOCK } from './testing.js'

/** Where they are and what they run, as EIP-4788 and EIP-2935 give it. */
const BEACON_ROOTS: Address = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
const BLOCK_HASHES: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'
const CODES: Record<Address, { code: Hex }> = {
  [BEACON_ROOTS]: {
    code: '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500',
  },
  [BLOCK_HASHES]: {
    code: '0x3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
  },
}
const SECRET = toPaddedHex(77n, 32)
/** BLOCKHASH of the word that it is called with. */
const ASKER: Address = '0x00000000000000000000000000000000000c0de1'

const evmOf = (secret: Hex | undefined, hardfork: RuleSet = 'osaka') =>
  createEvm({
    state: createTestState({ ...CODES, [ASKER]: { code: '0x5f35405f5260205ff3' } }),
    block: TEST_BLOCK,
    hardfork,
    ...(secret && { secret }),
  })
const later = {
  ...TEST_BLOCK,
  number: TEST_BLOCK.number + 7_200n,
  timestamp: TEST_BLOCK.timestamp + 86_400n,
}

test.each([TEST_BLOCK, later])(
  'each block tells the beacon root of its parent, and the hash of its parent',
  (block) => {
    const evm = evmOf(SECRET)
    evm.setBlock(block)
    const root = evm.read({ to: BEACON_ROOTS, data: toPaddedHex(block.timestamp, 32) })
    expect(root.status).toBe('success')
    expect(BigInt(root.output)).not.toBe(0n)
    const parent = toPaddedHex(block.number - 1n, 32)
    const hash = evm.read({ to: BLOCK_HASHES, data: parent })
    expect(hash).toMatchObject({ status: 'success', output: evm.read({ to: ASKER, data: parent }).output })
    expect(BigInt(hash.output)).not.toBe(0n)
  },
)

test('a moment at which no block was made has no root, as on the chain', () => {
  const evm = evmOf(SECRET)
  evm.setBlock(later)
  expect(evm.read({ to: BEACON_ROOTS, data: toPaddedHex(later.timestamp - 1n, 32) }).status).toBe('revert')
})

test('forks before them have neither', () => {
  const evm = evmOf(SECRET, 'shanghai')
  expect(evm.read({ to: BEACON_ROOTS, data: toPaddedHex(TEST_BLOCK.timestamp, 32) }).status).toBe('revert')
})

test('hashes of blocks that never existed differ by the secret, and are no formula of the block', () => {
  const number = toPaddedHex(later.number - 1n, 32)
  const [one, other] = [SECRET, toPaddedHex(78n, 32)].map((secret) => {
    const evm = evmOf(secret)
    evm.setBlock(later)
    return evm.read({ to: ASKER, data: number }).output
  })
  expect(one).not.toBe(other)
  const known = toPaddedHex(BigInt(later.prevRandao) ^ (later.number - 1n), 32)
  expect(one).not.toBe(bytesToHex(keccak256(hexToBytes(known))))
})
