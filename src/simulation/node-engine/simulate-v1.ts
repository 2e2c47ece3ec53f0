import type { BlockEnvironment } from '../../evm/block-environment.js'
import type { ReadRequest } from '../../evm/evm.js'
import { faults } from '../../evm/faults.js'
import type { Log } from '../../evm/inspector.js'
import { decodeRevertReason } from '../../evm/revert-reason.js'
import type { TransactionRequest, TransactionResult } from '../../evm/transaction.js'
import { type Address, type Hex, toQuantity, ZERO_ADDRESS } from '../../hex.js'
import { RpcAbilityError } from '../../rpc/capabilities.js'
import type { BlockParameter, StateOverrides } from '../../rpc/methods.js'
import { parseAddress, parseData, parseHash, parseList, parseObject, parseQuantity } from '../../rpc/parse.js'
import type { RpcRequest } from '../../rpc/request.js'
import type { PinnedBlock } from '../../state/state-source.js'
import { plainText } from '../../untrusted-text.js'
import { addOverride } from './override.js'
import { type Placed, placeBlocks } from './place-blocks.js'
import { createProbe, type Probe } from './probe.js'
import type { NodeAnswer, NodeQuestion, Step } from './question.js'

/** Questions about one history, answered by one `eth_simulateV1`. */
export interface Play {
  steps: readonly Step[]
  questions: readonly NodeQuestion[]
}

/** For a read; a wallet asks with less. */
const READ_GAS = 3_000_000n
/** Pays for reads at any price of gas. */
const READER_BALANCE = 2n ** 100n
const MAX_LOGS = 5_000
const MAX_TOPICS = 4
/** Longer words of a node are no failure's name. */
const MAX_ERROR_LENGTH = 120

/** What `eth_simulateV1` is told of one block, and who waits for each of its calls. */
interface BlockCalls extends Placed {
  stateOverrides: StateOverrides
  calls: { call: object; take: (result: TransactionResult) => void }[]
}

/**
 * Plays a history on a node and asks what is wanted at its end. Before and after the trade a probe
 * tells where it ran; `parse` throws `RpcAbilityError` when that is not where it was to run.
 * `isProvable`: on this chain NUMBER and BLOCKHASH are those of the chain's own blocks.
 */
export function simulateRequest(
  { steps, questions }: Play,
  pinned: PinnedBlock,
  isProvable: boolean,
  at: BlockParameter,
): RpcRequest<Map<string, NodeAnswer>> {
  const answers = new Map<string, NodeAnswer>()
  const probe = createProbe()
  const asked = toBlocks(steps, questions, probe, answers, isProvable ? pinned : undefined)
  const blocks = placeBlocks(asked, pinned, createBlock)
  return {
    method: 'eth_simulateV1',
    params: [{ blockStateCalls: blocks.map(toWire), validation: true }, at],
    parse(value) {
      const results = parseList(value, parseObject, blocks.length)
      for (const [i, { calls }] of blocks.entries()) {
        if (calls.length === 0) continue
        const outcomes = parseList(results[i]?.calls, parseOutcome, calls.length)
        if (outcomes.length !== calls.length) throw new RpcAbilityError('simulate', 'it left calls out')
        for (const [j, outcome] of outcomes.entries()) calls[j]?.take(outcome)
      }
      return answers
    },
  }
}

