import { describe, expect, test } from 'vitest'
import { type Address, EMPTY_CODE_HASH, type Hex, hexToBytes, toPaddedHex } from '../hex.js'
import { toWord } from '../instructions/word.js'
import { type StateReader, UNKNOWN_NONCE } from '../state/state-reader.js'
import { createAddress } from './create-address.js'
import { createEvm } from './create-evm.js'
import type { RuleSet } from './rules.js'
import { createTestState, TEST_BLOCK, TEST_SENDER, type TestAccount } from './testing.js'
import type { TransactionRequest } from './transaction.js'
import { InvalidTransactionError } from './transaction-validity.js'

const CONTRACT: Address = '0x00000000000000000000000000000000000c0de1'
const OTHER: Address = '0x00000000000000000000000000000000000c0de2'
/** The first contract of this account. */
const createdBy = (sender: Address) => toPaddedHex(BigInt(createAddress(toWord(BigInt(sender)), 0n)), 20)
/** Adds one to slot 0 and returns it. */
const COUNTER: Hex = '0x5f54600101805f555f5260205ff3'

function engine(accounts: Record<Address, TestAccount> = {}, hardfork: RuleSet = 'osaka', block = TEST_BLOCK) {
  return createEvm({ state: createTestState(accounts), block, hardfork })
}

const count = { from: TEST_SENDER, to: CONTRACT, gasLimit: 100_000n }

describe('snapshots', () => {
  test('lead back to the marked state, any number of times', () => {
    const evm = engine({ [CONTRACT]: { code: COUNTER } })
    evm.transact(count)
    const marked = evm.snapshot()
    for (let round = 0; round < 3; round += 1) {
      evm.transact(count)
      evm.transact(count)
      expect(evm.storage(CONTRACT, 0n)).toBe(3n)
      evm.restore(marked)
      expect(evm.storage(CONTRACT, 0n)).toBe(1n)
      expect(evm.account(TEST_SENDER).nonce).toBe(1n)
    }
  })

  test('forget the marks that were made later', () => {
    const evm = engine()
    const first = evm.snapshot()
    const second = evm.snapshot()
    evm.restore(first)
    expect(() => evm.restore(second)).toThrow(RangeError)
  })

  test('take overrides back too', () => {
    const evm = engine()
    const marked = evm.snapshot()
    evm.setCode(CONTRACT, hexToBytes(COUNTER))
    evm.setStorage(CONTRACT, 0n, 41n)
    evm.setBalance(OTHER, 5n)
    evm.setNonce(OTHER, 6n)
    expect(BigInt(evm.transact(count).output)).toBe(42n)
    evm.restore(marked)
    expect(evm.account(OTHER)).toEqual({ balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH })
    expect(evm.code(CONTRACT)).toHaveLength(0)
  })
})

test('a read leaves no trace and costs nothing', () => {
  const evm = engine({ [CONTRACT]: { code: COUNTER } })
  const before = evm.account(TEST_SENDER)
  expect(BigInt(evm.read({ from: TEST_SENDER, to: CONTRACT, data: '0x' }).output)).toBe(1n)
  expect(BigInt(evm.read({ to: CONTRACT, data: '0x' }).output)).toBe(1n)
  expect(evm.account(TEST_SENDER)).toEqual(before)
})

test('what a contract calls stays, until it is taken back', () => {
  const evm = engine({ [CONTRACT]: { code: COUNTER }, [OTHER]: { code: COUNTER } })
  const [before, marked] = [evm.account(OTHER), evm.snapshot()]
  expect(() => evm.transact({ ...count, from: OTHER })).toThrow(InvalidTransactionError)
  evm.act({ from: OTHER, to: CONTRACT, data: '0x' })
  expect(BigInt(evm.act({ from: OTHER, to: CONTRACT, data: '0x' }).output)).toBe(2n)
  expect(evm.account(OTHER)).toEqual(before)
  evm.restore(marked)
  expect(evm.storage(CONTRACT, 0n)).toBe(0n)
})

