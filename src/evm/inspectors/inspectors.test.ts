import { describe, expect, test } from 'vitest'
import type { Address, Hex } from '../../hex.js'
import { opcodeByName } from '../../instructions/opcodes.js'
import { createEvm } from '../create-evm.js'
import type { Inspector } from '../inspector.js'
import { createTestState, TEST_BLOCK, TEST_SENDER, type TestAccount } from '../testing.js'
import { createBalanceChangesInspector } from './balance-changes.js'
import { createLogsInspector } from './logs.js'
import { createOpcodeSetInspector } from './opcode-set.js'
import { createReentrancyInspector } from './reentrancy.js'
import { createStorageAccessInspector } from './storage-access.js'
import { createTaintInspector } from './taint.js'

const A: Address = '0x00000000000000000000000000000000000000aa'
const B: Address = '0x00000000000000000000000000000000000000bb'
const C: Address = '0x00000000000000000000000000000000000000cc'

/** Assembles `NAME` and `NAME:hex` words. */
const code = (source: string): Hex => {
  const bytes = source
    .trim()
    .split(/\s+/)
    .flatMap((word) => {
      const [name = '', data = ''] = word.split(':')
      return [opcodeByName(name), ...Buffer.from(data, 'hex')]
    })
  return `0x${Buffer.from(bytes).toString('hex')}`
}

function watch<T>(inspector: Inspector<T>, accounts: Record<Address, TestAccount>, value = 0n): T {
  const evm = createEvm({ state: createTestState(accounts), block: TEST_BLOCK, hardfork: 'osaka' })
  evm.transact({ from: TEST_SENDER, to: A, gasLimit: 1_000_000n, value }, [inspector])
  return inspector.finish()
}

/** Calls `target` with all gas and no data, and drops the answer. */
const calling = (target: Address, value = '00') =>
  `PUSH0 PUSH0 PUSH0 PUSH0 PUSH1:${value} PUSH20:${target.slice(2)} GAS CALL POP`

describe('reentrancy', () => {
  /**
   * A bank that looks at slot 0, calls the account that it pays, and writes slot 0 after; on the
   * way in again it writes at once.
   */
  const bank = code(`PUSH0 SLOAD ${calling(B)} PUSH1:01 ADD PUSH0 SSTORE STOP`)
  /** Enters again unless it has done so. */
  const thief = code(`PUSH0 SLOAD PUSH1:27 JUMPI PUSH1:01 PUSH0 SSTORE ${calling(A)} JUMPDEST STOP`)

  test('is a slot changed inside a call and written after it by what was read before', () => {
    expect(watch(createReentrancyInspector(), { [A]: { code: bank }, [B]: { code: thief } })).toEqual({
      reentered: true,
      contracts: [A],
    })
  })

  test('is not a read-only call back', () => {
    const reader = code(`PUSH0 PUSH0 PUSH0 PUSH0 PUSH20:${A.slice(2)} GAS STATICCALL STOP`)
    const outer = code(
      `CALLER PUSH20:${B.slice(2)} EQ PUSH1:3f JUMPI PUSH0 SLOAD POP ${calling(B)} PUSH1:01 PUSH0 SSTORE JUMPDEST PUSH0 SLOAD STOP`,
    )
    expect(watch(createReentrancyInspector(), { [A]: { code: outer }, [B]: { code: reader } }).reentered).toBe(false)
  })

  test('is not a refund of native coin', () => {
    const payer = code(`PUSH1:01 PUSH0 SSTORE ${calling(B, '05')} PUSH1:02 PUSH0 SSTORE STOP`)
    const refunder = code(`${calling(TEST_SENDER, '05')} STOP`)
    expect(watch(createReentrancyInspector(), { [A]: { code: payer }, [B]: { code: refunder } }, 9n).reentered).toBe(
      false,
    )
  })

  test('is not a contract that looks again before it writes, under a lock, as tokens do that swap their fees', () => {
    // Called by B it only adds to slot 0; called by others it locks, calls B, and adds to slot 0 as
    // it is then.
    const token = code(
      `CALLER PUSH20:${B.slice(2)} EQ PUSH1:44 JUMPI PUSH0 SLOAD POP PUSH1:01 PUSH1:01 SSTORE ${calling(B)} PUSH0 PUSH1:01 SSTORE
       JUMPDEST PUSH1:05 PUSH0 SLOAD ADD PUSH0 SSTORE STOP`,
    )
    const router = code(`PUSH1:2a PUSH0 MSTORE PUSH0 PUSH0 PUSH1:20 PUSH0 PUSH0 PUSH20:${A.slice(2)} GAS CALL POP STOP`)
    expect(watch(createReentrancyInspector(), { [A]: { code: token }, [B]: { code: router } }).reentered).toBe(false)
  })

  test('is not what a failed frame did', () => {
    const failing = code(`PUSH0 SLOAD ${calling(B)} PUSH1:01 ADD PUSH0 SSTORE PUSH0 PUSH0 REVERT`)
    expect(watch(createReentrancyInspector(), { [A]: { code: failing }, [B]: { code: thief } }).reentered).toBe(false)
  })
})

