import type { Chain } from '../chains/chain.js'
import { type Address, EMPTY_CODE_HASH, type Hex, toQuantity } from '../hex.js'
import { keccak256 } from '../keccak.js'
import type { BlockParameter } from '../rpc/methods.js'
import {
  parseAddress,
  parseBytes,
  parseHash,
  parseObject,
  parseOptional,
  parseQuantity,
  RpcInvalidAnswerError,
} from '../rpc/parse.js'
import type { RpcOutcome, RpcRequest } from '../rpc/request.js'
import { type CallScript, compileScript } from './call-script.js'
import { createSnapshot, setStorage } from './known-state.js'
import type { PinnedBlock, StateSnapshot } from './state-source.js'

export interface TraceRead {
  requests: RpcRequest<StateSnapshot>[]
  /**
   * State that the traced calls touched, each as it was at the block that its trace says it ran on.
   * Failed traces are left out.
   */
  read(outcomes: readonly RpcOutcome<unknown>[]): TracedState[]
}

export interface TracedState {
  values: StateSnapshot
  isOf(block: PinnedBlock): boolean
}

/** The code that an account probably still has. */
type RecallCode = (address: Address) => { codeHash: Hex; code: Uint8Array } | undefined

/**
 * Lets the node run the calls and list all state that they touch (geth's `prestateTracer`). Code
 * that `recall` knows is not hashed again.
 */
export function readByTrace(
  scripts: readonly CallScript[],
  block: BlockParameter,
  chain: Chain,
  recall: RecallCode = () => undefined,
): TraceRead {
  const traces = scripts.map((script) => ({ script, compiled: compileScript(script) }))
  return {
    requests: traces.map(({ script: { from, balance, time }, compiled: { code } }) => ({
      method: 'debug_traceCall',
      optional: true,
      params: [
        { from, to: from, gas: GAS },
        block,
        {
          tracer: 'prestateTracer',
          timeout: TRACE_TIMEOUT,
          stateOverrides: { [from]: { code, balance: toQuantity(balance) } },
          ...(time !== undefined && { blockOverrides: { time: toQuantity(time) } }),
        },
      ],
      parse: (value) => parsePrestate(value, recall),
    })),
    read: (outcomes) =>
      traces.flatMap(({ script: { from }, compiled }, i) => {
        const outcome = outcomes[i] as RpcOutcome<StateSnapshot> | undefined
        if (!outcome?.ok) return []
        const { accounts, code, storage, blockHashes } = outcome.value
        const slots = new Set(storage.get(from)?.keys())
        // The caller's own account was made up for the trace.
        code.delete(accounts.get(from)?.codeHash ?? EMPTY_CODE_HASH)
        accounts.delete(from)
        storage.delete(from)
        return [
          {
            values: { accounts, code, storage, blockHashes },
            isOf: (pinned: PinnedBlock) => compiled.ranOn(chain, pinned, slots),
          },
        ]
      }),
  }
}

/** As for a transaction: some nodes hold traces to its limit. */
const GAS = toQuantity(16_777_216)
/** In geth's notation; below the time limit of an HTTP request. */
const TRACE_TIMEOUT = '2s'
/** A trace that lists more than this is not of a trade. */
const MAX_ACCOUNTS = 256
const MAX_SLOTS = 4_096
const NO_CODE = new Uint8Array(0)

function parsePrestate(value: unknown, recall: RecallCode): StateSnapshot {
  const entries = Object.entries(parseObject(value))
  if (entries.length > MAX_ACCOUNTS) throw new RpcInvalidAnswerError('the state of a trade', value)
  const state = createSnapshot()
  let slots = 0
  for (const [key, member] of entries) {
    const address = parseAddress(key)
    const { balance, nonce, code, storage } = parseObject(member)
    const { codeHash, code: bytes } = readCode(parseOptional(code, parseBytes) ?? NO_CODE, recall(address))
    state.code.set(codeHash, bytes)
    state.accounts.set(address, {
      balance: parseOptional(balance, parseQuantity) ?? 0n,
      nonce: parseOptional(nonce, parseNonce) ?? 0n,
      codeHash,
    })
    for (const [slot, word] of Object.entries(parseOptional(storage, parseObject) ?? {})) {
      setStorage(state, address, BigInt(parseHash(slot)), BigInt(parseHash(word)))
      slots += 1
    }
  }
  if (slots > MAX_SLOTS) throw new RpcInvalidAnswerError('the state of a trade', value)
  return state
}

/**
 * Routers and exchanges are in every trace: to compare their code takes a hundredth of the time
 * that hashing it does.
 */
function readCode(code: Uint8Array, last: ReturnType<RecallCode>): { codeHash: Hex; code: Uint8Array } {
  if (code.length === 0) return { codeHash: EMPTY_CODE_HASH, code }
  return last && Buffer.compare(last.code, code) === 0 ? last : { codeHash: keccak256(code), code }
}

/** Geth writes nonces as JSON numbers. */
function parseNonce(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  return parseQuantity(value)
}
