import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Account, createAddressFromString } from '@ethereumjs/util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chains } from '../../src/chains/index.js'
import { UnsupportedExecutionError } from '../../src/evm/chain-extras.js'
import { createAddress } from '../../src/evm/create-address.js'
import { createEvm } from '../../src/evm/create-evm.js'
import { createTestState, TEST_BLOCK, TEST_SENDER, type TestAccount } from '../../src/evm/testing.js'
import { type Address, bytesToHex, type Hex, hexToBytes, toPaddedHex } from '../../src/hex.js'
import { opcodeByName } from '../../src/instructions/opcodes.js'

/*
 * What is prepared of Amsterdam, against an engine of others that is given the same proposals and
 * no other: @ethereumjs/evm with EIP-7708, 7843, 7954, 8024 and 8246 on Osaka's rules.
 */

const PREPARED = [7708, 7843, 7954, 8024, 8246]
const FIRST: Address = '0x00000000000000000000000000000000000000a1'
const SECOND: Address = '0x00000000000000000000000000000000000000b2'
const FRESH: Address = '0x00000000000000000000000000000000000000c3'
/** What the first contract creates first. */
const CREATED = toPaddedHex(BigInt(createAddress(0xa1, 0n)), 20)
const ACCOUNTS = [FIRST, SECOND, FRESH, CREATED]
const GAS = 16_000_000

class Prepared extends Common {
  constructor() {
    super({ chain: Mainnet, hardfork: Hardfork.Osaka })
    this.HARDFORK_CHANGES = this.HARDFORK_CHANGES.map(([name, changes]) =>
      name === Hardfork.Amsterdam ? [name, { ...changes, eips: PREPARED }] : [name, changes],
    )
    this.setHardfork(Hardfork.Amsterdam)
  }
}

interface Outcome {
  output: Hex
  failed: boolean
  gasUsed: bigint
  logs: { address: Hex; topics: Hex[]; data: Hex }[]
  balances: bigint[]
}

type Accounts = Record<Address, { code?: Hex; balance?: bigint }>

function runOurs(accounts: Accounts, value: bigint): Outcome {
  const given = Object.entries(accounts).map(([address, account]) => [address, account as TestAccount])
  const state = createTestState({ [TEST_SENDER]: { balance: 10n ** 18n }, ...Object.fromEntries(given) })
  const evm = createEvm({ state, block: TEST_BLOCK, hardfork: 'amsterdam' })
  const request = { from: TEST_SENDER, to: FIRST, value, gasPrice: 0n, gasLimit: BigInt(GAS + 21_000) }
  const { status, output, gasUsed, logs } = evm.transact(request)
  return {
    output: status === 'halt' ? '0x' : output,
    failed: status !== 'success',
    gasUsed: gasUsed - 21_000n,
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data })),
    balances: ACCOUNTS.map((address) => evm.account(address).balance),
  }
}

async function runTheirs(accounts: Accounts, value: bigint): Promise<Outcome> {
  const common = new Prepared()
  const stateManager = new SimpleStateManager({ common })
  for (const [address, { code = '0x', balance = 0n }] of Object.entries(accounts)) {
    const account = createAddressFromString(address)
    await stateManager.putAccount(account, new Account(0n, balance))
    await stateManager.putCode(account, hexToBytes(code))
  }
  const sender = createAddressFromString(TEST_SENDER)
  await stateManager.putAccount(sender, new Account(0n, 10n ** 18n))
  const evm = await createEVM({ common, stateManager })
  evm.journal.addAlwaysWarmAddress(FIRST)
  const { number, timestamp, gasLimit, baseFeePerGas, slotNumber } = TEST_BLOCK
  const header = { number, timestamp, gasLimit, baseFeePerGas, slotNumber, coinbase: sender }
  const { execResult } = await evm.runCall({
    caller: sender,
    to: createAddressFromString(FIRST),
    value,
    gasLimit: BigInt(GAS),
    block: { header } as never,
  })
  const { returnValue, exceptionError, executionGasUsed, logs = [], gasRefund = 0n } = execResult
  const balances = await Promise.all(
    ACCOUNTS.map(async (address) => (await stateManager.getAccount(createAddressFromString(address)))?.balance ?? 0n),
  )
  const spent = executionGasUsed + 21_000n
  const refund = gasRefund < spent / 5n ? gasRefund : spent / 5n
  return {
    output: exceptionError && exceptionError.error !== 'revert' ? '0x' : bytesToHex(returnValue),
    failed: exceptionError !== undefined,
    gasUsed: executionGasUsed - (exceptionError ? 0n : refund),
    logs: exceptionError
      ? []
      : logs.map(([address, topics, data]) => ({
          address: bytesToHex(address),
          topics: topics.map(bytesToHex),
          data: bytesToHex(data),
        })),
    balances,
  }
}

