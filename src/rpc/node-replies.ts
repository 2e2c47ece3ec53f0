import { BaseError } from '../errors.js'
import type { Hex } from '../hex.js'

/**
 * What a node means when it refuses. Every provider words it differently; this file alone reads
 * their words.
 *
 * - `too-many`: rate or quota; another node may still answer, this one is left alone for a while
 * - `forbidden`: the endpoint does not let us in at all
 * - `unsupported`: the method or one of its parameters is not there
 * - `reverted`: the call ran and reverted, or was halted by what its code did; an answer, not a
 *   failure
 * - `block-unknown`: the node does not have that block (yet, or no longer)
 * - `state-missing`: the node has the block, but not its state (pruned, no archive)
 * - `range-too-wide`: logs of fewer blocks must be asked for
 * - `batch-too-large`: fewer items per HTTP request
 * - `slow`: the node gave up on its own time limit
 * - `refused`: the request itself is wrong, in this node's eyes
 * - `broken`: internal error, or words we do not know
 */
export type RejectionKind =
  | 'too-many'
  | 'forbidden'
  | 'unsupported'
  | 'reverted'
  | 'block-unknown'
  | 'state-missing'
  | 'range-too-wide'
  | 'batch-too-large'
  | 'slow'
  | 'refused'
  | 'broken'

export interface NodeReply {
  method: string
  /** HTTP status; JSON-RPC errors usually come with 200. */
  status: number
  code?: number
  message?: string
}

/**
 * Says what a refusal means. Words come before codes, because providers share codes for different
 * things.
 */
export function translateReply({ method, status, code, message = '' }: NodeReply): RejectionKind {
  const words = message.slice(0, MAX_READ_CHARACTERS).toLowerCase()
  if (method === 'eth_getLogs' && RANGE_WORDS.test(words)) return 'range-too-wide'
  const kind =
    WORDS.find(([, pattern]) => pattern.test(words))?.[0] ??
    (code === undefined ? undefined : CODES.get(code)) ??
    STATUSES.get(status) ??
    'broken'
  return kind === 'reverted' && !RUNS_CODE.has(method) ? 'broken' : kind
}

/** Nothing else can revert. */
const RUNS_CODE: ReadonlySet<string> = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_createAccessList',
  'eth_simulateV1',
  'debug_traceCall',
])

/** A message is read no further than this. */
const MAX_READ_CHARACTERS = 512

/**
 * Seen in the answers and documentation of geth, Erigon, reth, Nethermind, Nitro, BSC, Alchemy,
 * Infura, QuickNode, Ankr, dRPC and others. BSC's public nodes say "limit exceeded" for any
 * eth_getLogs.
 */
const RANGE_WORDS =
  /block range|range is too|range (too )?(large|wide)|max(imum)? range|limited to|query returned more|more than \d+ (results|logs)|max results|response size|limit exceeded|exceeds? (the )?(limit|max)|too many (blocks|logs|results)|ranges? over|query timeout/

/**
 * Code that burns its gas or breaks a rule of the EVM is no fault of the node: geth and its forks
 * (core/vm/errors.go), reth and anvil ("EVM error", then the name of the halt; a fatal one is their
 * own), Nethermind.
 */
const HALTS =
  /^out of gas|code storage out of gas|invalid (jump destination|opcode)|invalid code: must not|stack (underflow|limit reached)|write protection|gas uint64 overflow|return data out of bounds|code size exceeded|contract address collision|max call depth exceeded|^evm error:? (?!fatal)|^vm execution error/

const WORDS: readonly (readonly [RejectionKind, RegExp])[] = [
  ['reverted', /execution reverted|^vm exception.*revert|^reverted/],
  ['reverted', HALTS],
  [
    'batch-too-large',
    /batch (limit|size|too|of more|requests? (is|are) (not|disabled)|length)|batch.*(too large|too long|exceed|maximum|not (supported|allowed))|(requests|calls) in (1|one|a|the)? ?batch/,
  ],
  [
    'too-many',
    /too many (request|connection)|rate.?limit|request limit|(call|request|daily|monthly|usage|compute|capacity|quota|credit|throughput)[a-z ]*(limit|exceed|exhaust|reached)|exceed[a-z ]*(quota|capacity|credits|compute units|limit)|over.?quota|quota|throttl|slow down|^limit exceeded/,
  ],
  [
    'state-missing',
    /missing trie node|state (is )?(not available|unavailable|not found|histories)|historical state|pruned|pruning|archive|no state available|state already discarded|distance to target block exceeds/,
  ],
  [
    'block-unknown',
    /header (for hash )?not found|unknown block|block (is )?not found|block .*(not found|not available|does not exist)|could not find block|not currently canonical|non.?canonical|resource not found|block ?out ?of ?range|unable to find block|cannot find block/,
  ],
  ['slow', /time(d)? ?out|deadline exceeded|execution aborted|took too long/],
  [
    'forbidden',
    /unauthori[sz]ed|invalid (api.?key|project id|token)|must be authenticated|authentication|access denied|not whitelisted|forbidden/,
  ],
  [
    'unsupported',
    /method (is )?(not|un)|not (supported|available|implemented|enabled)|unsupported|does not exist|is not available|disabled|unknown method|expected \d+, actual \d+|too many arguments/,
  ],
]

const CODES: ReadonlyMap<number, RejectionKind> = new Map([
  [3, 'reverted'],
  [429, 'too-many'],
  [-32001, 'block-unknown'],
  [-32002, 'slow'],
  [-32003, 'too-many'],
  [-32004, 'too-many'],
  [-32005, 'too-many'],
  [-32007, 'too-many'],
  [-32016, 'too-many'],
  [-32029, 'too-many'],
  [-32090, 'too-many'],
  [-32097, 'too-many'],
  [-32601, 'unsupported'],
  [-32600, 'refused'],
  [-32602, 'refused'],
])

const STATUSES: ReadonlyMap<number, RejectionKind> = new Map([
  [400, 'refused'],
  [401, 'forbidden'],
  [402, 'too-many'],
  [403, 'too-many'],
  [404, 'forbidden'],
  [405, 'forbidden'],
  [408, 'slow'],
  [413, 'batch-too-large'],
  [429, 'too-many'],
  [502, 'broken'],
  [503, 'too-many'],
  [504, 'slow'],
])

export interface RejectionOptions {
  method: string
  kind: RejectionKind
  code?: number | undefined
  /** The node's own words, for the log. */
  message?: string | undefined
  /** Revert data. */
  data?: Hex | undefined
  retryAfterMs?: number | undefined
}

/** A node understood the request and said no. */
export class RpcRejectedError extends BaseError {
  override readonly name = 'RpcRejectedError'
  readonly method: string
  readonly kind: RejectionKind
  readonly data: Hex | undefined
  readonly retryAfterMs: number | undefined

  constructor({ method, kind, code, message, data, retryAfterMs }: RejectionOptions) {
    super(`The chain node refused ${method}: ${kind}`, { details: `code ${code ?? 'none'}: ${message ?? ''}` })
    this.method = method
    this.kind = kind
    this.data = data
    this.retryAfterMs = retryAfterMs
  }

  /** A revert is what the chain says, not what the node says: another node would repeat it. */
  get isAnswer(): boolean {
    return this.kind === 'reverted'
  }
}
