import type { CallFrame } from '../../evm/inspector.js'
import type { Address, Hex } from '../../hex.js'
import { PERMIT2, PULLS, type PullForm } from './assets.js'
import { selectorIn, wordsOf } from './call-data.js'

/** The target was seen to ask for an account's assets. */
export interface PullLead {
  form: PullForm
  /** The contract that was asked: the token, or Permit2. */
  asked: Address
  words: readonly bigint[]
  /** The token that is asked for. */
  token: bigint
  /** The call stands in the call data as it was made: its caller brought it along. */
  isBrought: boolean
}

/** The target was seen to pass bytes of its caller on as a call. */
export interface ExecutorLead {
  to: Address
  input: Hex
  value: bigint
}

/** The target asked who signed something (ecrecover, with the input that it gave). */
export interface SignatureLead {
  digest: Hex
  v: bigint
  r: bigint
  s: bigint
}

export interface Leads {
  pulls: readonly PullLead[]
  executors: readonly ExecutorLead[]
  /** Accounts whose code the target ran as its own. */
  delegates: readonly Address[]
  signatures: readonly SignatureLead[]
  /** Frames that bring a signature, in order. */
  permits: readonly CallFrame[]
}

/** Selectors of calls that bring a signature: EIP-2612, DAI, EIP-3009's two, and Permit2's six. */
export const PERMIT_SELECTORS: ReadonlySet<string> = new Set([
  '0xd505accf',
  '0x8fcbaf0c',
  '0xe3ee160e',
  '0xef55bec6',
  '0x2b67b570',
  '0x2a2d80d1',
  '0x30f28b7a',
  '0xedd9444b',
  '0x137c29fe',
  '0xfe8ec1a7',
])

/** More frames than any claim has; the rest of a hostile trace is not read. */
const MAX_FRAMES = 400
const MAX_WORDS = 24
/** Shorter calls carry no arguments that a caller could have chosen. */
const LEAST_INPUT_BYTES = 36

/**
 * What the target asked of other contracts in a call, whether it was granted or not. `passed` are
 * the bytes that the caller had brought.
 */
export function readLeads(root: CallFrame, target: Address, passed: ReadonlySet<Hex>): Leads {
  const pulls: PullLead[] = []
  const executors: ExecutorLead[] = []
  const permits: CallFrame[] = []
  const delegates = new Set<Address>()
  const signatures: SignatureLead[] = []
  for (const frame of framesOf(root)) {
    if (frame === root || frame.from !== target || frame.to === undefined) continue
    if (frame.type === 'DELEGATECALL' || frame.type === 'CALLCODE') delegates.add(frame.to)
    if (frame.to === ECRECOVER) signatures.push(...readSignature(frame.input))
    if (!isPlainCall(frame)) continue
    const selector = selectorIn(frame.input)
    const form = PULLS[selector]
    if (form !== undefined && (form.standard === 'permit2') === (frame.to === PERMIT2)) {
      const words = wordsOf(frame.input, MAX_WORDS)
      const token = form.token === undefined ? BigInt(frame.to) : (words[form.token] ?? 0n)
      pulls.push({ form, asked: frame.to, words, token, isBrought: root.input.includes(frame.input.slice(2)) })
    }
    if (PERMIT_SELECTORS.has(selector)) permits.push(frame)
    if (frame.input.length >= 2 + LEAST_INPUT_BYTES * 2 && passed.has(frame.input)) {
      executors.push({ to: frame.to, input: frame.input, value: BigInt(frame.value ?? '0x0') })
    }
  }
  return { pulls, executors, delegates: [...delegates], signatures, permits }
}

/** The precompile that tells the signer of a digest (Yellow Paper, appendix E). */
const ECRECOVER: Address = '0x0000000000000000000000000000000000000001'
const ECRECOVER_BYTES = 128

function readSignature(input: Hex): SignatureLead[] {
  if (input.length !== 2 + ECRECOVER_BYTES * 2) return []
  const [v = 0n, r = 0n, s = 0n] = [1, 2, 3].map((i) => BigInt(`0x${input.slice(2 + i * 64, 66 + i * 64)}`))
  return [{ digest: `0x${input.slice(2, 66)}`, v, r, s }]
}

const isPlainCall = ({ type }: CallFrame) => type === 'CALL' || type === 'CALLCODE'

/** The frame and those below it, outer ones first. */
export function framesOf(root: CallFrame): CallFrame[] {
  const frames: CallFrame[] = [root]
  for (let at = 0; at < frames.length && frames.length < MAX_FRAMES; at += 1) {
    frames.push(...(frames[at]?.calls ?? []))
  }
  return frames.slice(0, MAX_FRAMES)
}
