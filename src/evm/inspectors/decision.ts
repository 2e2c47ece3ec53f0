import { type Address, bytesToHex, type Hex } from '../../hex.js'
import type { MappingEntry, Term } from './term.js'

/** A branch whose condition was followed to where it comes from. */
export interface Decision {
  /** Whose storage the frame uses, and whose code runs. */
  address: Address
  codeAddress: Address
  /** The function that was called in that frame: the first four bytes of its calldata. */
  selector: Hex
  /** Of the JUMPI. */
  pc: number
  /**
   * How often the transaction had met that branch before; absent where a comparison decides without
   * a branch.
   */
  occurrence: number | undefined
  /** The jump was taken because this was not zero, or not taken because it was. */
  condition: Term
}

/** A word that was stored, with how it was computed. */
export interface Stored extends Omit<Decision, 'condition' | 'occurrence'> {
  slot: bigint
  /** Where it is one of a mapping. */
  entry: MappingEntry | undefined
  value: Term
}

/** A call that code made of another contract, with where its words come from. */
export interface AskedCall {
  /** The caller, whose code it runs there, and the called. */
  from: Address
  codeAddress: Address
  to: Address
  /** Where the address that was called comes from; a constant where it was not followed. */
  target: Term
  /** Whose code answers, and how many bytes it is asked with: none where coins are only paid. */
  runs: Address
  inputSize: number
  /** Words of the call data by their offset, as far as they were followed. */
  words: ReadonlyMap<number, Term>
}

export interface Decisions {
  /** Each branch some times for each way that it went, in order. */
  branches: readonly Decision[]
  /** The last value of each word that was stored, also in frames that failed. */
  stores: readonly Stored[]
  /**
   * The last branch of the frame that began the failure of the last transaction; absent when it
   * went well.
   */
  blocking: Decision | undefined
  /** Calls of one contract by another, in order. */
  calls: readonly AskedCall[]
  /** There was more than is kept. */
  isTruncated: boolean
}

export interface DecisionsOptions {
  /** Follows the size of the call data as well, and words that are copied out of them at once. */
  isRaw?: boolean
}

/** How often branches of one code were kept, by place and way. */
export type BranchesKept = Map<number, number>

/** A frame of the machine, as far as values are followed in it. */
export interface FollowedFrame {
  stack: (Term | undefined)[]
  /** Words by the offset at which they were stored, the last one last. */
  memory: Map<number, Term>
  input: Uint8Array
  calldata: ReadonlyMap<number, Term>
  returned: ReadonlyMap<number, Term>
  /** Where the output of the call that this frame is making goes. */
  outputAt: number
  outputSize: number
  address: Address
  codeAddress: Address
  selector: Hex
  /** How often each branch of this code in this account was met, by its place. */
  met: Map<number, number>
  kept: BranchesKept
  /** The branch that decided last, and what began the failure of the last call. */
  last: Decision | undefined
  ofCallee: Decision | undefined
  leaving: ReadonlyMap<number, Term>
  /** The address that this frame is calling; absent before its first call. */
  callee: Term | undefined
}

/** Nothing that is followed. */
export const NOTHING: ReadonlyMap<number, Term> = new Map()

/** A frame that has just been entered. */
export const enteredFrame = (
  entered: Pick<FollowedFrame, 'address' | 'codeAddress' | 'input' | 'stack' | 'met' | 'kept' | 'calldata'>,
): FollowedFrame => ({
  ...entered,
  memory: new Map(),
  returned: NOTHING,
  outputAt: 0,
  outputSize: 0,
  selector: bytesToHex(entered.input.subarray(0, 4)),
  last: undefined,
  ofCallee: undefined,
  leaving: NOTHING,
  callee: undefined,
})

/** Equal for the same branch of the same code in the same account's name. */
export const placeOf = ({ address, codeAddress, pc }: Pick<Decision, 'address' | 'codeAddress' | 'pc'>): string =>
  `${address} ${codeAddress} ${pc}`