describe('taint', () => {
  const branchesOf = (source: string, others: Record<Address, TestAccount> = {}) =>
    watch(createTaintInspector(), { [A]: { code: code(source) }, ...others }).branches.map(
      ({ sources, comparison }) => ({
        sources,
        ...(comparison && { operator: comparison.operator, other: comparison.other }),
      }),
    )
  const jump = 'PUSH1:ff JUMPI STOP'

  test.each([
    'TIMESTAMP',
    'NUMBER',
    'COINBASE',
    'ORIGIN',
    'CALLER',
    'PREVRANDAO',
    'GASLIMIT',
    'GAS',
    'CHAINID',
    'BLOBBASEFEE',
  ])('sees %s reach a branch, and what it was compared with', (source) => {
    expect(branchesOf(`PUSH1:07 ${source} LT ${jump}`)).toEqual([{ sources: [source], operator: 'LT', other: 7n }])
  })

  test('tells the address, the code and the place', () => {
    const { branches } = watch(createTaintInspector(), { [A]: { code: code(`TIMESTAMP PUSH1:09 EQ ${jump}`) } })
    expect(branches).toEqual([
      {
        sources: ['TIMESTAMP'],
        address: A,
        codeAddress: A,
        depth: 0,
        pc: 6,
        comparison: { operator: 'EQ', value: TEST_BLOCK.timestamp, other: 9n },
      },
    ])
  })

  test('follows values through memory, storage, calldata and return data', () => {
    const echo = code('CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY CALLDATASIZE PUSH0 RETURN')
    const source = `NUMBER PUSH0 SSTORE PUSH0 SLOAD PUSH1:13 MSTORE
      PUSH1:20 PUSH1:80 PUSH1:20 PUSH1:13 PUSH20:${B.slice(2)} GAS STATICCALL POP PUSH1:80 MLOAD PUSH1:05 GT ${jump}`
    expect(branchesOf(source, { [B]: { code: echo } })).toEqual([{ sources: ['NUMBER'], operator: 'GT', other: 5n }])
  })

  test('leaves alone what merely stands in the same word', () => {
    const packed = 'PUSH1:2a TIMESTAMP PUSH1:e0 SHL OR'
    expect(branchesOf(`${packed} PUSH2:ffff AND PUSH1:07 LT ${jump}`)).toEqual([])
    expect(branchesOf(`${packed} PUSH1:e0 SHR PUSH1:07 LT ${jump}`)).toHaveLength(1)
  })

  test('leaves alone what was looked up under a tainted key', () => {
    expect(branchesOf(`CALLER SLOAD ISZERO ${jump}`)).toEqual([])
  })

  test('leaves alone what no branch depends on', () => {
    expect(branchesOf(`TIMESTAMP PUSH0 SSTORE CALLER PUSH0 MSTORE PUSH1:01 ${jump}`)).toEqual([])
  })
})

test('storage access tells what was read and what has changed for good', () => {
  const undone = code('PUSH1:63 PUSH1:05 SSTORE PUSH0 PUSH0 REVERT')
  const source = code(
    `PUSH1:03 SLOAD POP PUSH1:2a PUSH1:04 SSTORE PUSH1:09 PUSH1:06 SSTORE PUSH0 PUSH1:06 SSTORE ${calling(B)} STOP`,
  )
  const { reads, writes } = watch(createStorageAccessInspector(), {
    [A]: { code: source, storage: { 3: 8n, 4: 1n } },
    [B]: { code: undone },
  })
  expect(reads).toEqual(new Map([[A, new Map([[3n, 8n]])]]))
  expect(writes).toEqual(new Map([[A, new Map([[4n, { before: 1n, after: 42n }]])]]))
})

test('balance changes add up native coin and the claims of Transfer events, without what failed', () => {
  const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const source = code(
    `PUSH1:64 PUSH0 MSTORE PUSH20:${C.slice(2)} PUSH20:${B.slice(2)} PUSH32:${transferTopic} PUSH1:20 PUSH0 LOG3
     ${calling(C, '03')} ${calling(B, '02')} STOP`,
  )
  const { native, tokens } = watch(
    createBalanceChangesInspector(),
    { [A]: { code: source }, [B]: { code: code('PUSH0 PUSH0 REVERT') } },
    10n,
  )
  expect(native).toEqual(
    new Map([
      [TEST_SENDER, -10n],
      [A, 7n],
      [C, 3n],
    ]),
  )
  expect(tokens).toEqual(
    new Map([
      [
        A,
        new Map([
          [B, -100n],
          [C, 100n],
        ]),
      ],
    ]),
  )
})

test('logs are those that stand', () => {
  const source = code(`PUSH0 PUSH0 LOG0 ${calling(B)} STOP`)
  const logs = watch(createLogsInspector(), { [A]: { code: source }, [B]: { code: code('PUSH0 PUSH0 LOG0 INVALID') } })
  expect(logs).toEqual([{ address: A, topics: [], data: '0x' }])
})

test('the opcode set is kept by code, not by storage', () => {
  const source = code(`PUSH0 PUSH0 PUSH0 PUSH0 PUSH20:${B.slice(2)} GAS DELEGATECALL STOP`)
  const seen = watch(createOpcodeSetInspector(), { [A]: { code: source }, [B]: { code: code('TIMESTAMP STOP') } })
  expect([...(seen.get(B) ?? [])]).toEqual([opcodeByName('TIMESTAMP'), opcodeByName('STOP')])
  expect(seen.get(A)?.has(opcodeByName('TIMESTAMP'))).toBe(false)
})
