import { describe, expect, test } from 'vitest'
import type { Chain } from '../../src/chains/chain.js'
import { ethereum } from '../../src/chains/ethereum.js'
import { optimism } from '../../src/chains/optimism.js'
import { type Address, hexToBytes, toPaddedHex } from '../../src/hex.js'
import { type Block, type BlockTransaction, DEPOSIT, type Header } from '../../src/replay-blocks/mined-block.js'
import { replayBlock } from '../../src/replay-blocks/replay-block.js'
import type { MemoryAccount } from '../../src/state/memory-state-source.js'
import { createWitness } from '../../src/state/witness.js'
import { buildWitness } from '../state/build-witness.js'

const ETHER = 10n ** 18n
const SENDER: Address = '0x000000000000000000000000000000000000a11c'
const TARGET: Address = '0x000000000000000000000000000000000000be4e'
const MINER: Address = '0x0000000000000000000000000000000000003143'
const BASE_FEE_VAULT: Address = '0x4200000000000000000000000000000000000019'
const L1_FEE_VAULT: Address = '0x420000000000000000000000000000000000001a'
const OPERATOR_FEE_VAULT: Address = '0x420000000000000000000000000000000000001b'
const L1_BLOCK: Address = '0x4200000000000000000000000000000000000015'

const header: Header = {
  number: 100n,
  timestamp: 1_660_000_000n,
  parentHash: toPaddedHex(1n, 32),
  coinbase: MINER,
  gasLimit: 30_000_000n,
  baseFeePerGas: 10n,
  mixHash: toPaddedHex(2n, 32),
  difficulty: 3n,
  excessBlobGas: undefined,
  parentBeaconBlockRoot: undefined,
  ommersHash: undefined,
  gasUsed: 0n,
  receiptsRoot: '0x',
  stateRoot: '0x',
  logsBloom: undefined,
  extraData: undefined,
}

type World = Record<Address, MemoryAccount>

async function replay(before: World, chain: Chain, given: Partial<Omit<Block, 'header'>>, facts: Partial<Header> = {}) {
  const witness = createWitness(await buildWitness(before))
  const block = { chain, header: { ...header, ...facts }, transactions: [], withdrawals: [], ommers: [], ...given }
  return replayBlock(block, witness)
}

const rootOf = async (world: World) => (await buildWitness(world)).stateRoot

describe('before the merge', () => {
  test('the miner is paid, and for its ommers, and their miners by their age', async () => {
    const ommers = [{ coinbase: TARGET, number: 98n }]
    const { stateRoot } = await replay({}, ethereum, { ommers })
    expect(stateRoot).toBe(
      await rootOf({ [MINER]: { balance: 2n * ETHER + ETHER / 16n }, [TARGET]: { balance: (6n * 2n * ETHER) / 8n } }),
    )
    const byzantium = await replay({}, ethereum, {}, { timestamp: 1_520_000_000n })
    expect(byzantium.stateRoot).toBe(await rootOf({ [MINER]: { balance: 3n * ETHER } }))
  })

  test('ommers that the header has and that are not given, or are too old, make it invalid', async () => {
    await expect(replay({}, ethereum, {}, { ommersHash: toPaddedHex(7n, 32) })).rejects.toThrow('ommers are not given')
    await expect(replay({}, ethereum, { ommers: [{ coinbase: TARGET, number: 92n }] })).rejects.toThrow('ommer')
  })

  test('PREVRANDAO answers the difficulty, and the random value from then on', async () => {
    const world = { [TARGET]: { code: hexToBytes('0x44600055'), nonce: 1n }, [SENDER]: { balance: ETHER } }
    const request = { from: SENDER, to: TARGET, gasLimit: 100_000n, gasPrice: 10n }
    const transactions = [{ type: 0, request, l1Fee: 0n }]
    for (const [timestamp, value, reward] of [
      [1_660_000_000n, 3n, 2n * ETHER],
      [1_670_000_000n, 2n, 0n],
    ] as const) {
      const { gasUsed, stateRoot } = await replay(world, ethereum, { transactions }, { timestamp })
      const after: World = {
        [TARGET]: { ...world[TARGET], storage: { 0: value } },
        [SENDER]: { nonce: 1n, balance: ETHER - gasUsed * 10n },
        ...(reward > 0n && { [MINER]: { balance: reward } }),
      }
      expect(stateRoot).toBe(await rootOf(after))
    }
  })
})