describe('engines of one thread lend each other their frames', () => {
  /** Puts one and two on the stack and 7 into memory, adds, and returns memory and the sum. */
  const code: Hex = '0x600160026007602052015f5260405ff3'

  test('also while another one is within an opcode', () => {
    const inner = engine({ [CONTRACT]: { code: COUNTER } })
    const outer = engine({ [CONTRACT]: { code } })
    const run = () => outer.transact({ ...count, data: '0x' }, [watching]).output
    const watching = { opcodes: [0x01], onStep: () => void inner.transact(count), finish: () => undefined }
    expect(run()).toBe(toPaddedHex((3n << 256n) | 7n, 64))
    expect(run()).toBe(toPaddedHex((3n << 256n) | 7n, 64))
    expect(inner.storage(CONTRACT, 0n)).toBe(2n)
  })

  test('and none that was left within an opcode', () => {
    const evm = engine({ [CONTRACT]: { code } })
    const failing = {
      opcodes: [0x01],
      onStep: () => {
        throw new RangeError('stopped')
      },
      finish: () => undefined,
    }
    expect(() => evm.transact(count, [failing])).toThrow(RangeError)
    expect(engine({ [CONTRACT]: { code } }).transact(count).output).toBe(toPaddedHex((3n << 256n) | 7n, 64))
  })
})

test('time travel reaches the block opcodes', () => {
  // TIMESTAMP and NUMBER, as two words
  const evm = engine({ [CONTRACT]: { code: '0x425f5243602052604 05ff3'.replace(' ', '') as Hex } })
  evm.setBlock({ ...TEST_BLOCK, timestamp: 99n, number: 77n })
  expect(evm.read({ to: CONTRACT, data: '0x' }).output).toBe(toPaddedHex((99n << 256n) | 77n, 64))
  expect(evm.block.number).toBe(77n)
})

describe('a block hash', () => {
  // BLOCKHASH of the number in calldata
  const code: Hex = '0x5f35405f5260205ff3'
  const ask = (evm: ReturnType<typeof engine>, number: bigint) =>
    BigInt(evm.read({ to: CONTRACT, data: toPaddedHex(number, 32) }).output)

  test('is the chain’s own for past blocks', () => {
    expect(ask(engine({ [CONTRACT]: { code } }), TEST_BLOCK.number - 3n)).toBe(TEST_BLOCK.number - 3n)
  })

  test('is made up, and stays so, for blocks that were only travelled past', () => {
    const evm = engine({ [CONTRACT]: { code } })
    evm.setBlock({ ...TEST_BLOCK, number: TEST_BLOCK.number + 100n })
    const hash = ask(evm, TEST_BLOCK.number + 50n)
    expect(hash).toBeGreaterThan(2n ** 200n)
    expect(ask(evm, TEST_BLOCK.number + 50n)).toBe(hash)
    expect(ask(evm, TEST_BLOCK.number + 51n)).not.toBe(hash)
  })

  test('is zero outside of the last 256', () => {
    const evm = engine({ [CONTRACT]: { code } })
    expect(ask(evm, TEST_BLOCK.number)).toBe(0n)
    expect(ask(evm, TEST_BLOCK.number - 257n)).toBe(0n)
  })
})

