import { expect, test } from 'vitest'
import type { Address, Hex } from '../../hex.js'
import { opcodeByName } from '../../instructions/opcodes.js'
import { createEvm } from '../create-evm.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from '../testing.js'
import { createBranchWaysInspector } from './branch-ways.js'
import { createDecisionsInspector, type Decision } from './decisions.js'
import { type BranchPlace, createForcedBranchesInspector } from './forced-branches.js'

const A: Address = '0x00000000000000000000000000000000000000aa'

/** Assembles `NAME` and `NAME:hex` words. */
const code = (source: string): Hex =>
  `0x${source
    .split(' ')
    .map((word) => word.split(':'))
    .map(([name = '', data = '']) => opcodeByName(name).toString(16).padStart(2, '0') + data)
    .join('')}`

/** Asks twice, by one helper, whether slot 0 is set, and counts the answers in slot 1. */
const helper = 'JUMPDEST PUSH0 SLOAD PUSH1:24 JUMPI JUMP'
const asker = code(
  // 0: helper(return to 5), 5: helper(return to 10), 10: stop; helper at 16.
  `PUSH1:05 PUSH1:10 JUMP JUMPDEST PUSH1:0b PUSH1:10 JUMP JUMPDEST STOP STOP STOP STOP ${helper} ${Array(13).fill('STOP').join(' ')} JUMPDEST PUSH1:01 SLOAD PUSH1:01 ADD PUSH1:01 SSTORE JUMP`,
)

function run(places: readonly BranchPlace[]) {
  const evm = createEvm({ state: createTestState({ [A]: { code: asker } }), block: TEST_BLOCK, hardfork: 'osaka' })
  const [forced, decisions] = [createForcedBranchesInspector(places), createDecisionsInspector()]
  evm.transact({ from: TEST_SENDER, to: A, gasLimit: 1_000_000n }, [forced, decisions])
  return { count: evm.storage(A, 1n), forced: forced.finish(), branches: decisions.finish().branches }
}

const placeOf = ({ address, codeAddress, pc }: Decision, occurrence: number) => ({
  ...{ address, codeAddress, pc, occurrence },
})

test('a branch that answers for two is kept for each', () => {
  const { branches, count } = run([])
  expect(branches.map(({ occurrence }) => occurrence)).toEqual([0, 1])
  expect(count).toBe(0n)
})

test('only the wanted answer of a branch is turned, and its condition stays what it was', () => {
  const [branch] = run([]).branches
  if (!branch) throw new Error('no branch')
  const second = run([placeOf(branch, 1)])
  expect({ count: second.count, forced: second.forced }).toEqual({ count: 1n, forced: 1 })
  expect(second.branches.map(({ condition }) => condition.value)).toEqual([0n, 0n])
  expect(run([placeOf(branch, 0), placeOf(branch, 1)]).count).toBe(2n)
})

test('nothing is turned that is not met', () => {
  const [branch] = run([]).branches
  if (!branch) throw new Error('no branch')
  expect(run([placeOf(branch, 2)]).forced).toBe(0)
  expect(run([{ ...placeOf(branch, 0), codeAddress: TEST_SENDER }]).count).toBe(0n)
})

test('a branch that goes another way than before is noted, and one that goes the same way is not', () => {
  const before = run([]).branches
  const evm = createEvm({ state: createTestState({ [A]: { code: asker } }), block: TEST_BLOCK, hardfork: 'osaka' })
  const again = createBranchWaysInspector(before)
  evm.transact({ from: TEST_SENDER, to: A, gasLimit: 1_000_000n }, [again])
  expect(again.finish().size).toBe(0)
  evm.setStorage(A, 0n, 1n)
  const turned = createBranchWaysInspector(before)
  evm.transact({ from: TEST_SENDER, to: A, gasLimit: 1_000_000n }, [turned])
  expect(turned.finish().size).toBe(1)
})
