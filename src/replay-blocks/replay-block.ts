import { type Chain, type EngineFacts, type Hardfork, hardforkAt, isSince } from '../chains/chain.js'
import { createWorkClock } from '../clock.js'
import { BaseError } from '../errors.js'
import { environmentOf } from '../evm/block-environment.js'
import { createEngine, type Engine } from '../evm/create-evm.js'
import { AnalysisResistedError, type Limits } from '../evm/limits.js'
import type { TransactionResult } from '../evm/transaction.js'
import { InvalidTransactionError } from '../evm/transaction-validity.js'
import { type Hex, toPaddedHex } from '../hex.js'
import type { Witness } from '../state/witness.js'
import { changesOf } from './changes.js'
import { type Block, type BlockTransaction, DEPOSIT, InvalidBlockError } from './mined-block.js'
import { bloomOf, type Receipt, receiptsRoot } from './receipts.js'
import { credit, payReward } from './reward.js'
import { createStackFees, type PayAndTransact } from './stack-fees.js'
import { callAtEnd, callAtStart } from './system-calls.js'

/** What a block leads to by our execution, under the names of the header's fields. */
export interface Replayed {
  gasUsed: bigint
  receiptsRoot: Hex
  logsBloom: Hex
  stateRoot: Hex
  receipts: readonly Receipt[]
  /** Transactions that went beyond the limits of an analysis, and were run with wider ones. */
  beyondLimits: number
}

/**
 * Executes a whole block on the state that `witness` proves, under the rules that the chain's table
 * names for the header's second. Throws `UnknownStateError` where the witness ends and
 * {@link InvalidBlockError} where the chain would refuse the block.
 */
export function replayBlock(block: Block, witness: Witness): Replayed {
  const { chain, header } = block
  refuseOwnStacks(chain)
  if (!isInTable(block)) throw new UnsupportedBlockError(`the rules of ${chain.name} at its time are not known here`)
  const hardfork = hardforkAt(chain, header.timestamp)
  if (isSince(hardfork, 'amsterdam')) throw new UnsupportedBlockError(`the gas of Amsterdam is not known here`)
  const engine = createEngine({
    engine: chain.engine,
    state: witness,
    hardfork,
    block: environment(block, hardfork),
    clock: createWorkClock(),
  })
  callAtStart(engine, header, hardfork)
  const payAndTransact = createStackFees(engine, header, hardfork, witness)
  const run = runTransactions(engine, block, hardfork, payAndTransact)
  if (chain.stack === 'ethereum') callAtEnd(engine, hardfork)
  for (const { address, amountGwei } of block.withdrawals) credit(engine.evm, address, amountGwei * GWEI)
  payReward(engine, block, hardfork)
  return {
    ...run,
    receiptsRoot: receiptsRoot(run.receipts),
    logsBloom: bloomOf(run.receipts.flatMap(({ logs }) => logs)),
    stateRoot: witness.rootAfter(changesOf(engine.world, witness)),
  }
}

/**
 * Throws {@link UnsupportedBlockError} for chains whose nodes do more than run transactions, before
 * a node is asked for anything.
 */
export function refuseOwnStacks({ stack, name, engine }: Chain): void {
  if (stack !== 'own') return
  throw new UnsupportedBlockError(
    (engine?.system && OWN_DOINGS[engine.system]) ?? `the nodes of ${name} do more than run transactions`,
  )
}

const OWN_DOINGS: Partial<Record<NonNullable<EngineFacts['system']>, string>> = {
  bsc: 'the validators of BSC end it with system transactions, which pay rewards and move stakes by rules of their own',
  arbitrum: 'ArbOS does more in it than run transactions: it redeems tickets, and keeps the prices of L1 and L2',
}

type Run = Pick<Replayed, 'gasUsed' | 'receipts' | 'beyondLimits'>

function runTransactions(engine: Engine, block: Block, hardfork: Hardfork, onStack: PayAndTransact): Run {
  const receipts: Receipt[] = []
  let gasUsed = 0n
  let beyondLimits = 0
  for (const [index, transaction] of block.transactions.entries()) {
    const { from, gasLimit } = 'request' in transaction ? transaction.request : transaction.deposit
    if (gasUsed + gasLimit > block.header.gasLimit)
      throw new InvalidBlockError(`transaction ${index} is above its gas limit`)
    const depositNonce = transaction.type === DEPOSIT ? engine.evm.account(from).nonce : undefined
    const { result, isBeyond } = withinLimits(engine, () =>
      included(index, () => execute(engine, block, transaction, onStack)),
    )
    if (isBeyond) beyondLimits += 1
    gasUsed += result.gasUsed
    receipts.push(toReceipt(transaction.type, result, gasUsed, depositNonce, hardfork))
  }
  return { gasUsed, receipts, beyondLimits }
}

