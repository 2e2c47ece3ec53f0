import { expect, test } from 'vitest'
import { ethereum } from '../chains/ethereum.js'
import { createEvm } from '../evm/create-evm.js'
import { createTestState, TEST_BLOCK } from '../evm/testing.js'
import { type Address, hexToBytes } from '../hex.js'
import { branch, deploy, mark, sendAs, wait } from './fork-verbs.js'
import type { Fork } from './scenario.js'

const SENDER: Address = '0x00000000000000000000000000000000000a11ce'
const OTHER: Address = '0x0000000000000000000000000000000000000b0b'
/** Writes 7 into its first slot. */
const WRITER: Address = '0x00000000000000000000000000000000000000fe'

const createFork = (): Fork => ({
  chain: ethereum,
  evm: createEvm({
    state: createTestState({ [WRITER]: { code: '0x60075f55' } }),
    block: { ...TEST_BLOCK, baseFeePerGas: 3n },
    hardfork: 'cancun',
  }),
})
const write = (fork: Fork) => sendAs(fork, { from: SENDER, to: WRITER, data: '0x', gasLimit: 100_000n })

test('a branch is taken back with its clock, also when it was ended', () => {
  const fork = createFork()
  const seen = branch(fork, () => {
    write(fork)
    wait(fork, 24_000)
    return [fork.evm.storage(WRITER, 0n), fork.evm.block.number - TEST_BLOCK.number]
  })
  expect(seen).toEqual([7n, 2n])
  const ended = () =>
    branch(fork, () => {
      write(fork)
      throw new RangeError('a bound')
    })
  expect(ended).toThrow('a bound')
  expect([fork.evm.storage(WRITER, 0n), fork.evm.block]).toEqual([0n, { ...TEST_BLOCK, baseFeePerGas: 3n }])
})

test('a mark is returned to any number of times', () => {
  const fork = createFork()
  const back = mark(fork)
  for (let time = 0; time < 3; time += 1) {
    write(fork)
    wait(fork, 12_000)
    expect(fork.evm.storage(WRITER, 0n)).toBe(7n)
    back()
    expect([fork.evm.storage(WRITER, 0n), fork.evm.block.number]).toEqual([0n, TEST_BLOCK.number])
  }
})

test('a sender has what it sends, what the gas costs, and what is to spare', () => {
  const fork = createFork()
  const sent = sendAs(fork, {
    ...{ from: SENDER, to: OTHER, data: '0x', value: 50n, gasLimit: 21_000n },
    ...{ tipPerGas: 2n, spareWei: 9n },
  })
  expect(sent.status).toBe('success')
  expect(fork.evm.account(OTHER).balance).toBe(50n)
  // Twice the base fee and the tip are held, the base fee and the tip are paid.
  expect(fork.evm.account(SENDER).balance).toBe(9n + 21_000n * 3n)
})

test('a contract is made where its maker and number put it', () => {
  const fork = createFork()
  const creationCode = hexToBytes('0x6001600c60003960016000f300')
  const making = { from: SENDER, nonce: 0n, creationCode, gasLimit: 200_000n }
  const address = deploy(fork, making)
  expect(fork.evm.code(address)).toEqual(hexToBytes('0x00'))
  expect(deploy(fork, { ...making, nonce: 1n })).not.toBe(address)
})
