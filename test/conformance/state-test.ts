import { fakeExponential } from '../../src/chains/blob-fee.js'
import { createEngine, type EngineOptions } from '../../src/evm/create-evm.js'
import { keccak256 } from '../../src/evm/keccak-words.js'
import { recoverAuthority } from '../../src/evm/recover-authority.js'
import type { RuleSet } from '../../src/evm/rules.js'
import type { Authorization, TransactionRequest } from '../../src/evm/transaction.js'
import { InvalidTransactionError } from '../../src/evm/transaction-validity.js'
import { type Address, bytesToHex, type Hex } from '../../src/hex.js'
import { createAllocatedState } from './allocated-state.js'
import { type Allocation, logsHash, stateRoot } from './state-root.js'

/**
 * One test of the Ethereum general state tests: a world, a transaction with variants, and what each
 * variant leads to.
 */
export interface StateTest {
  env: Record<
    | 'currentBaseFee'
    | 'currentCoinbase'
    | 'currentGasLimit'
    | 'currentNumber'
    | 'currentRandom'
    | 'currentTimestamp'
    | 'currentExcessBlobGas',
    Hex
  >
  pre: Record<Address, Allocation>
  transaction: {
    data: Hex[]
    gasLimit: Hex[]
    value: Hex[]
    nonce: Hex
    sender: Address
    to: Hex | ''
    gasPrice?: Hex
    maxFeePerGas?: Hex
    maxPriorityFeePerGas?: Hex
    accessLists?: ({ address: Address; storageKeys: Hex[] }[] | null)[]
    blobVersionedHashes?: Hex[]
    maxFeePerBlobGas?: Hex
    authorizationList?: { chainId: Hex; address: Address; nonce: Hex; v: Hex; yParity?: Hex; r: Hex; s: Hex }[]
  }
  post: Record<string, StateTestCase[]>
}

export interface StateTestCase {
  hash: Hex
  logs: Hex
  indexes: { data: number; gas: number; value: number }
  expectException?: string
}

/** No bound of ours may decide a conformance test. */
const NO_LIMITS = {
  steps: Number.MAX_SAFE_INTEGER,
  frames: Number.MAX_SAFE_INTEGER,
  depth: 2_000,
  frameMemoryBytes: Number.MAX_SAFE_INTEGER,
  returnDataBytes: Number.MAX_SAFE_INTEGER,
  logs: Number.MAX_SAFE_INTEGER,
  logBytes: Number.MAX_SAFE_INTEGER,
  precompileMicros: Number.MAX_SAFE_INTEGER,
  wallClockMs: Number.MAX_SAFE_INTEGER,
}

/** Runs one case and says how it differs from what is expected; `undefined` when it does not. */
export async function runStateTestCase(
  test: StateTest,
  fork: string,
  expected: StateTestCase,
  options: Pick<EngineOptions, 'precompiles' | 'codeCache'> = {},
): Promise<string | undefined> {
  const { env, pre } = test
  const { evm, world } = createEngine({
    state: createAllocatedState(pre, (number) => bytesToHex(keccak256(Buffer.from(number.toString())))),
    hardfork: fork.toLowerCase() as RuleSet,
    block: {
      chainId: 1,
      number: BigInt(env.currentNumber),
      timestamp: BigInt(env.currentTimestamp),
      coinbase: env.currentCoinbase,
      gasLimit: BigInt(env.currentGasLimit),
      baseFeePerGas: BigInt(env.currentBaseFee),
      blobBaseFee: blobBaseFee(BigInt(env.currentExcessBlobGas), fork),
      prevRandao: env.currentRandom,
    },
    limits: NO_LIMITS,
    ...options,
  })
  const outcome = transact(() => evm.transact(toRequest(test, expected.indexes)))
  if (outcome instanceof InvalidTransactionError) {
    return wrongReason(outcome.message, expected.expectException)
  }
  if (expected.expectException !== undefined) return `should be refused: ${expected.expectException}`
  const logs = logsHash(outcome.logs)
  if (logs !== expected.logs) return `other logs (${outcome.status} ${outcome.error ?? ''}, gas ${outcome.gasUsed})`
  const root = await stateRoot(pre, world)
  return root === expected.hash
    ? undefined
    : `other state root (${outcome.status} ${outcome.error ?? ''}, gas ${outcome.gasUsed})`
}