async function compare(accounts: Accounts, value = 0n): Promise<Outcome> {
  const ours = runOurs(accounts, value)
  expect(ours).toEqual(await runTheirs(accounts, value))
  return ours
}

const byte = (value: number) => value.toString(16).padStart(2, '0')
const op = (name: string) => byte(opcodeByName(name))
/** Words from the first, which is deepest, to the last. */
const pushes = (count: number) =>
  Array.from({ length: count }, (_, i) => `61${(i + 1).toString(16).padStart(4, '0')}`).join('')
/** Puts the uppermost 31 words into memory and returns them. */
const RETURN_31 = `${Array.from({ length: 31 }, (_, i) => `61${(i * 32).toString(16).padStart(4, '0')}${op('MSTORE')}`).join('')}6103e0${op('PUSH0')}${op('RETURN')}`

describe('DUPN, SWAPN and EXCHANGE', () => {
  const operands = Array.from({ length: 256 }, (_, operand) => operand)

  test.each(['DUPN', 'SWAPN', 'EXCHANGE'])('%s does with each operand what it does elsewhere', async (name) => {
    let refused = 0
    for (const operand of operands) {
      const code: Hex = `0x${pushes(240)}${op(name)}${byte(operand)}${RETURN_31}`
      const { failed } = await compare({ [FIRST]: { code } })
      if (failed) refused += 1
    }
    expect(refused).toBe(name === 'EXCHANGE' ? 0x7f - 0x51 : 0x7f - 0x5a)
  })

  test('find no place in a stack that is too low, and end at the code’s end', async () => {
    for (const name of ['DUPN', 'SWAPN', 'EXCHANGE'])
      for (const height of [0, 2, 3, 16, 17, 18, 107, 108, 109])
        for (const operand of ['', '00', '80', '8e', '9f', '2f'])
          await compare({ [FIRST]: { code: `0x${pushes(height)}${op(name)}${operand}` } })
  })

  test('leave jump destinations where they were', async () => {
    // The examples of the proposal: a jump past a DUPN whose operand is a JUMPDEST.
    expect((await compare({ [FIRST]: { code: '0x600456e65b' } })).failed).toBe(false)
    expect((await compare({ [FIRST]: { code: '0xe75b' } })).failed).toBe(true)
    expect((await compare({ [FIRST]: { code: '0x600556e6605b' } })).failed).toBe(true)
  })
})

test('SLOTNUM answers the slot of the block', async () => {
  const { output } = await compare({ [FIRST]: { code: `0x${op('SLOTNUM')}5f5260205ff3` } })
  expect(BigInt(output)).toBe(TEST_BLOCK.slotNumber)
})

describe('moving native coins', () => {
  const call = (to: Address, value: number, kind = 'CALL', gas = 'ffff') =>
    `5f5f5f5f60${byte(value)}73${to.slice(2)}61${gas}${op(kind)}50`

  test('leaves a log: of the transaction, of calls, of creations and of the end of a contract', async () => {
    const initCode = `73${SECOND.slice(2)}ff`
    // 22 bytes at the end of a word, and five wei with them.
    const create = `75${initCode}5f526016600a6005f050`
    const code: Hex = `0x${call(SECOND, 3)}${call(FRESH, 0)}${call(SECOND, 4, 'CALLCODE')}${create}73${FRESH.slice(2)}ff`
    const { logs } = await compare({ [FIRST]: { code, balance: 40n }, [SECOND]: { code: '0x00' } }, 7n)
    expect(logs).toHaveLength(5)
    expect(new Set(logs.map(({ address }) => address))).toEqual(new Set(['0xfffffffffffffffffffffffffffffffffffffffe']))
  })

  test('leaves none where an account sends to itself', async () => {
    // Calls itself with two wei and a byte of data, which ends at once.
    const self = `5f5f60015f600273${FIRST.slice(2)}61fffff15000`
    const { logs, failed } = await compare({ [FIRST]: { code: `0x36602657${self}5b00`, balance: 9n } })
    expect({ logs, failed }).toEqual({ logs: [], failed: false })
  })

  test('leaves none where the call fails or is taken back, or nothing is moved', async () => {
    const reverting: Accounts = { [SECOND]: { code: '0x5f5ffd' } }
    const failing = await compare({ ...reverting, [FIRST]: { code: `0x${call(SECOND, 3)}00`, balance: 9n } })
    expect(failing.logs).toEqual([])
    const poor = await compare({ ...reverting, [FIRST]: { code: `0x${call(FRESH, 3)}00`, balance: 2n } })
    expect(poor.logs).toEqual([])
  })

  test('goes on to a contract that has ended, whose coins stay', async () => {
    // Creates a contract that ends in its own favour, then sends it more.
    const initCode = '30ff'
    const code: Hex = `0x61${initCode}5f526002601e6005f0${'5f5f5f5f600a85617530f1'}00`
    const { logs, balances } = await compare({ [FIRST]: { code, balance: 40n } })
    expect(logs).toHaveLength(2)
    expect(balances).toEqual([25n, 0n, 0n, 15n])
  })
})

