import {
  parseTransaction,
  recoverAddress,
  recoverTransactionAddress,
  type TransactionSerializable,
  type TransactionSerializableGeneric,
  type TransactionSerialized,
} from 'viem'
import { hashAuthorization } from 'viem/utils'
import { createEngine } from '../../src/evm/create-evm.js'
import type { CallFrame } from '../../src/evm/inspector.js'
import { createCallTraceInspector } from '../../src/evm/inspectors/call-trace.js'
import type { RuleSet } from '../../src/evm/rules.js'
import type { Authorization, TransactionRequest, TransactionResult } from '../../src/evm/transaction.js'
import type { World } from '../../src/evm/world.js'
import { type Address, type Hex, toPaddedHex } from '../../src/hex.js'
import { createAllocatedState } from './allocated-state.js'
import type { Allocation } from './state-root.js'

/**
 * One of geth's own tracer tests: a real transaction, the state it ran on, and what a tracer said
 * of it.
 */
export interface TracerFixture<Result> {
  genesis: { alloc: Record<Address, Allocation>; config: Record<string, unknown> }
  context: {
    number: string
    timestamp: string
    difficulty: string
    gasLimit: string
    miner: Address
    baseFeePerGas?: string
  }
  input: string
  result: Result
  tracerConfig?: {
    withLog?: boolean
    onlyTopCall?: boolean
    diffMode?: boolean
    disableCode?: boolean
    disableStorage?: boolean
  }
}

export interface TracerRun {
  world: World
  result: TransactionResult
  trace: CallFrame
  from: Address
}

/** Runs the fixture's transaction under the rules of its time. */
export async function runTracerFixture({
  genesis,
  context,
  input,
  tracerConfig,
}: TracerFixture<unknown>): Promise<TracerRun> {
  const alloc = Object.fromEntries(
    Object.entries(genesis.alloc).map(([address, account]) => [address, withHexNonce(account)]),
  )
  const { evm, world } = createEngine({
    state: createAllocatedState(alloc, (number) => toPaddedHex(number, 32)),
    hardfork: ruleSetOf(genesis.config, BigInt(context.number), BigInt(context.timestamp)),
    block: {
      chainId: Number(genesis.config.chainId),
      number: BigInt(context.number),
      timestamp: BigInt(context.timestamp),
      coinbase: context.miner,
      gasLimit: BigInt(context.gasLimit),
      baseFeePerGas: BigInt(context.baseFeePerGas ?? 0),
      blobBaseFee: 1n,
      prevRandao: toPaddedHex(BigInt(context.difficulty), 32),
    },
  })
  const tx = await decodeTransaction((input.startsWith('0x') ? input : `0x${input}`) as TransactionSerialized)
  const trace = createCallTraceInspector({ withLog: tracerConfig?.withLog ?? false })
  const result = evm.transact(tx, [trace])
  const whole = trace.finish()
  return { world, result, trace: tracerConfig?.onlyTopCall ? topOf(whole) : whole, from: tx.from }
}

/** `onlyTopCall`: the outermost frame, whose logs then stand behind no calls. */
function topOf({ calls: _, logs, ...top }: CallFrame): CallFrame {
  return logs ? { ...top, logs: logs.map((log) => ({ ...log, position: '0x0' })) } : top
}

/** The files write nonces as decimal text. */
function withHexNonce(account: Allocation): Allocation {
  return { ...account, nonce: `0x${BigInt(account.nonce ?? 0).toString(16)}` }
}

const FORK_KEYS: [key: string, rules: RuleSet][] = [
  ['homesteadblock', 'homestead'],
  ['eip150block', 'tangerineWhistle'],
  ['eip158block', 'spuriousDragon'],
  ['byzantiumblock', 'byzantium'],
  ['constantinopleblock', 'constantinople'],
  ['petersburgblock', 'petersburg'],
  ['istanbulblock', 'istanbul'],
  ['berlinblock', 'berlin'],
  ['londonblock', 'london'],
  ['mergenetsplitblock', 'paris'],
  ['shanghaitime', 'shanghai'],
  ['cancuntime', 'cancun'],
  ['praguetime', 'prague'],
]

/** Geth reads the keys in any case. */
function ruleSetOf(config: Record<string, unknown>, number: bigint, timestamp: bigint): RuleSet {
  const lower = new Map(Object.entries(config).map(([key, value]) => [key.toLowerCase(), value]))
  const begun = FORK_KEYS.filter(([key]) => {
    const since = lower.get(key)
    return typeof since === 'number' && BigInt(since) <= (key.endsWith('time') ? timestamp : number)
  })
  return begun.at(-1)?.[1] ?? 'frontier'
}

async function decodeTransaction(serialized: TransactionSerialized): Promise<TransactionRequest> {
  const tx = parseTransaction(serialized) as TransactionSerializable & Partial<TransactionSerializableGeneric>
  const from = (
    await recoverTransactionAddress({ serializedTransaction: serialized as never })
  ).toLowerCase() as Address
  return {
    from,
    ...(tx.to && { to: tx.to.toLowerCase() as Address }),
    value: tx.value ?? 0n,
    data: tx.data ?? '0x',
    gasLimit: tx.gas ?? 0n,
    nonce: BigInt(tx.nonce ?? 0),
    ...(tx.gasPrice !== undefined && { gasPrice: tx.gasPrice }),
    ...(tx.maxFeePerGas !== undefined && { maxFeePerGas: tx.maxFeePerGas }),
    ...(tx.maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas: tx.maxPriorityFeePerGas }),
    ...(tx.accessList && {
      accessList: tx.accessList.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] })),
    }),
    ...(tx.blobVersionedHashes && { blobVersionedHashes: [...tx.blobVersionedHashes] }),
    ...(tx.maxFeePerBlobGas !== undefined && { maxFeePerBlobGas: tx.maxFeePerBlobGas }),
    ...(tx.authorizationList && {
      authorizationList: await Promise.all(tx.authorizationList.map(decodeAuthorization)),
    }),
  }
}

async function decodeAuthorization(signed: {
  chainId: number
  address: Hex
  nonce: number
  r: Hex
  s: Hex
  yParity?: number | undefined
}): Promise<Authorization> {
  const { chainId, address, nonce, r, s, yParity = 0 } = signed
  const hash = hashAuthorization({ chainId, address, nonce })
  const authority = await recoverAddress({ hash, signature: { r, s, yParity } }).catch(() => undefined)
  return {
    chainId: BigInt(chainId),
    address: address.toLowerCase() as Address,
    nonce: BigInt(nonce),
    authority: authority?.toLowerCase() as Address | undefined,
  }
}
