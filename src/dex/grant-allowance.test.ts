import { encodeDeployData, maxUint256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { ethereum } from '../chains/ethereum.js'
import { readContract } from '../devnet/artifacts.js'
import { createEvm } from '../evm/create-evm.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from '../evm/testing.js'
import type { Address } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import type { Trader } from '../simulation/trader.js'
import { grantAllowance } from './grant-allowance.js'
import { erc20Abi, readWord } from './read-contract.js'

const SPENDER: Address = '0x00000000000000000000000000000000005be4de'
const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const OWNER: Trader = { address: TEST_SENDER, tipPerGas: 1n }
const BEFORE = 7n
const WANTED = 1_000n

/**
 * A fork on which the owner has a token with such a rule, and has let the spender take `standing`.
 */
function own(contract: string, standing = 0n): { fork: Fork; token: Address } {
  const evm = createEvm({ state: createTestState({}), block: TEST_BLOCK, hardfork: 'osaka' })
  const { abi, bytecode } = readContract(contract)
  const data = encodeDeployData({ abi, bytecode })
  const { createdAddress: token } = evm.transact({ from: TEST_SENDER, data, gasLimit: 5_000_000n })
  if (!token) throw new Error('the constructor failed')
  const fork = { evm, chain: ethereum }
  if (standing > 0n) grantAllowance(fork, OWNER, { token, spender: SPENDER, amount: standing })
  return { fork, token }
}

function allow(contract: string, standing = 0n, spender = SPENDER) {
  const { fork, token } = own(contract, standing)
  const { success, sent, isUnlimited } = grantAllowance(fork, OWNER, { token, spender, amount: WANTED })
  const allowed = readWord(fork, token, erc20Abi, 'allowance', [OWNER.address, spender])
  return { success, transactions: sent.length, isUnlimited, allowed }
}

const exactly = { success: true, isUnlimited: false, allowed: WANTED }
const RULES = [
  'ApprovalFromZero',
  'ApprovalAnswersNo',
  'ApprovalDeniesItself',
  'ApprovalRefusesZero',
  'ApprovalOnlyRises',
] as const

describe('an allowance', () => {
  test.each(RULES)('comes from nothing by one transaction: %s', (contract) => {
    expect(allow(contract)).toEqual({ ...exactly, transactions: 1 })
  })

  test.each(RULES)('comes over a smaller one that stands: %s', (contract) => {
    expect(allow(contract, BEFORE)).toMatchObject(exactly)
  })

  test.each([
    ['ApprovalFromZero', 2],
    ['ApprovalAnswersNo', 2],
    ['ApprovalDeniesItself', 1],
    ['ApprovalRefusesZero', 1],
    ['ApprovalOnlyRises', 1],
  ])('takes no more transactions than it needs: %s', (contract, transactions) => {
    expect(allow(contract, BEFORE)).toMatchObject({ transactions })
  })

  test('that stands and is enough stays as it is where the token refuses another', () => {
    expect(allow('ApprovalFromZero', 2n * WANTED)).toEqual({
      ...{ success: true, transactions: 0, isUnlimited: false, allowed: 2n * WANTED },
    })
  })

  test('is without limit where the token takes no other, and says so', () => {
    const expected = { success: true, transactions: 1, isUnlimited: true, allowed: maxUint256 }
    expect(allow('ApprovalUnlimitedOnly')).toEqual(expected)
  })

  test('that the token has fixed needs no transaction', () => {
    expect(allow('ApprovalFixedForPermit2', 0n, PERMIT2)).toEqual({
      ...{ success: true, transactions: 0, isUnlimited: false, allowed: maxUint256 },
    })
  })

  test('that can never be changed again is refused, and stays', () => {
    expect(allow('ApprovalForOnce', BEFORE)).toMatchObject({ success: false, transactions: 1, allowed: BEFORE })
  })

  test('by what no front end offers is none', () => {
    expect(allow('ApprovalRaisesFromZero')).toMatchObject({ success: false, allowed: 0n })
  })

  test('takes a block for each of its transactions, and none when nothing is sent', () => {
    const { fork, token } = own('ApprovalFromZero', BEFORE)
    grantAllowance(fork, OWNER, { token, spender: SPENDER, amount: WANTED })
    expect(fork.evm.block.number).toBe(TEST_BLOCK.number + 1n)
    const idle = own('ApprovalFromZero', 2n * WANTED)
    grantAllowance(idle.fork, OWNER, { token: idle.token, spender: SPENDER, amount: WANTED })
    expect(idle.fork.evm.block.number).toBe(TEST_BLOCK.number)
  })
})