test('code may have 64 KiB, and no byte more', async () => {
  for (const size of [24_577, 65_536, 65_537]) {
    const initCode = `62${size.toString(16).padStart(6, '0')}5ff3`
    const code: Hex = `0x65${initCode}5f526006601a5ff05f5260205ff3`
    const { output } = await compare({ [FIRST]: { code } })
    expect(BigInt(output) > 0n).toBe(size <= 65_536)
  }
})

const WORD = fc.bigInt(0n, 2n ** 64n)
test('programs of old and new opcodes come out alike', async () => {
  const piece = fc.oneof(
    fc.integer({ min: 0, max: 255 }).map((operand) => `${op('DUPN')}${byte(operand)}`),
    fc.integer({ min: 0, max: 255 }).map((operand) => `${op('SWAPN')}${byte(operand)}`),
    fc.integer({ min: 0, max: 255 }).map((operand) => `${op('EXCHANGE')}${byte(operand)}`),
    WORD.map((word) => `67${toPaddedHex(word % 2n ** 64n, 8).slice(2)}`),
    fc.constantFrom('ADD', 'XOR', 'SLOTNUM', 'DUP3', 'SWAP5', 'POP', 'JUMPDEST').map(op),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
      await compare({ [FIRST]: { code: `0x${pushes(130)}${pieces.join('')}${RETURN_31}` } })
    }),
    { numRuns: 150 },
  )
})

describe('data of a transaction', () => {
  const cost = (
    data: Hex,
    hardfork: 'osaka' | 'amsterdam',
    accessList: { address: Address; storageKeys: Hex[] }[] = [],
  ) => {
    const evm = createEvm({ state: createTestState({}), block: TEST_BLOCK, hardfork })
    return evm.transact({ from: TEST_SENDER, to: FRESH, data, gasPrice: 0n, gasLimit: 2_000_000n, accessList }).gasUsed
  }

  test('each byte counts 64 gas towards the floor, zero or not (EIP-7976)', () => {
    expect(cost(`0x${'00'.repeat(1_000)}`, 'amsterdam')).toBe(21_000n + 64_000n)
    expect(cost(`0x${'ab'.repeat(1_000)}`, 'amsterdam')).toBe(21_000n + 64_000n)
    expect(cost(`0x${'00'.repeat(1_000)}`, 'osaka')).toBe(21_000n + 10_000n)
  })

  test('access lists pay 64 gas for each byte, and count towards the floor (EIP-7981)', () => {
    const list = [{ address: SECOND, storageKeys: [toPaddedHex(1n, 32), toPaddedHex(2n, 32)] }]
    const listed = 2_400n + 2n * 1_900n
    const bytes = 20n + 2n * 32n
    expect(cost('0x', 'osaka', list)).toBe(21_000n + listed)
    expect(cost('0x', 'amsterdam', list)).toBe(21_000n + listed + 64n * bytes)
    expect(cost(`0x${'00'.repeat(1_000)}`, 'amsterdam', list)).toBe(21_000n + 64_000n + 64n * bytes)
  })
})

describe('behind the fork table', () => {
  test('no chain has Amsterdam, and its opcodes mean nothing before', () => {
    const named = readdirSync('deploy/chains').map((file) => readFileSync(join('deploy/chains', file), 'utf8'))
    expect(chains.flatMap(({ hardforks }) => hardforks.map(({ name }) => name))).not.toContain('amsterdam')
    expect(named.filter((text) => text.includes('amsterdam'))).toEqual([])
    for (const [name, operand] of [
      ['SLOTNUM', ''],
      ['DUPN', '80'],
      ['SWAPN', '80'],
      ['EXCHANGE', '8e'],
    ] as const) {
      const state = createTestState({ [FIRST]: { code: `0x${pushes(20)}${op(name)}${operand}00` } })
      const outcome = (hardfork: 'osaka' | 'amsterdam') =>
        createEvm({ state, block: TEST_BLOCK, hardfork }).read({ from: TEST_SENDER, to: FIRST, data: '0x' })
      expect(outcome('osaka').error).toContain('invalid opcode')
      expect(outcome('amsterdam').status).toBe('success')
    }
  })

  test('a block without a slot ends a run that asks for it, and nothing is made up', () => {
    const { slotNumber: _, ...block } = TEST_BLOCK
    const state = createTestState({ [FIRST]: { code: `0x${op('SLOTNUM')}00` } })
    const evm = createEvm({ state, block, hardfork: 'amsterdam' })
    expect(() => evm.read({ from: TEST_SENDER, to: FIRST, data: '0x' })).toThrow(UnsupportedExecutionError)
  })
})