describe('what is not known', () => {
  const nothing: StateReader = {
    account: () => undefined,
    code: () => undefined,
    storage: () => undefined,
    blockHash: () => undefined,
  }

  test('is recorded once each, in order of need, and read as empty', () => {
    const state: StateReader = {
      ...nothing,
      account: (address) => (address === CONTRACT ? { balance: 0n, nonce: 1n, codeHash: '0x01' } : undefined),
      // reads slots 1, 2, 1, the balance of an account twice, and a block hash
      code: () => hexToBytes('0x600154506002545060015450610dad3150610dad31506301 5ef3bf4050'.replace(' ', '')),
    }
    const evm = createEvm({ state, block: TEST_BLOCK, hardfork: 'osaka' })
    expect(evm.transact({ ...count, gasPrice: 0n }).status).toBe('success')
    expect(evm.misses).toEqual([
      { kind: 'account', address: TEST_SENDER },
      { kind: 'storage', address: CONTRACT, slot: 1n },
      { kind: 'storage', address: CONTRACT, slot: 2n },
      { kind: 'account', address: '0x0000000000000000000000000000000000000dad' },
      { kind: 'blockHash', number: 22_999_999n },
    ])
  })

  test('asks for an account whose code is missing', () => {
    const state = { ...nothing, account: () => ({ balance: 0n, nonce: 0n, codeHash: '0x01' }) as const }
    const evm = createEvm({ state, block: TEST_BLOCK, hardfork: 'osaka' })
    expect(evm.code(CONTRACT)).toHaveLength(0)
    expect(evm.misses).toEqual([{ kind: 'account', address: CONTRACT }])
  })

  test('does not make a transaction invalid', () => {
    const evm = createEvm({ state: nothing, block: TEST_BLOCK, hardfork: 'osaka' })
    expect(evm.transact({ ...count, value: 5n, nonce: 7n }).status).toBe('success')
  })

  test('is not the storage of a contract that the run itself has created', () => {
    // init code that reads slot 0 and stops
    const evm = createEvm({ state: createTestState({}), block: TEST_BLOCK, hardfork: 'osaka' })
    evm.transact({ from: TEST_SENDER, data: '0x5f545000', gasLimit: 100_000n })
    expect(evm.misses).toEqual([])
  })
})

describe('a transaction is refused', () => {
  const rich = { ...TEST_BLOCK, baseFeePerGas: 10n }
  const base: TransactionRequest = { from: TEST_SENDER, to: OTHER, gasLimit: 21_000n, maxFeePerGas: 20n }
  const cases: [string, Partial<TransactionRequest>, RuleSet?][] = [
    ['for its nonce', { nonce: 1n }],
    ['for too little gas', { gasLimit: 20_999n }],
    ['for gas below the calldata floor', { data: `0x${'11'.repeat(1_000)}`, gasLimit: 40_000n }],
    ['for more gas than the block has', { gasLimit: 60_000_001n }, 'prague'],
    ['for more gas than EIP-7825 allows', { gasLimit: 2n ** 24n + 1n }],
    ['for a fee cap below the base fee', { maxFeePerGas: 9n }],
    ['for a tip above the fee cap', { maxPriorityFeePerGas: 21n }],
    ['for a balance that is too small', { value: 10n ** 24n }],
    ['for too long an init code', { to: undefined as never, data: `0x${'00'.repeat(49_153)}`, gasLimit: 10_000_000n }],
    ['for a sender with code', { from: CONTRACT }],
    ['for an empty list of authorizations', { authorizationList: [] }],
    ['for authorizations before they existed', { authorizationList: [] }, 'cancun'],
    ['for too many blobs', { blobVersionedHashes: Array(7).fill(`0x01${'00'.repeat(31)}`), maxFeePerBlobGas: 1n }],
    ['for a blob hash of another version', { blobVersionedHashes: [`0x02${'00'.repeat(31)}`], maxFeePerBlobGas: 1n }],
    ['for a blob fee cap that is too low', { blobVersionedHashes: [`0x01${'00'.repeat(31)}`], maxFeePerBlobGas: 0n }],
  ]

  test.each(cases)('%s', (_, change, hardfork = 'osaka') => {
    const evm = engine({ [CONTRACT]: { code: COUNTER, balance: 10n ** 20n } }, hardfork, rich)
    const { to, ...rest } = { ...base, ...change }
    expect(() => evm.transact({ ...rest, ...(to !== undefined && { to }) })).toThrow(InvalidTransactionError)
    expect(evm.account(TEST_SENDER).nonce).toBe(0n)
  })

  test('but not when all is in order; the sender pays the effective price and the coinbase gets the tip', () => {
    const evm = engine({}, 'osaka', rich)
    const { gasUsed } = evm.transact({ ...base, maxPriorityFeePerGas: 3n, value: 1n })
    expect(gasUsed).toBe(21_000n)
    expect(evm.account(TEST_SENDER).balance).toBe(10n ** 24n - 21_000n * 13n - 1n)
    expect(evm.account(TEST_BLOCK.coinbase).balance).toBe(21_000n * 3n)
  })
})

