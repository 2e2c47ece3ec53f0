import fc from 'fast-check'
import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { ethereum } from '../chains/ethereum.js'
import { createEvm } from '../evm/create-evm.js'
import { type Address, bytesToHex, hexToBytes, toPaddedHex, ZERO_ADDRESS } from '../hex.js'
import { pendingBlock } from '../simulation/pending-block.js'
import type { Fork } from '../simulation/scenario.js'
import { createMemoryStateSource } from '../state/memory-state-source.js'
import { balanceOf, callData, readAddress, readWords } from './read-contract.js'

const TARGET: Address = '0x00000000000000000000000000000000deadc0de'

/** A fork on which one contract answers everything with these bytes. */
async function forkAnswering(answer: Uint8Array): Promise<Fork> {
  const size = toPaddedHex(BigInt(answer.length), 2).slice(2)
  // PUSH2 size, PUSH1 14, PUSH1 0, CODECOPY, PUSH2 size, PUSH1 0, RETURN
  const code = `0x61${size}600e60003961${size}6000f3${bytesToHex(answer).slice(2)}`
  const state = createMemoryStateSource({ accounts: { [TARGET]: { code: hexToBytes(code) } } })
  await state.load([TARGET, ZERO_ADDRESS].map((address) => ({ kind: 'account', address })))
  return { evm: createEvm({ state, block: pendingBlock(ethereum, state.block), hardfork: 'osaka' }), chain: ethereum }
}

describe('readWords', () => {
  test('reads whole words of any answer, and no more of them than any venue needs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 1_000 }), async (answer) => {
        const words = readWords(await forkAnswering(answer), TARGET, '0x')
        const count = Math.min(Math.floor(answer.length / 32), 16)
        const expected = Array.from({ length: count }, (_, i) => BigInt(bytesToHex(answer.slice(i * 32, i * 32 + 32))))
        expect(words).toEqual(count === 0 ? undefined : expected)
      }),
      { numRuns: 60 },
    )
  })

  test('says nothing about a contract that is not there', async () => {
    const fork = await forkAnswering(new Uint8Array(32))
    fork.evm.setCode(TARGET, new Uint8Array())
    expect(readWords(fork, TARGET, '0x')).toBeUndefined()
    expect(balanceOf(fork, TARGET, ZERO_ADDRESS)).toBeUndefined()
  })
})

describe('readAddress', () => {
  test('drops what does not belong to an address, and takes zero for none', async () => {
    const dirty = await forkAnswering(new Uint8Array(32).fill(0xab))
    expect(readAddress(dirty, TARGET, '0x')).toBe(`0x${'ab'.repeat(20)}`)
    const zero = await forkAnswering(new Uint8Array(32))
    expect(readAddress(zero, TARGET, '0x')).toBeUndefined()
  })
})

test('calldata of plain words is what an ABI encoder makes of it', () => {
  const abi = parseAbi(['function getPool(address, address, uint24)'])
  const args = [
    '0x00000000000000000000000000000000deadc0de',
    '0x0abc000000000000000000000000000000000000',
    3_000,
  ] as const
  const [a, b, fee] = args
  expect(callData('0x1698ee82', [a, b, BigInt(fee)])).toBe(encodeFunctionData({ abi, functionName: 'getPool', args }))
})
