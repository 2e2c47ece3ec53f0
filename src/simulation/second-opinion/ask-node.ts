import type { Chain } from '../../chains/chain.js'
import type { BlockEnvironment } from '../../evm/block-environment.js'
import type { TransactionRequest } from '../../evm/transaction.js'
import { type Hex, toQuantity, ZERO_ADDRESS } from '../../hex.js'
import { RpcAbilityError, RpcLacksAbilityError } from '../../rpc/capabilities.js'
import type { BlockParameter } from '../../rpc/methods.js'
import { type Parse, parseData, parseList, parseObject, parseOptional, parseQuantity } from '../../rpc/parse.js'
import { type RpcOutcome, type RpcRequest, unwrap } from '../../rpc/request.js'
import type { RpcClient } from '../../rpc/rpc-client.js'
import type { Suspect } from '../../rpc/suspect.js'
import type { PinnedBlock } from '../../state/state-source.js'
import { placeBlocks } from '../node-engine/place-blocks.js'
import { createProbe, type Probe } from '../node-engine/probe.js'
import { parseLog, parseOutcome } from '../node-engine/simulate-v1.js'
import type { NodeResult } from './compare-results.js'
import type { RecordedTransaction } from './recorded-run.js'

export interface NodeSaid {
  /** As it was put to the node, so that it can be put again. */
  request: { method: string; params: readonly unknown[] }
  result: NodeResult
}

/** A transaction as a node is asked to execute it by itself, on state that it is told. */
export type Question = Pick<RecordedTransaction, 'tx' | 'environment' | 'changes'>

/**
 * Has a node of the chain execute each of these transactions, all in one request: by
 * `debug_traceCall`, or by `eth_simulateV1` where it lacks that. Beside them runs a probe, which
 * tells whether the node plays in the block that it is told. Rejects with `RpcUnavailableError`
 * when none can or does; what a node refuses of a transaction is left out.
 */
export function askNode(
  rpc: RpcClient,
  {
    chain,
    block,
    suspect,
    questions,
  }: { chain: Chain; block: PinnedBlock; suspect: Suspect; questions: readonly Question[] },
): Promise<(NodeSaid | undefined)[]> {
  return rpc.run(
    ({ capabilities }) => {
      const ability = ABILITIES.find((each) => capabilities[each])
      if (ability === undefined) throw new RpcLacksAbilityError('simulate')
      const at: BlockParameter = capabilities.blockHash ? { blockHash: block.hash } : toQuantity(block.number)
      const probe = createProbe()
      const place: Place = { at, pinned: block, isNumbered: chain.numberSource === 'block' }
      const toRequest = ability === 'prestateTracer' ? toTrace : toSimulation
      const asked = questions.map((each) => toRequest(each, place))
      const first = questions.find((_, i) => asked[i] !== undefined)
      const probing = first && toRequest(asProbe(probe, first), place)
      if (probing === undefined) throw new RpcLacksAbilityError(ability)
      return {
        requests: [probing, ...asked.filter((each) => each !== undefined)],
        read([probed, ...rest]) {
          const outcomes = rest.values()
          const { output } = unwrap(probed as RpcOutcome<NodeResult>)
          if (probe.read(output)?.timestamp !== first?.environment.timestamp)
            throw new RpcAbilityError(ability, 'an override was ignored')
          return asked.map((request) => {
            const outcome = request && (outcomes.next().value as RpcOutcome<NodeResult> | undefined)
            if (!request || !outcome?.ok) return undefined
            return { request: { method: request.method, params: request.params }, result: outcome.value }
          })
        },
      }
    },
    { suspect, budget: rpc.createBudget({ deadlineMs: DEADLINE_MS }) },
  )
}

/** The first asks for less: one call, whose block may be of any height. */
const ABILITIES = ['prestateTracer', 'simulate'] as const
/** Nothing waits for it; a node that takes longer has better things to do. */
const DEADLINE_MS = 10_000
/** In geth's notation; below the time limit of an HTTP request. */
const TRACE_TIMEOUT = '2s'
const PROBE_GAS = 200_000n
const MAX_FRAMES = 10_000
const MAX_LOGS = 5_000

interface Place {
  at: BlockParameter
  pinned: PinnedBlock
  /** NUMBER is the height of the chain's own blocks. */
  isNumbered: boolean
}