describe('tips to a coinbase that the state does not know yet', () => {
  /** Returns the balance of the coinbase. */
  const ASK: Hex = '0x41315f5260205ff3'
  const TIP = 21_000n * 3n
  const BEFORE = 100n
  const transfer = { from: TEST_SENDER, to: OTHER, gasLimit: 21_000n, maxFeePerGas: 3n, maxPriorityFeePerGas: 3n }
  const account = { balance: BEFORE, nonce: 1n, codeHash: EMPTY_CODE_HASH }

  const tipped = () => {
    const all = createTestState({ [CONTRACT]: { code: ASK } })
    const known = { coinbase: false }
    const state: StateReader = {
      ...all,
      account: (address) => {
        if (address !== TEST_BLOCK.coinbase) return all.account(address)
        return known.coinbase ? account : undefined
      },
    }
    const evm = createEvm({ state, block: TEST_BLOCK, hardfork: 'osaka' })
    const untipped = evm.snapshot()
    evm.transact(transfer)
    return { evm, known, untipped }
  }

  test('ask for nothing', () => {
    const { evm } = tipped()
    evm.transact(transfer)
    expect(evm.misses).toEqual([])
  })

  test('are asked for by code that wants to know the balance', () => {
    const { evm } = tipped()
    evm.read({ to: CONTRACT, data: '0x' })
    expect(evm.misses).toEqual([{ kind: 'account', address: TEST_BLOCK.coinbase }])
  })

  test('are part of the balance once it is known, and go back to it', () => {
    const { evm, known, untipped } = tipped()
    const once = evm.snapshot()
    evm.transact(transfer)
    known.coinbase = true
    expect(BigInt(evm.read({ to: CONTRACT, data: '0x' }).output)).toBe(BEFORE + 2n * TIP)
    evm.restore(once)
    expect(evm.account(TEST_BLOCK.coinbase)).toEqual({ ...account, balance: BEFORE + TIP })
    evm.restore(untipped)
    expect(evm.account(TEST_BLOCK.coinbase)).toEqual(account)
    evm.transact(transfer)
    expect(evm.account(TEST_BLOCK.coinbase).balance).toBe(BEFORE + TIP)
  })
})

