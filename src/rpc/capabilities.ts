import { randomBytes } from 'node:crypto'
import { BaseError } from '../errors.js'
import { type Address, bytesToHex, type Hex, toPaddedHex, toQuantity } from '../hex.js'
import type { BlockHeader } from './block-header.js'
import { ethCall, getBalance, getBlock, getBlockByHash, getChainId, getStorageAt } from './methods.js'
import { RpcRejectedError } from './node-replies.js'
import { parseData, parseHash, parseList, parseObject, RpcInvalidAnswerError } from './parse.js'
import { type RpcOutcome, type RpcRequest, unwrap } from './request.js'

/** What a node was seen to do. Nothing here is taken from its name or version. */
export interface Capabilities {
  /** Blocks may be named by hash (EIP-1898). */
  blockHash: boolean
  /** `eth_call` honours code overrides. */
  stateOverride: boolean
  /** `eth_call` honours block overrides (fourth parameter). */
  blockOverride: boolean
  /** `eth_getStorageValues`. */
  storageValues: boolean
  /**
   * `debug_traceCall` with `prestateTracer` honours code overrides and lists the slots that were
   * read.
   */
  prestateTracer: boolean
  /** `eth_simulateV1`. */
  simulate: boolean
  createAccessList: boolean
  /**
   * Headers hash to their hash, as they do wherever we know all fields. Where they once did, they
   * must always.
   */
  provableHeaders: boolean
  /** The head at the time of the probe. */
  head: BlockHeader
}

/** What can turn out to be missing after all. */
export type Ability = Exclude<keyof Capabilities, 'head'>

/**
 * Items of one HTTP request, until the node says that it wants fewer. Providers allow 10 to 1000.
 */
export const MAX_BATCH_ITEMS = 100

export interface ProbeOptions {
  send(requests: readonly RpcRequest<unknown>[]): Promise<RpcOutcome<unknown>[]>
  chainId: number
}

/**
 * Asks a node once what it can do: one batch, and a second one for what needs a block hash.
 * Overrides count only when their effect is seen, because nodes are known to accept and ignore
 * them. Rejects with {@link RpcWrongChainError} on another chain's node.
 */
export async function probeCapabilities({ send, chainId }: ProbeOptions): Promise<Capabilities> {
  const secret = bytesToHex(randomBytes(SECRET_BYTES))
  const [chain, block, ...abilities] = await send([
    getChainId(),
    getBlock('latest'),
    ...Object.values(probes).map((probe) => ({ ...probe(secret), optional: true })),
  ])
  const actual = unwrap(chain as RpcOutcome<bigint>)
  if (actual !== BigInt(chainId)) throw new RpcWrongChainError(chainId, actual)
  const head = unwrap(block as RpcOutcome<BlockHeader | undefined>)
  if (head === undefined) throw new RpcInvalidAnswerError('a latest block', null)
  const seen = Object.fromEntries(Object.keys(probes).map((name, i) => [name, abilities[i]?.ok === true]))
  const [sameBlock, ...byHash] = await send([getBlockByHash(head.hash), ...blockHashProbes(head.hash)])
  if (!head.isProven) confirmHead(head, unwrap(sameBlock as RpcOutcome<BlockHeader | undefined>))
  return {
    ...(seen as Record<keyof typeof probes, boolean>),
    blockHash: byHash.every(({ ok }) => ok),
    provableHeaders: head.isProven,
    head,
  }
}

/** A header that we cannot hash must at least be the same when asked for by its hash. */
function confirmHead(head: BlockHeader, again: BlockHeader | undefined): void {
  const isSame = Object.entries(head).every(([field, value]) => again?.[field as keyof BlockHeader] === value)
  if (!isSame) throw new RpcInvalidAnswerError('the same block by its hash', again ? 'another' : null)
}

const SECRET_BYTES = 16

/** Addresses without a key, contract or precompile on any chain. */
const PROBE_ADDRESS: Address = '0x00000000000000000000000000000000a55a0001'
const CALLER: Address = '0x00000000000000000000000000000000a55a0002'
/** Far beyond any head and still a sane date: 2100-01-01. */
const PROBE_TIME = 4_102_444_800n

/** PUSH16 secret, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
const returnSecret = (secret: Hex): Hex => `0x6f${secret.slice(2)}5f5260205ff3`
/** TIMESTAMP, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
const RETURN_TIME: Hex = '0x425f5260205ff3'
/** PUSH16 secret, SLOAD, STOP. */
const readSecretSlot = (secret: Hex): Hex => `0x6f${secret.slice(2)}5400`
const secretWord = (secret: Hex) => toPaddedHex(BigInt(secret), 32)

