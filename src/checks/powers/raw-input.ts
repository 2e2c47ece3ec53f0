import type { Term } from '../../evm/inspectors/term.js'
import { isSmall, type Leaf, termsIn } from '../../evm/inspectors/term.js'
import { ADDRESS_MASK, type Address, hexToBytes, toPaddedHex } from '../../hex.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { isDeadAddress } from '../dead-address.js'
import type { Move } from './play.js'

/** A call as bytes, not as arguments. */
export interface RawInput {
  from: Address
  data: Uint8Array
  /** Wei. */
  value: bigint
  /** What passes before it. */
  waitSeconds: number
  /** Calls of functions that come first. */
  before?: readonly Move[]
}

/** Call data are never longer: what a command needs is short. Bytes. */
const MAX_DATA = 1_024
/** What a command may cost its sender: a thousand coins. Wei. */
const MAX_VALUE = 10n ** 21n
/** What a sender waits for: beyond, it is no plan. Seconds. */
const LONGEST_WAIT = 400 * 86_400
/** Leaves of one formula that are solved for: each costs some thousand evaluations. */
const MAX_LEAVES = 4
/** Smaller numbers are amounts, or short addresses that tokens burn to. */
const LEAST_ADDRESS = 1n << 120n

/**
 * Inputs with which a formula comes out otherwise than it did with `input`, by each thing in it
 * that the sender of a call can choose: how many bytes it has, the bytes, the coins, who sends it
 * and when. The size is first: where lists must end before the call data do, these are longer.
 */
export function otherwise(input: RawInput, formula: Term): RawInput[] {
  if (!isSmall(formula)) return []
  const leaves = [...new Map([...termsIn(formula)].filter(isChosen).map((leaf) => [nameOf(leaf), leaf])).values()]
  return leaves
    .toSorted((a, b) => Number(isSize(b)) - Number(isSize(a)))
    .slice(0, MAX_LEAVES)
    .flatMap((leaf) =>
      solveLeaf(formula, (each) => isChosen(each) && nameOf(each) === nameOf(leaf), leaf.value).flatMap((value) =>
        withLeaf(input, leaf, value),
      ),
    )
}

type Chosen = Extract<Leaf, { kind: 'argument' | 'environment' }>

const CHOSEN: ReadonlySet<string> = new Set(['CALLER', 'ORIGIN', 'CALLVALUE', 'CALLDATASIZE', 'TIMESTAMP'])

const isChosen = (term: Term): term is Chosen =>
  term.kind === 'argument' || (term.kind === 'environment' && CHOSEN.has(term.name))

const isSize = (leaf: Chosen) => leaf.kind === 'environment' && leaf.name === 'CALLDATASIZE'

const nameOf = (leaf: Chosen) => (leaf.kind === 'argument' ? `${leaf.offset}` : leaf.name)

function withLeaf(input: RawInput, leaf: Chosen, value: bigint): RawInput[] {
  if (leaf.kind === 'argument') {
    const end = leaf.offset + 32
    if (end > MAX_DATA) return []
    const data = resize(input.data, Math.max(end, input.data.length))
    data.set(hexToBytes(toPaddedHex(value, 32)), leaf.offset)
    return [{ ...input, data }]
  }
  switch (leaf.name) {
    case 'CALLVALUE':
      return value <= MAX_VALUE ? [{ ...input, value }] : []
    case 'CALLDATASIZE':
      return value <= MAX_DATA ? [{ ...input, data: resize(input.data, Number(value)) }] : []
    case 'TIMESTAMP': {
      const seconds = value - leaf.value
      const isNear = seconds > 0n && seconds + BigInt(input.waitSeconds) <= LONGEST_WAIT
      return isNear ? [{ ...input, waitSeconds: input.waitSeconds + Number(seconds) }] : []
    }
    default:
      return isAccount(value) ? [{ ...input, from: toPaddedHex(value, 20) }] : []
  }
}

const isAccount = (value: bigint) => value >= LEAST_ADDRESS && value <= ADDRESS_MASK && !isDeadAddress(value)

function resize(data: Uint8Array, length: number): Uint8Array {
  const resized = new Uint8Array(length)
  resized.set(data.subarray(0, length))
  return resized
}
