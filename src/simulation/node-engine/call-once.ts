import type { Chain } from '../../chains/chain.js'
import { UnsupportedExecutionError } from '../../evm/chain-extras.js'
import type { TransactionRequest } from '../../evm/transaction.js'
import { type Address, type Hex, toQuantity, ZERO_ADDRESS } from '../../hex.js'
import { RpcAbilityError } from '../../rpc/capabilities.js'
import { type BlockParameter, ethCall } from '../../rpc/methods.js'
import type { RpcRequest } from '../../rpc/request.js'
import { randomAddress } from '../../state/random-address.js'
import type { PinnedBlock } from '../../state/state-source.js'
import { compileCalls, type ProgramStep } from './call-program.js'
import { overridesOf } from './override.js'
import type { NodeAnswer, NodeAnswers, NodeQuestion, Step } from './question.js'

/** For a read; a wallet asks with less. */
const READ_GAS = 1_000_000n
/** EIP-7825: some nodes hold calls to the gas limit of transactions. */
const CALL_GAS = toQuantity(16_777_216)
/** What a transaction costs before it runs. */
const TRANSACTION_GAS = 21_000n

type TransactionStep = Extract<Step, { kind: 'transaction' }>

/**
 * Plays a history in a single `eth_call`: the trader gets code for its time, which makes the calls
 * of all its transactions, in one block and at the time of the last.
 */
export function callOnceRequest(
  steps: readonly Step[],
  questions: readonly NodeQuestion[],
  chain: Chain,
  pinned: PinnedBlock,
  at: BlockParameter,
): RpcRequest<Map<string, NodeAnswer>> {
  const trades = steps.filter((step): step is TransactionStep => step.kind === 'transaction')
  const trader = traderOf(trades)
  const environment = questions.at(-1)?.block ?? trades.at(-1)?.block
  if (environment === undefined) throw new RangeError('nothing is asked')
  const calls = [...trades.map(({ tx }) => toCall(tx)), ...questions.flatMap(toRead)]
  const { code, read } = compileCalls(calls)
  const overrides = overridesOf(steps)
  overrides[trader] = { ...overrides[trader], code }
  const height = environment.number > pinned.number ? { number: toQuantity(environment.number) } : {}
  return {
    ...ethCall({ from: trader, to: trader, gas: CALL_GAS }, at, overrides, {
      ...(chain.numberSource === 'block' && height),
      time: toQuantity(environment.timestamp),
    }),
    parse(value) {
      const answer = typeof value === 'string' && value.startsWith('0x') ? read(value as Hex) : undefined
      if (answer === undefined) throw new RpcAbilityError('stateOverride', 'the program did not run')
      if (answer.timestamp !== environment.timestamp) throw new RpcAbilityError('blockOverride', 'the time was ignored')
      const outcomes = answer.results.slice(0, trades.length)
      return toAnswers(questions, outcomes, answer.results.slice(trades.length), feesOf(trades, outcomes))
    },
  }
}

/**
 * A trader with code can be told from a person: a trade that works here works, and one that fails
 * proves nothing.
 */
export function refuseFailures(questions: readonly NodeQuestion[], answers: NodeAnswers): void {
  for (const { key, wanted } of questions) {
    const outcome = wanted.kind === 'outcome' ? answers.get(key) : undefined
    if (typeof outcome === 'object' && outcome.status !== 'success')
      throw new UnsupportedExecutionError('a trade that failed where the trader had to be a contract')
  }
}

/** Any sender: histories with several senders cannot be played by one program. */
function traderOf(trades: readonly TransactionStep[]): Address {
  const [sender = ZERO_ADDRESS, ...others] = new Set(trades.map(({ tx }) => tx.from))
  if (others.length > 0) throw new UnsupportedExecutionError('transactions of several people in one call')
  return sender === ZERO_ADDRESS ? randomAddress() : sender
}

function toCall({ to = ZERO_ADDRESS, data = '0x', value = 0n, gasLimit }: TransactionRequest): ProgramStep {
  return { to, data, value, gas: gasLimit }
}

function toRead({ wanted }: NodeQuestion): ProgramStep[] {
  if (wanted.kind === 'outcome') return []
  if (wanted.kind === 'balance') return [{ balanceOf: wanted.address }]
  const { to, data, value = 0n } = wanted.call
  return [{ to, data, value, gas: READ_GAS }]
}

/** Nothing was paid for gas in the call, and a trader who had sent transactions would have. Wei. */
function feesOf(trades: readonly TransactionStep[], outcomes: readonly NodeAnswer[]): bigint {
  return trades.reduce((sum, { tx, block }, i) => {
    const outcome = outcomes[i]
    const gas = (typeof outcome === 'object' ? outcome.gasUsed : 0n) + TRANSACTION_GAS
    return sum + gas * (block.baseFeePerGas + (tx.maxPriorityFeePerGas ?? 0n))
  }, 0n)
}

function toAnswers(
  questions: readonly NodeQuestion[],
  outcomes: readonly NodeAnswer[],
  reads: readonly NodeAnswer[],
  fees: bigint,
): Map<string, NodeAnswer> {
  const answers = new Map<string, NodeAnswer>()
  let next = 0
  for (const { key, wanted } of questions) {
    const found = wanted.kind === 'outcome' ? outcomes.at(-1) : reads[next++]
    if (found === undefined) continue
    if (wanted.kind === 'balance') answers.set(key, (found as bigint) - fees)
    else if (typeof found === 'object' && wanted.kind === 'outcome')
      answers.set(key, { ...found, gasUsed: found.gasUsed + TRANSACTION_GAS })
    else answers.set(key, found)
  }
  return answers
}