describe('the calls of the chain itself', () => {
  /** Counts its calls in slot 0, and keeps the first word of the calldata in slot 1. */
  const COUNTER = { code: hexToBytes('0x5f546001015f555f3560015500'), nonce: 1n }
  const contracts: Address[] = [
    '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
    '0x0000f90827f1c53a10cb7a02335b175320002935',
    '0x00000961ef480eb55e80d19ad83579a64c007002',
    '0x0000bbddc7ce488642fb579f8b00f3a590007251',
  ]
  const world: World = Object.fromEntries(contracts.map((address) => [address, COUNTER]))
  const root = toPaddedHex(0xbeefn, 32)
  const called = (word: bigint): MemoryAccount => ({ ...COUNTER, storage: { 0: 1n, ...(word > 0n && { 1: word }) } })
  const facts = { timestamp: 1_750_000_000n, parentBeaconBlockRoot: root, excessBlobGas: 0n }

  test('are made at the start and the end of a block of Ethereum, and cost no account anything', async () => {
    const { stateRoot, gasUsed } = await replay(world, ethereum, {}, facts)
    const words = [0xbeefn, BigInt(header.parentHash), 0n, 0n]
    expect(stateRoot).toBe(
      await rootOf(Object.fromEntries(contracts.map((address, i) => [address, called(words[i] ?? 0n)]))),
    )
    expect(gasUsed).toBe(0n)
  })

  test('are those of the start alone on the OP Stack, and each from its fork on', async () => {
    const [roots = '0x', hashes = '0x', ...others] = contracts
    const rest = Object.fromEntries(others.map((address) => [address, COUNTER]))
    const onStack = await replay(world, optimism, {}, facts)
    expect(onStack.stateRoot).toBe(
      await rootOf({ [roots]: called(0xbeefn), [hashes]: called(BigInt(header.parentHash)), ...rest }),
    )
    const atCancun = await replay(world, ethereum, {}, { ...facts, timestamp: 1_720_000_000n })
    expect(atCancun.stateRoot).toBe(await rootOf({ [roots]: called(0xbeefn), [hashes]: COUNTER, ...rest }))
  })

  test('do nothing where the contract is not there, and a failing one makes the block invalid', async () => {
    expect((await replay({}, ethereum, {}, facts)).stateRoot).toBe(await rootOf({}))
    const failing = { [contracts[2] ?? '0x']: { code: hexToBytes('0x5f5ffd'), nonce: 1n } }
    await expect(replay(failing, ethereum, {}, facts)).rejects.toThrow('own call to 0x00000961ef')
  })
})

describe('withdrawals', () => {
  test('create what they say, in Gwei', async () => {
    const withdrawals = [
      { address: TARGET, amountGwei: 3n },
      { address: MINER, amountGwei: 0n },
    ]
    const { stateRoot } = await replay({}, ethereum, { withdrawals }, { timestamp: 1_690_000_000n })
    expect(stateRoot).toBe(await rootOf({ [TARGET]: { balance: 3_000_000_000n } }))
  })
})

const AT_CANYON = { timestamp: 1_705_000_000n }
const deposit = (change: object): BlockTransaction => ({
  type: DEPOSIT,
  deposit: { from: SENDER, to: TARGET, gasLimit: 100_000n, ...change },
})