/** Plays where the transaction does, beside it. */
function asProbe({ address, code, reader, asking }: Probe, { environment }: Question): Question {
  const tx: TransactionRequest = {
    ...{ from: reader, to: address, data: asking(ZERO_ADDRESS), gasLimit: PROBE_GAS },
    ...{ maxFeePerGas: 2n * environment.baseFeePerGas, maxPriorityFeePerGas: 0n },
  }
  const changes = { [address]: { code }, [reader]: { balance: toQuantity(2n ** 100n) } }
  return { tx, environment, changes }
}

const toTrace = ({ tx, environment, changes }: Question, { at, isNumbered }: Place): RpcRequest<NodeResult> => ({
  method: 'debug_traceCall',
  optional: true,
  params: [
    toCall(tx),
    at,
    {
      ...{ tracer: 'callTracer', tracerConfig: { withLog: true }, timeout: TRACE_TIMEOUT },
      ...{ stateOverrides: changes, blockOverrides: toBlock(environment, isNumbered ? environment.number : undefined) },
    },
  ],
  parse: parseTrace,
})

/** Nothing where the node would have to play more blocks in between than nodes do. */
const toSimulation = (
  { tx, environment, changes }: Question,
  { at, pinned }: Place,
): RpcRequest<NodeResult> | undefined => {
  const { number, l2Number = number } = environment
  const own = { environment, height: 0n }
  const blocks = placeBlocks([own], pinned, (between) => ({ environment: between, height: 0n }))
  if (own.height !== l2Number) return undefined
  const blockStateCalls = blocks.map((block) => ({
    blockOverrides: toBlock(block.environment, block.height),
    ...(block === own ? { stateOverrides: changes, calls: [toCall(tx)] } : { calls: [] }),
  }))
  return {
    method: 'eth_simulateV1',
    optional: true,
    params: [{ blockStateCalls, validation: true }, at],
    parse(value) {
      const { calls } = parseList(value, parseObject, blocks.length).at(-1) ?? {}
      const [outcome] = parseList(calls, parseOutcome, 1)
      if (outcome === undefined) throw new RpcAbilityError('simulate', 'it left calls out')
      const { status, gasUsed, output, logs } = outcome
      return { isSuccess: status === 'success', gasUsed, output, logs }
    },
  }
}

function toCall({ from, to, data = '0x', value = 0n, gasLimit, gasPrice, ...fees }: TransactionRequest) {
  const { maxFeePerGas, maxPriorityFeePerGas } = fees
  return {
    ...{ from, to, input: data, value: toQuantity(value), gas: toQuantity(gasLimit) },
    ...(gasPrice !== undefined && { gasPrice: toQuantity(gasPrice) }),
    ...(maxFeePerGas !== undefined && { maxFeePerGas: toQuantity(maxFeePerGas) }),
    ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas) }),
  }
}

function toBlock(environment: BlockEnvironment, number: bigint | undefined): Record<string, Hex> {
  const { timestamp, coinbase, gasLimit, baseFeePerGas, prevRandao } = environment
  return {
    ...(number !== undefined && { number: toQuantity(number) }),
    ...{ time: toQuantity(timestamp), feeRecipient: coinbase, gasLimit: toQuantity(gasLimit) },
    ...{ baseFeePerGas: toQuantity(baseFeePerGas), prevRandao },
  }
}

/** What `callTracer` says of the outermost call, with the logs of all calls that stand. */
const parseTrace: Parse<NodeResult> = (value) => {
  const root = parseObject(value)
  const logs: NodeResult['logs'] = []
  const waiting = [root]
  for (let frames = 1; waiting.length > 0 && frames <= MAX_FRAMES; frames += 1) {
    const frame = waiting.pop() ?? {}
    // What a call that failed had done is undone.
    if (frame.error !== undefined) continue
    logs.push(...(parseOptional(frame.logs, (list) => parseList(list, parseLog, MAX_LOGS)) ?? []))
    waiting.push(...(parseOptional(frame.calls, (list) => parseList(list, parseObject, MAX_FRAMES)) ?? []))
  }
  const { gasUsed, output, error } = root
  return {
    isSuccess: error === undefined,
    gasUsed: parseQuantity(gasUsed),
    output: parseOptional(output, parseData) ?? '0x',
    logs,
  }
}
