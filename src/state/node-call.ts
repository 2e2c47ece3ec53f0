import { randomBytes } from 'node:crypto'
import { bytesToHex, type Hex, hexToBytes, toQuantity } from '../hex.js'
import { RpcAbilityError } from '../rpc/capabilities.js'
import { type BlockParameter, ethCall, type StateOverrides } from '../rpc/methods.js'
import { RpcRejectedError } from '../rpc/node-replies.js'
import { type RpcOutcome, type RpcRequest, unwrap } from '../rpc/request.js'
import type { BlockIdentity } from './block-identity.js'
import { IDENTITY_BYTES } from './node-programs.js'
import { randomAddress } from './random-address.js'

/** A program of `node-programs.ts` to run on a node. */
export interface NodeCall {
  program(secret: Hex): Hex
  calldata: string
  block: BlockParameter
  /** Further accounts to override, given the secret. */
  overrides?(secret: Hex): StateOverrides
}

/** The program's own part of the answer, and the block it ran on. */
export interface NodeCallAnswer {
  identity: BlockIdentity
  data: Uint8Array
  /** Hex digits of the secret, to find it in `data`. */
  secret: string
}

/**
 * Prepares the call, and reads its answer. `read` throws `RpcAbilityError` when the program cannot
 * have run: the override was ignored.
 */
export function nodeCall({ program, calldata, block, overrides }: NodeCall): {
  request: RpcRequest<Hex>
  read(outcome: RpcOutcome<unknown> | undefined): NodeCallAnswer
} {
  const secret = bytesToHex(randomBytes(SECRET_BYTES))
  // Code that asks for an account which is known beforehand would be told that of our program.
  const place = randomAddress()
  const call = { to: place, gas: GAS, data: `0x${calldata}` as const }
  const accounts = { ...overrides?.(secret), [place]: { code: program(secret) } }
  return {
    request: { ...ethCall(call, block, accounts), optional: true },
    read(outcome) {
      const bytes = hexToBytes(readAnswer(outcome as RpcOutcome<Hex> | undefined))
      const identity = readIdentity(bytes)
      const digits = secret.slice(2)
      if (bytes.length < IDENTITY_BYTES || wordAt(bytes, 5) !== digits) {
        throw new RpcAbilityError('stateOverride', 'the program did not run')
      }
      return { identity, data: bytes.subarray(IDENTITY_BYTES), secret: digits }
    },
  }
}

const SECRET_BYTES = 32
/** EIP-7825: some nodes hold calls to the gas limit of transactions. */
const GAS = toQuantity(16_777_216)

/**
 * A refusal that is about this call, and not about the node's state, means that overrides do not
 * work here.
 */
function readAnswer(outcome: RpcOutcome<Hex> | undefined): Hex {
  if (outcome === undefined || outcome.ok) return outcome ? unwrap(outcome) : '0x'
  if (outcome.error instanceof RpcRejectedError && ABOUT_THE_CALL.has(outcome.error.kind)) {
    throw new RpcAbilityError('stateOverride', outcome.error.message)
  }
  throw outcome.error
}

const ABOUT_THE_CALL: ReadonlySet<string> = new Set(['reverted', 'refused', 'unsupported'])

function readIdentity(bytes: Uint8Array): BlockIdentity {
  const word = (index: number) => BigInt(`0x0${wordAt(bytes, index)}`)
  return {
    chainId: word(0),
    number: word(1),
    timestamp: word(2),
    parentHash: `0x${wordAt(bytes, 3)}`,
    arbitrumNumber: word(4),
  }
}

/** 32 bytes as hex digits, fewer at the end of the data. */
export function wordAt(bytes: Uint8Array, index: number): string {
  return digitsAt(bytes, index * 32, 32)
}

export function digitsAt(bytes: Uint8Array, at: number, length: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex', at, at + length)
}