/** What the refusal says, by the name that the tests give it. */
const REASONS: Record<string, RegExp> = {
  INSUFFICIENT_ACCOUNT_FUNDS: /insufficient funds/,
  GASLIMIT_PRICE_PRODUCT_OVERFLOW: /insufficient funds/,
  INTRINSIC_GAS_TOO_LOW: /intrinsic gas too low/,
  INTRINSIC_GAS_BELOW_FLOOR_GAS_COST: /below the calldata floor/,
  SENDER_NOT_EOA: /the sender is a contract/,
  NONCE_IS_MAX: /the nonce is at its maximum/,
  NONCE_MISMATCH_TOO_LOW: /nonce is \d+, the account's is/,
  NONCE_MISMATCH_TOO_HIGH: /nonce is \d+, the account's is/,
  GAS_ALLOWANCE_EXCEEDED: /above the block's/,
  GAS_LIMIT_EXCEEDS_MAXIMUM: /above the cap of a transaction/,
  INITCODE_SIZE_EXCEEDED: /init code of \d+ bytes is too long/,
  RLP_INVALID_VALUE: /does not fit into 256 bits/,
  INSUFFICIENT_MAX_FEE_PER_GAS: /is below the base fee/,
  PRIORITY_GREATER_THAN_MAX_FEE_PER_GAS: /priority fee \d+ is above/,
  INSUFFICIENT_MAX_FEE_PER_BLOB_GAS: /below the blob base fee/,
  TYPE_3_TX_PRE_FORK: /blobs are not supported yet/,
  TYPE_3_TX_ZERO_BLOBS: /needs a blob/,
  TYPE_3_TX_BLOB_COUNT_EXCEEDED: /more than \d+ blobs/,
  TYPE_3_TX_MAX_BLOB_GAS_ALLOWANCE_EXCEEDED: /more than \d+ blobs/,
  TYPE_3_TX_INVALID_BLOB_VERSIONED_HASH: /unknown version/,
  TYPE_3_TX_CONTRACT_CREATION: /with blobs cannot create/,
  TYPE_4_TX_PRE_FORK: /authorizations are not supported yet/,
  TYPE_4_EMPTY_AUTHORIZATION_LIST: /authorization list is empty/,
  TYPE_4_TX_CONTRACT_CREATION: /with authorizations cannot create/,
}

/** A refusal must be for the reason that is expected, or one of them. */
function wrongReason(message: string, expected: string | undefined): string | undefined {
  if (expected === undefined) return `refused: ${message}`
  const names = expected.split('|').map((name) => name.replace('TransactionException.', ''))
  return names.some((name) => REASONS[name]?.test(message)) ? undefined : `refused: ${message}; expected ${expected}`
}

function transact<T>(work: () => T): T | InvalidTransactionError {
  try {
    return work()
  } catch (error) {
    if (error instanceof InvalidTransactionError) return error
    throw error
  }
}

function toRequest({ transaction: tx }: StateTest, { data, gas, value }: StateTestCase['indexes']): TransactionRequest {
  const accessList = tx.accessLists?.[data]
  return {
    from: tx.sender,
    ...(tx.to === '' ? {} : { to: tx.to }),
    data: tx.data[data] ?? '0x',
    gasLimit: BigInt(tx.gasLimit[gas] ?? 0),
    value: BigInt(tx.value[value]?.replace(/^0x:bigint 0x/, '0x') ?? 0),
    nonce: BigInt(tx.nonce),
    ...(tx.gasPrice === undefined ? {} : { gasPrice: BigInt(tx.gasPrice) }),
    ...(tx.maxFeePerGas === undefined ? {} : { maxFeePerGas: BigInt(tx.maxFeePerGas) }),
    ...(tx.maxPriorityFeePerGas === undefined ? {} : { maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas) }),
    ...(accessList ? { accessList } : {}),
    ...(tx.blobVersionedHashes === undefined ? {} : { blobVersionedHashes: tx.blobVersionedHashes }),
    ...(tx.maxFeePerBlobGas === undefined ? {} : { maxFeePerBlobGas: BigInt(tx.maxFeePerBlobGas) }),
    ...(tx.authorizationList && { authorizationList: tx.authorizationList.map(toAuthorization) }),
  }
}

function toAuthorization({ chainId, address, nonce, v, yParity = v, r, s }: SignedTuple): Authorization {
  const tuple = { chainId: BigInt(chainId), address, nonce: BigInt(nonce) }
  const signature = { yParity: BigInt(yParity), r: BigInt(r), s: BigInt(s) }
  return { ...tuple, authority: recoverAuthority({ ...tuple, ...signature }) }
}

type SignedTuple = NonNullable<StateTest['transaction']['authorizationList']>[number]

/** EIP-7691 changed the fraction. */
const blobBaseFee = (excess: bigint, fork: string) =>
  fakeExponential(excess, fork === 'Cancun' ? 3_338_477n : 5_007_716n)