describe('the OP Stack', () => {
  test('a deposit mints first and pays nothing', async () => {
    const transactions = [deposit({ mint: 5n, value: 4n })]
    const { stateRoot, gasUsed } = await replay({}, optimism, { transactions }, AT_CANYON)
    expect(gasUsed).toBe(21_000n)
    expect(stateRoot).toBe(await rootOf({ [SENDER]: { nonce: 1n, balance: 1n }, [TARGET]: { balance: 4n } }))
  })

  test.each([
    ['pays more than it has', { mint: 5n, value: 6n }],
    ['has too little gas to begin', { mint: 5n, gasLimit: 20_000n }],
    ['reverts', { mint: 5n, to: MINER }],
  ])('a deposit that %s is included, fails, and leaves what was minted', async (_, change) => {
    const world = { [MINER]: { code: hexToBytes('0x5f5ffd'), nonce: 1n } }
    const { receipts, stateRoot } = await replay(world, optimism, { transactions: [deposit(change)] }, AT_CANYON)
    expect(receipts).toMatchObject([{ isSuccess: false, depositNonce: 0n }])
    expect(stateRoot).toBe(await rootOf({ ...world, [SENDER]: { nonce: 1n, balance: 5n } }))
  })

  test('a deposit creates a contract from the nonce that it found', async () => {
    const world = { [SENDER]: { nonce: 7n } }
    const transactions = [deposit({ to: undefined, data: '0x600060005260016000f3' })]
    const { receipts } = await replay(world, optimism, { transactions }, AT_CANYON)
    expect(receipts).toMatchObject([{ isSuccess: true, depositNonce: 7n }])
  })

  test('receipts of deposits had no nonce before Canyon', async () => {
    const { receipts } = await replay({}, optimism, { transactions: [deposit({})] }, { timestamp: 1_700_000_000n })
    expect(receipts[0]).not.toHaveProperty('depositNonce')
  })

  test('a transaction pays for L1 before it runs, and the base fee is kept', async () => {
    const request = { from: SENDER, to: TARGET, gasLimit: 21_000n, maxFeePerGas: 20n, maxPriorityFeePerGas: 1n }
    const transactions = [{ type: 2, request, l1Fee: 77n }]
    const { stateRoot } = await replay({ [SENDER]: { balance: ETHER } }, optimism, { transactions }, AT_CANYON)
    expect(stateRoot).toBe(
      await rootOf({
        [SENDER]: { nonce: 1n, balance: ETHER - 21_000n * 11n - 77n },
        [MINER]: { balance: 21_000n },
        [BASE_FEE_VAULT]: { balance: 210_000n },
        [L1_FEE_VAULT]: { balance: 77n },
      }),
    )
  })

  /** Isthmus, by the formula of its headers, and from Jovian on. */
  test.each([
    ['a millionth of the scalar for each unit of gas', '0x00000000fa00000006', (21_000n * 400_000n) / 1_000_000n + 9n],
    ['a hundred times the scalar since Jovian', '0x01000000fa000000060000000000000000', 21_000n * 400_000n * 100n + 9n],
  ] as const)('the operator takes %s, and what is not used comes back', async (_, extraData, taken) => {
    const words: MemoryAccount = { nonce: 1n, storage: { 8: (400_000n << 64n) | 9n } }
    const request = { from: SENDER, to: TARGET, gasLimit: 30_000n, gasPrice: 20n }
    const transactions = [{ type: 0, request, l1Fee: 77n }]
    const facts = { timestamp: 1_760_000_000n, extraData }
    const world = { [SENDER]: { balance: ETHER }, [L1_BLOCK]: words }
    const { stateRoot } = await replay(world, optimism, { transactions }, facts)
    expect(stateRoot).toBe(
      await rootOf({
        [L1_BLOCK]: words,
        [SENDER]: { nonce: 1n, balance: ETHER - 21_000n * 20n - 77n - taken },
        [MINER]: { balance: 210_000n },
        [BASE_FEE_VAULT]: { balance: 210_000n },
        [L1_FEE_VAULT]: { balance: 77n },
        [OPERATOR_FEE_VAULT]: { balance: taken },
      }),
    )
    const poor = { ...world, [SENDER]: { balance: 30_000n * 20n + 77n } }
    await expect(replay(poor, optimism, { transactions }, facts)).rejects.toThrow(
      /cannot pay the fees|would not be included/,
    )
  })

  test('the operator took nothing before Isthmus', async () => {
    const words: MemoryAccount = { nonce: 1n, storage: { 8: (400_000n << 64n) | 9n } }
    const transactions = [
      { type: 0, request: { from: SENDER, to: TARGET, gasLimit: 21_000n, gasPrice: 20n }, l1Fee: 0n },
    ]
    const { stateRoot } = await replay(
      { [SENDER]: { balance: ETHER }, [L1_BLOCK]: words },
      optimism,
      { transactions },
      AT_CANYON,
    )
    expect(stateRoot).toBe(
      await rootOf({
        [L1_BLOCK]: words,
        [SENDER]: { nonce: 1n, balance: ETHER - 21_000n * 20n },
        [MINER]: { balance: 210_000n },
        [BASE_FEE_VAULT]: { balance: 210_000n },
      }),
    )
  })

  test('who cannot pay for L1 is not included, and there are no deposits on Ethereum', async () => {
    const request = { from: SENDER, to: TARGET, gasLimit: 21_000n, gasPrice: 20n }
    const transactions = [{ type: 0, request, l1Fee: ETHER + 1n }]
    await expect(replay({ [SENDER]: { balance: ETHER } }, optimism, { transactions }, AT_CANYON)).rejects.toThrow(
      'cannot pay',
    )
    await expect(replay({}, ethereum, { transactions: [deposit({})] }, AT_CANYON)).rejects.toThrow('no deposits')
  })
})

