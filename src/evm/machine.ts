import type { Address } from '../hex.js'
import { toWord, type Word } from '../instructions/word.js'
import type { AccountEntry } from './account-entry.js'
import type { BlockEnvironment } from './block-environment.js'
import type { ChainExtras } from './chain-extras.js'
import { createFrame, type Frame } from './frame.js'
import type { Hooks } from './hooks.js'
import type { Budget } from './limits.js'
import type { SystemWrites } from './made-up-blocks.js'
import type { Precompile } from './precompiles/precompile.js'
import type { Rules } from './rules.js'
import type { Strangers } from './strangers.js'
import type { World } from './world.js'

/** The block environment as the stack sees it. */
export interface BlockWords {
  chainId: Word
  number: Word
  timestamp: Word
  coinbase: Word
  gasLimit: Word
  baseFee: Word
  blobBaseFee: Word
  prevRandao: Word
  slotNumber: Word | undefined
}

/** What one transaction's frames share. */
export interface Machine {
  world: World
  rules: Rules
  budget: Budget
  block: BlockWords
  origin: Word
  gasPrice: Word
  blobHashes: readonly Word[]
  precompiles: ReadonlyMap<Word, Precompile>
  extras: ChainExtras | undefined
  hooks: Hooks | undefined
  strangers: Strangers
  blockHash(number: Word): Word
  systemWrites: SystemWrites | undefined
  /** Frames by depth, made when first needed; lent for one transaction or read. */
  frames: Frame[]
  /** How the call that ended last has ended. */
  gasLeft: number
  output: Uint8Array
  error: string | undefined
}

/** Calls are seldom nested deeper, and a frame holds 10 KB. */
const MAX_KEPT_FRAMES = 64
/** Engines that run within each other, as one that is asked by an inspector of another. */
const MAX_KEPT_SETS = 4

/**
 * Frames that nothing runs in: a check has some hundred engines one after the other, and would make
 * the frames of each anew.
 */
const idleFrames: Frame[][] = []

export function borrowFrames(): Frame[] {
  return idleFrames.pop() ?? []
}

/** Only where the run has ended as runs do: a frame that was left within an opcode is not lent. */
export function returnFrames(frames: Frame[]): void {
  if (frames.length > MAX_KEPT_FRAMES) frames.length = MAX_KEPT_FRAMES
  if (idleFrames.length < MAX_KEPT_SETS) idleFrames.push(frames)
}

export function frameAt(machine: Machine, depth: number, nullAccount: AccountEntry): Frame {
  const known = machine.frames[depth]
  if (known !== undefined) return known
  const made = createFrame(depth, nullAccount)
  machine.frames[depth] = made
  return made
}

export function toBlockWords(block: BlockEnvironment): BlockWords {
  return {
    chainId: block.chainId,
    number: toWord(block.number),
    timestamp: toWord(block.timestamp),
    coinbase: addressToWord(block.coinbase),
    gasLimit: toWord(block.gasLimit),
    baseFee: toWord(block.baseFeePerGas),
    blobBaseFee: toWord(block.blobBaseFee),
    prevRandao: toWord(BigInt(block.prevRandao)),
    slotNumber: block.slotNumber === undefined ? undefined : toWord(block.slotNumber),
  }
}

export function addressToWord(address: Address): Word {
  return toWord(BigInt(address))
}