function toBlocks(
  steps: readonly Step[],
  questions: readonly NodeQuestion[],
  probe: Probe,
  answers: Map<string, NodeAnswer>,
  pinned: PinnedBlock | undefined,
): BlockCalls[] {
  const first = steps.find((step) => step.kind === 'transaction')?.block ?? questions[0]?.block
  if (first === undefined) throw new RangeError('nothing is asked')
  let current = createBlock(first)
  const blocks = [current]
  const enter = (environment: BlockEnvironment) => {
    if (environment.timestamp <= current.environment.timestamp) return
    current = createBlock(environment)
    blocks.push(current)
  }
  const addProbe = (of: Address, hash: Hex | undefined, take?: (balance: bigint) => void) => {
    const block = current
    const { timestamp } = block.environment
    block.calls.push({
      call: toRead(probe, block.environment, { to: probe.address, data: probe.asking(of) }),
      take(result) {
        const reading = probe.read(result.output)
        if (reading === undefined) throw new RpcAbilityError('simulate', 'a code override was ignored')
        const isPlaced = reading.timestamp === timestamp && (!pinned || reading.number === block.height)
        if (!isPlaced) throw new RpcAbilityError('simulate', 'a block override was ignored')
        if (hash !== undefined && reading.parentHash !== hash) throw new RpcAbilityError('simulate', 'another block')
        take?.(reading.balance)
      },
    })
  }

  current.stateOverrides[probe.address] = { code: probe.code }
  current.stateOverrides[probe.reader] = { balance: toQuantity(READER_BALANCE) }
  // Elsewhere than right behind the pinned block, the parent is a block that never was.
  addProbe(ZERO_ADDRESS, first.number - 1n === pinned?.number ? pinned?.hash : undefined)
  let lastOutcome: TransactionResult | undefined
  for (const step of steps) {
    if (step.kind === 'override') {
      // Overrides come before the calls of their block.
      if (current.calls.length > 1 || blocks.length > 1) {
        const { environment } = current
        current = createBlock({ ...environment, timestamp: environment.timestamp + 1n })
        blocks.push(current)
      }
      addOverride(current.stateOverrides, step.address, step.change)
    } else {
      enter(step.block)
      const take = (result: TransactionResult) => {
        lastOutcome = result
      }
      current.calls.push({ call: toCall(step.tx), take })
    }
  }
  for (const { key, block, wanted } of questions) {
    enter(block)
    if (wanted.kind === 'balance') addProbe(wanted.address, undefined, (balance) => answers.set(key, balance))
    if (wanted.kind === 'read') {
      const call = toRead(probe, current.environment, wanted.call)
      current.calls.push({ call, take: (result) => void answers.set(key, result) })
    }
    if (wanted.kind === 'outcome') {
      addProbe(ZERO_ADDRESS, undefined, () => lastOutcome && answers.set(key, lastOutcome))
    }
  }
  addProbe(ZERO_ADDRESS, undefined)
  return blocks
}

/**
 * Validated blocks want to be paid for each call, so that BASEFEE and GASPRICE are what they are.
 */
function toRead(
  { reader }: Probe,
  { baseFeePerGas }: BlockEnvironment,
  { from = reader, to, data, value = 0n }: ReadRequest,
) {
  const fees = { maxFeePerGas: toQuantity(2n * baseFeePerGas), maxPriorityFeePerGas: '0x0' }
  return { from, to, data, value: toQuantity(value), gas: toQuantity(READ_GAS), ...fees }
}

function toCall({
  from,
  to,
  data = '0x',
  value = 0n,
  gasLimit,
  maxFeePerGas,
  maxPriorityFeePerGas,
}: TransactionRequest) {
  return {
    from,
    to,
    data,
    value: toQuantity(value),
    gas: toQuantity(gasLimit),
    ...(maxFeePerGas !== undefined && { maxFeePerGas: toQuantity(maxFeePerGas) }),
    ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas) }),
  }
}

function toWire({ environment, height, stateOverrides, calls }: BlockCalls) {
  const { timestamp, coinbase, gasLimit, baseFeePerGas, prevRandao } = environment
  return {
    blockOverrides: {
      number: toQuantity(height),
      time: toQuantity(timestamp),
      feeRecipient: coinbase,
      gasLimit: toQuantity(gasLimit),
      baseFeePerGas: toQuantity(baseFeePerGas),
      prevRandao,
    },
    stateOverrides,
    calls: calls.map(({ call }) => call),
  }
}

function createBlock(environment: BlockEnvironment): BlockCalls {
  return { environment, height: 0n, stateOverrides: {}, calls: [] }
}

/**
 * One call's result in our words. What a node says of a failure is a text of its own, and
 * untrusted.
 */
export function parseOutcome(value: unknown): TransactionResult {
  const { status, returnData, gasUsed, logs, error } = parseObject(value)
  const base = { gasUsed: parseQuantity(gasUsed), output: parseData(returnData) }
  if (parseQuantity(status) === 1n) return { ...base, status: 'success', logs: parseList(logs, parseLog, MAX_LOGS) }
  const said = typeof error === 'object' && error !== null && 'message' in error ? error.message : ''
  const words = typeof said === 'string' ? plainText(said).slice(0, MAX_ERROR_LENGTH) : ''
  if (!words.includes('revert')) return { ...base, status: 'halt', error: words || 'execution failed', logs: [] }
  const revertReason = decodeRevertReason(base.output)
  return { ...base, status: 'revert', error: faults.reverted, ...(revertReason && { revertReason }), logs: [] }
}

export function parseLog(value: unknown): Log {
  const { address, topics, data } = parseObject(value)
  return {
    address: parseAddress(address),
    topics: parseList(topics, parseHash, MAX_TOPICS),
    data: parseData(data),
  }
}