test('a contract that destroys itself goes with its storage', async () => {
  // Sends its balance away and ends; London's rules delete it.
  const world: World = {
    [TARGET]: { code: hexToBytes('0x6000ff'), nonce: 1n, balance: 9n, storage: { 1: 2n } },
    [SENDER]: { balance: ETHER },
  }
  const request = { from: SENDER, to: TARGET, gasLimit: 100_000n, gasPrice: 10n }
  const { gasUsed, stateRoot } = await replay(world, ethereum, { transactions: [{ type: 0, request, l1Fee: 0n }] })
  expect(stateRoot).toBe(
    await rootOf({
      '0x0000000000000000000000000000000000000000': { balance: 9n },
      [SENDER]: { nonce: 1n, balance: ETHER - gasUsed * 10n },
      [MINER]: { balance: 2n * ETHER },
    }),
  )
})

describe('a precompile whose account is empty', () => {
  const IDENTITY: Address = '0x0000000000000000000000000000000000000004'
  const call = (value: bigint) => ({
    transactions: [
      { type: 0, request: { from: SENDER, to: IDENTITY, gasLimit: 60_000n, gasPrice: 10n, value }, l1Fee: 0n },
    ],
  })
  const paid = (gasUsed: bigint, sent: bigint): World => ({
    [SENDER]: { nonce: 1n, balance: ETHER - gasUsed * 10n - sent },
    [MINER]: { balance: 2n * ETHER },
  })
  const before: World = { [SENDER]: { balance: ETHER }, [IDENTITY]: { balance: 0n } }

  test('goes when it is touched (EIP-161), and stays as it was in a block that does not', async () => {
    const { gasUsed, stateRoot } = await replay(before, ethereum, call(0n))
    expect(stateRoot).toBe(await rootOf(paid(gasUsed, 0n)))
    const untouched = await replay(before, ethereum, {})
    expect(untouched.stateRoot).toBe(await rootOf({ ...before, [MINER]: { balance: 2n * ETHER } }))
  })

  test('comes to be with the coins that it is sent, and a contract pays for it as for a new account', async () => {
    const { gasUsed, stateRoot } = await replay(before, ethereum, call(5n))
    expect(stateRoot).toBe(await rootOf({ ...paid(gasUsed, 5n), [IDENTITY]: { balance: 5n } }))
    const gasOf = async (account: MemoryAccount) => {
      // Calls the identity with one wei.
      const payer = { [TARGET]: { code: hexToBytes('0x6000600060006000600160045af1'), nonce: 1n, balance: 9n } }
      const request = { from: SENDER, to: TARGET, gasLimit: 90_000n, gasPrice: 10n }
      const world = { ...before, ...payer, [IDENTITY]: account }
      return (await replay(world, ethereum, { transactions: [{ type: 0, request, l1Fee: 0n }] })).gasUsed
    }
    expect((await gasOf({ balance: 0n })) - (await gasOf({ balance: 1n }))).toBe(25_000n)
  })
})