const probes = {
  stateOverride: (secret) => ({
    ...ethCall({ from: CALLER, to: PROBE_ADDRESS }, 'latest', { [PROBE_ADDRESS]: { code: returnSecret(secret) } }),
    parse: (value) => expectEqual(parseHash(value), secretWord(secret)),
  }),
  blockOverride: () => ({
    ...ethCall(
      { from: CALLER, to: PROBE_ADDRESS },
      'latest',
      { [PROBE_ADDRESS]: { code: RETURN_TIME } },
      { time: toQuantity(PROBE_TIME) },
    ),
    parse: (value) => expectEqual(parseHash(value), toPaddedHex(PROBE_TIME, 32)),
  }),
  storageValues: () => ({
    method: 'eth_getStorageValues',
    params: [{ [PROBE_ADDRESS]: [toPaddedHex(0n, 32)] }, 'latest'],
    parse: (value) => parseList(parseObject(value)[PROBE_ADDRESS], parseHash, 1),
  }),
  prestateTracer: (secret) => ({
    method: 'debug_traceCall',
    params: [
      { from: CALLER, to: PROBE_ADDRESS },
      'latest',
      { tracer: 'prestateTracer', stateOverrides: { [PROBE_ADDRESS]: { code: readSecretSlot(secret) } } },
    ],
    parse: (value) => {
      const { storage } = parseObject(parseObject(value)[PROBE_ADDRESS])
      return parseHash(parseObject(storage)[secretWord(secret)])
    },
  }),
  simulate: (secret) => ({
    method: 'eth_simulateV1',
    params: [
      {
        blockStateCalls: [
          {
            stateOverrides: { [PROBE_ADDRESS]: { code: returnSecret(secret) } },
            calls: [{ from: CALLER, to: PROBE_ADDRESS }],
          },
        ],
      },
      'latest',
    ],
    parse: (value) => {
      const [block] = parseList(value, parseObject, 1)
      const [call] = parseList(block?.calls, parseObject, 1)
      return expectEqual(parseData(call?.returnData), secretWord(secret))
    },
  }),
  createAccessList: () => ({
    method: 'eth_createAccessList',
    params: [{ from: CALLER, to: PROBE_ADDRESS }, 'latest'],
    parse: (value) => parseList(parseObject(value).accessList, parseObject, 16),
  }),
} satisfies Record<string, (secret: Hex) => RpcRequest<unknown>>

const blockHashProbes = (blockHash: Hex): RpcRequest<unknown>[] =>
  [
    getBalance(PROBE_ADDRESS, { blockHash }),
    getStorageAt(PROBE_ADDRESS, 0n, { blockHash }),
    ethCall({ from: CALLER, to: PROBE_ADDRESS }, { blockHash }),
  ].map((request) => ({ ...request, optional: true }))

function expectEqual(got: Hex, expected: Hex): Hex {
  if (got !== expected) throw new RpcInvalidAnswerError('the effect of an override', got)
  return got
}

/**
 * The endpoint belongs to another chain: a mistake in the settings, or a provider's. Nothing it
 * says is used.
 */
export class RpcWrongChainError extends BaseError {
  override readonly name = 'RpcWrongChainError'
  constructor(expected: number, actual: bigint) {
    super('A chain node serves another chain', { details: `expected ${expected}, got ${actual}` })
  }
}

/**
 * Thrown by a plan when a node does not do what it was seen to do before, such as honouring an
 * override.
 */
export class RpcAbilityError extends BaseError {
  override readonly name = 'RpcAbilityError'
  readonly ability: Ability
  constructor(ability: Ability, details: string) {
    super('A chain node did not keep a promise', { details: `${ability}: ${details}` })
    this.ability = ability
  }
}

/** Whether the nodes cannot do what was asked of them, rather than failed at it. */
export function isInability(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  return error.find(RpcLacksAbilityError) !== undefined || error.find(RpcRejectedError)?.kind === 'unsupported'
}

/** The node cannot do what is asked; another may. */
export class RpcLacksAbilityError extends BaseError {
  override readonly name = 'RpcLacksAbilityError'
  constructor(ability: Ability) {
    super('A chain node lacks an ability', { details: ability })
  }
}