/** What of the header our execution contradicts, as `stateRoot: 0x… instead of 0x…`. */
export function contradictions({ header }: Block, replayed: Replayed): string[] {
  return COMPARED.filter((field) => header[field] !== undefined && header[field] !== replayed[field]).map(
    (field) => `${field}: ${replayed[field]} instead of ${header[field]}`,
  )
}

/** One line: how many transactions, and each field of the header with what came of it. */
export function describeReplay(block: Block, replayed: Replayed): string {
  const wrong = contradictions(block, replayed)
  const fields = COMPARED.map((field) =>
    block.header[field] === undefined
      ? `${field} not given`
      : (wrong.find((each) => each.startsWith(field)) ?? `${field} exact`),
  )
  const { beyondLimits } = replayed
  const beyond = beyondLimits > 0 ? [`${beyondLimits} beyond the limits of an analysis`] : []
  return [`${block.transactions.length} transactions`, ...beyond, ...fields].join(', ')
}

const COMPARED = ['receiptsRoot', 'stateRoot', 'gasUsed', 'logsBloom'] as const

const GWEI = 1_000_000_000n

/** Receipts of before Byzantium hold a state root each, and are not made here. */
const isInTable = ({ chain: { hardforks }, header }: Block) =>
  hardforks[0] !== undefined && header.timestamp >= BigInt(hardforks[0].since)

function environment({ chain, header }: Block, hardfork: Hardfork) {
  const { difficulty, mixHash, baseFeePerGas = 0n } = header
  const prevRandao = isSince(hardfork, 'paris') ? mixHash : toPaddedHex(difficulty, 32)
  return environmentOf(chain, { ...header, baseFeePerGas, prevRandao, l1BlockNumber: undefined })
}

function execute(
  { evm, deposit }: Engine,
  { chain }: Block,
  transaction: BlockTransaction,
  onStack: PayAndTransact,
): TransactionResult {
  if (!('request' in transaction)) {
    if (chain.stack !== 'op') throw new InvalidBlockError(`${chain.name} has no deposits`)
    return deposit(transaction.deposit)
  }
  const { request, l1Fee } = transaction
  return chain.stack === 'op' ? onStack(request, l1Fee) : evm.transact(request)
}

function included<T>(index: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof InvalidTransactionError)) throw error
    throw new InvalidBlockError(`transaction ${index} would not be included`, error)
  }
}

/** Each transaction has what an analysis has; only where that is too little, what a block needs. */
function withinLimits(engine: Engine, work: () => TransactionResult): { result: TransactionResult; isBeyond: boolean } {
  engine.renewBudget()
  const before = engine.evm.snapshot()
  try {
    return { result: work(), isBeyond: false }
  } catch (error) {
    if (!(error instanceof AnalysisResistedError)) throw error
    engine.evm.restore(before)
    engine.renewBudget(BLOCK_LIMITS)
    return { result: work(), isBeyond: true }
  }
}

/** Gas bounds what a mined transaction does; these are above what the gas of a block can buy. */
const BLOCK_LIMITS: Limits = {
  steps: 100_000_000,
  frames: 2_000_000,
  depth: 1_025,
  frameMemoryBytes: 64 * 1024 * 1024,
  returnDataBytes: 64 * 1024 * 1024,
  logs: 200_000,
  logBytes: 64 * 1024 * 1024,
  precompileMicros: 60_000_000,
  misses: 0,
  wallClockMs: 60_000,
}

function toReceipt(
  type: number,
  { status, logs }: TransactionResult,
  cumulativeGasUsed: bigint,
  depositNonce: bigint | undefined,
  hardfork: Hardfork,
): Receipt {
  // The receipts of deposits carry their nonce since Canyon, which brought Shanghai's rules.
  const isCounted = depositNonce !== undefined && isSince(hardfork, 'shanghai')
  const receipt = { type, isSuccess: status === 'success', cumulativeGasUsed, logs }
  return isCounted ? { ...receipt, depositNonce } : receipt
}

/** A block of a kind, or of a time, that is not replayed here. */
export class UnsupportedBlockError extends BaseError {
  override readonly name = 'UnsupportedBlockError'
  constructor(reason: string) {
    super(`The block cannot be replayed: ${reason}`, { docs: 'docs/real-chain.md' })
  }
}