describe('accounts whose nonce the state does not know', () => {
  /** Creates an empty contract, whose address it returns. */
  const CREATE: Hex = '0x5f5f5ff05f5260205ff3'
  const MISS = { kind: 'account', address: OTHER }

  const evmWith = (code: Hex) => {
    const all = createTestState({ [OTHER]: { code, balance: 10n ** 20n } })
    const account = (address: Address) => {
      const found = all.account(address)
      return found && address === OTHER ? { ...found, nonce: UNKNOWN_NONCE } : found
    }
    return createEvm({ state: { ...all, account }, block: TEST_BLOCK, hardfork: 'osaka' })
  }

  test('are paid, run and send without it', () => {
    const evm = evmWith(COUNTER)
    expect(evm.transact({ ...count, to: OTHER, value: 1n }).status).toBe('success')
    const sender = evmWith('0x')
    expect(sender.transact({ from: OTHER, to: CONTRACT, gasLimit: 21_000n, value: 1n }).status).toBe('success')
    expect([...evm.misses, ...sender.misses]).toEqual([])
  })

  const askers: [string, () => ReturnType<typeof evmWith>][] = [
    ['who asks for the account', () => run(evmWith('0x'), (evm) => evm.account(OTHER))],
    ['a contract that creates', () => run(evmWith(CREATE), (evm) => evm.read({ to: OTHER, data: '0x' }))],
    [
      'a transaction that creates',
      () => run(evmWith('0x'), (evm) => evm.transact({ from: OTHER, data: '0x00', gasLimit: 100_000n })),
    ],
    [
      'a transaction that names it',
      () => run(evmWith('0x'), (evm) => evm.transact({ from: OTHER, to: CONTRACT, nonce: 0n, gasLimit: 21_000n })),
    ],
    [
      'an authorization',
      () =>
        run(evmWith('0x'), (evm) => {
          const authorization = { chainId: 1n, address: CONTRACT, nonce: 0n, authority: OTHER }
          evm.transact({ ...count, authorizationList: [authorization] })
        }),
    ],
  ]
  const run = (evm: ReturnType<typeof evmWith>, work: (evm: ReturnType<typeof evmWith>) => unknown) => {
    work(evm)
    return evm
  }

  test.each(askers)('%s misses it', (_, asked) => {
    expect(asked().misses).toEqual([MISS])
  })

  test('may be where a contract is to be created, which misses it too', () => {
    const created = createdBy(TEST_SENDER)
    const all = createTestState({ [created]: { balance: 1n } })
    const account = (address: Address) => {
      const found = all.account(address)
      return found && address === created ? { ...found, nonce: UNKNOWN_NONCE } : found
    }
    const evm = createEvm({ state: { ...all, account }, block: TEST_BLOCK, hardfork: 'osaka' })
    evm.transact({ from: TEST_SENDER, data: '0x', gasLimit: 100_000n })
    expect(evm.misses).toEqual([{ kind: 'account', address: created }])
  })
})

describe('EIP-7702', () => {
  const authorize = (address: Address) => ({ chainId: 1n, address, nonce: 0n, authority: OTHER })
  const delegated = () => {
    const evm = engine({ [CONTRACT]: { code: COUNTER } })
    evm.transact({ ...count, authorizationList: [authorize(CONTRACT)] })
    return evm
  }

  test('runs the delegate’s code on the account’s own storage', () => {
    const evm = delegated()
    expect(evm.transact({ ...count, to: OTHER }).output).toBe(toPaddedHex(1n, 32))
    expect(evm.storage(OTHER, 0n)).toBe(1n)
  })

  test('leaves a designator as the code, and lets the account send', () => {
    const evm = delegated()
    evm.setBalance(OTHER, 10n ** 18n)
    expect(evm.code(OTHER)).toEqual(hexToBytes(`0xef0100${CONTRACT.slice(2)}`))
    expect(evm.transact({ from: OTHER, to: TEST_SENDER, gasLimit: 21_000n }).status).toBe('success')
  })

  test('is undone by authorizing the zero address', () => {
    const evm = delegated()
    const zero = toPaddedHex(0n, 20)
    evm.transact({ ...count, authorizationList: [{ ...authorize(zero), nonce: 1n }] })
    expect(evm.account(OTHER)).toMatchObject({ codeHash: EMPTY_CODE_HASH, nonce: 2n })
  })

  test('skips a tuple that does not hold, and keeps its price', () => {
    const evm = engine({ [CONTRACT]: { code: COUNTER } })
    const wrong = [
      { ...authorize(CONTRACT), nonce: 5n },
      { ...authorize(CONTRACT), chainId: 56n },
      { ...authorize(CONTRACT), authority: undefined },
    ]
    const { gasUsed } = evm.transact({ ...count, gasLimit: 200_000n, authorizationList: wrong })
    expect(gasUsed).toBeGreaterThan(75_000n)
    expect(evm.code(OTHER)).toHaveLength(0)
  })
})
