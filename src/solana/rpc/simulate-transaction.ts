import { parseList, parseObject, RpcInvalidAnswerError } from '../../rpc/parse.js'
import type { RpcRequest } from '../../rpc/request.js'
import type { SolanaAccount } from '../account.js'
import type { SolanaAddress } from '../address.js'
import type { TransactionFailure } from '../transaction-result.js'
import { type AtSlot, parseAccount, parseAtSlot } from './solana-parse.js'

/** What a node says a transaction would do now. */
export interface NodeSimulation {
  /** `undefined` when it would go through. */
  error: TransactionFailure | undefined
  logs: readonly string[]
  units: bigint
  /** The accounts that were asked for, as it would leave them. */
  accounts: readonly (SolanaAccount | undefined)[]
}

/**
 * Has the node try a transaction whose signatures are not checked. `accounts` are told as it would
 * leave them.
 */
export const simulateTransaction = (
  transaction: Uint8Array,
  accounts: readonly SolanaAddress[],
): RpcRequest<AtSlot<NodeSimulation>> => ({
  method: 'simulateTransaction',
  params: [
    Buffer.from(transaction).toString('base64'),
    {
      encoding: 'base64',
      commitment: 'confirmed',
      sigVerify: false,
      replaceRecentBlockhash: true,
      accounts: { encoding: 'base64', addresses: accounts },
    },
  ],
  parse: (answer) =>
    parseAtSlot(answer, (value) => {
      const { err, logs, unitsConsumed, accounts: after } = parseObject(value)
      return {
        error: err === null || err === undefined ? undefined : parseFailure(err),
        logs: logs === null || logs === undefined ? [] : parseList(logs, parseLine, MAX_LOG_LINES),
        units: typeof unitsConsumed === 'number' && unitsConsumed >= 0 ? BigInt(Math.trunc(unitsConsumed)) : 0n,
        accounts: after === null || after === undefined ? [] : parseList(after, parseAccount, accounts.length),
      }
    }),
})

/** Nodes cut the log at 10 kB. */
const MAX_LOG_LINES = 10_000

function parseLine(line: unknown): string {
  if (typeof line !== 'string') throw new RpcInvalidAnswerError('a line of a log', line)
  return line
}

/**
 * `"Name"`, `{InstructionError: [place, "Name"]}` or `{InstructionError: [place, {Custom: code}]}`;
 * others keep their first word.
 */
function parseFailure(error: unknown): TransactionFailure {
  if (typeof error === 'string') return { instruction: undefined, name: error, code: undefined }
  const outer = parseObject(error)
  const { InstructionError: inner } = outer
  if (!Array.isArray(inner)) return { instruction: undefined, name: firstKey(outer), code: undefined }
  const [place, reason] = inner
  const instruction = typeof place === 'number' ? place : undefined
  if (typeof reason === 'string') return { instruction, name: reason, code: undefined }
  const { Custom: code } = parseObject(reason)
  return typeof code === 'number'
    ? { instruction, name: 'Custom', code }
    : { instruction, name: firstKey(parseObject(reason)), code: undefined }
}

const firstKey = (value: object) => Object.keys(value)[0] ?? 'Unknown'
