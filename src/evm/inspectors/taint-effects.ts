import type { StepEvent } from '../inspector.js'
import { FULL_MASK } from './byte-mask.js'
import type { SourceSets } from './source-sets.js'
import type { TaintRecord } from './taint-branches.js'
import { copyCalldata, copyReturnData, loadCalldata, noteCall, type TaintFrame } from './taint-frame.js'
import { MASK_OF, SOURCE_BITS, SOURCE_OF, SOURCES } from './taint-handling.js'
import { clear, loadWord, paste, readRegion, slice, storeByte, storeWord, type TaintMemory } from './taint-memory.js'
import { putShadow, type ShadowStack } from './taint-stack.js'
import type { StoredTaint, TaintStorage } from './taint-storage.js'

/** All that is followed through one run. */
export interface TaintState {
  /** The open one. */
  frame: TaintFrame
  readonly shadow: ShadowStack
  readonly storage: TaintStorage
  readonly transient: TaintStorage
  readonly sets: SourceSets
  readonly record: TaintRecord
}

/**
 * What an opcode does that is neither stack work nor arithmetic on two values; `top` is the place
 * above the stack.
 */
export function follow(state: TaintState, event: StepEvent, top: number): void {
  const { frame, shadow, sets } = state
  const { stack, masks } = shadow
  const { memory } = frame
  const { opcode } = event
  switch (opcode) {
    case 0x08: // ADDMOD
    case 0x09: // MULMOD
      putShadow(shadow, top - 3, (at(stack, top - 1) | at(stack, top - 2) | at(stack, top - 3)) & SOURCES, FULL_MASK)
      return
    case 0x15: // ISZERO
      negate(state, event, top - 1)
      return
    case 0x20: // KECCAK256
      putShadow(shadow, top - 2, readRegion(memory, event.stackWord(0), event.stackWord(1), sets), FULL_MASK)
      return
    case 0x31: // BALANCE
    case 0x3b: // EXTCODESIZE
    case 0x3f: // EXTCODEHASH
    case 0x40: // BLOCKHASH
      putShadow(shadow, top - 1, at(SOURCE_OF, opcode), at(MASK_OF, opcode))
      return
    case 0x35: // CALLDATALOAD
      putLoaded(shadow, top - 1, loadCalldata(frame, event.stackWord(0), sets), frame.caller)
      return
    case 0x37: // CALLDATACOPY
      copyCalldata(frame, event.stackWord(0), event.stackWord(1), event.stackWord(2))
      return
    case 0x39: // CODECOPY
      clear(memory, event.stackWord(0), event.stackWord(2))
      return
    case 0x3c: // EXTCODECOPY
      clear(memory, event.stackWord(1), event.stackWord(3))
      return
    case 0x3e: // RETURNDATACOPY
      copyReturnData(frame, event.stackWord(0), event.stackWord(1), event.stackWord(2))
      return
    case 0x51: {
      // MLOAD
      const offset = event.stackWord(0)
      const sources = typeof offset === 'number' ? loadWord(memory, offset, Number.POSITIVE_INFINITY, sets) : 0
      putLoaded(shadow, top - 1, sources, memory)
      return
    }
    case 0x52: // MSTORE
      storeWord(memory, event.stackWord(0), sets.setOf(at(stack, top - 2) & SOURCES), at(masks, top - 2))
      return
    case 0x53: // MSTORE8
      storeByte(memory, event.stackWord(0), at(masks, top - 2) === 0 ? 0 : sets.setOf(at(stack, top - 2) & SOURCES))
      return
    case 0x54: // SLOAD
      if (state.storage.isClean()) stack[top - 1] = 0
      else putStored(shadow, top - 1, state.storage.load(event.address, event.stackWord(0)))
      return
    case 0x55: // SSTORE
      if (state.storage.isClean() && at(stack, top - 2) === 0) return
      state.storage.store(event.address, event.stackWord(0), at(stack, top - 2) & SOURCES, at(masks, top - 2))
      return
    case 0x5c: // TLOAD
      putStored(shadow, top - 1, state.transient.load(event.address, event.stackWord(0)))
      return
    case 0x5d: // TSTORE
      state.transient.store(event.address, event.stackWord(0), at(stack, top - 2) & SOURCES, at(masks, top - 2))
      return
    case 0x5e: // MCOPY
      paste(memory, event.stackWord(0), event.stackWord(2), slice(memory, event.stackWord(1), event.stackWord(2)))
      return
    case 0xf1: // CALL
    case 0xf2: // CALLCODE
      frame.top = top
      noteCall(frame, event.stackWord(3), event.stackWord(4), event.stackWord(5), event.stackWord(6))
      stack[top - 7] = 0
      return
    case 0xf4: // DELEGATECALL
    case 0xfa: // STATICCALL
      frame.top = top
      noteCall(frame, event.stackWord(2), event.stackWord(3), event.stackWord(4), event.stackWord(5))
      stack[top - 6] = 0
      return
    case 0xf0: // CREATE
    case 0xf5: // CREATE2
      frame.top = top
      noteCall(frame, 0, 0, 0, 0)
      stack[top - (opcode === 0xf0 ? 3 : 4)] = 0
      return
    case 0xf3: // RETURN
    case 0xfd: // REVERT
      frame.output = slice(memory, event.stackWord(0), event.stackWord(1))
      return
  }
}

/** An answer of a comparison stays one; anything else is compared with zero. */
function negate({ shadow: { stack, masks }, record }: TaintState, event: StepEvent, place: number): void {
  const value = at(stack, place)
  if (value === 0) return
  masks[place] = 1
  if (value >>> SOURCE_BITS === 0)
    stack[place] = value | (record.compare('ISZERO', event.stackWord(0), 0) << SOURCE_BITS)
}

function putLoaded({ stack, masks }: ShadowStack, place: number, sources: number, from: TaintMemory | undefined): void {
  stack[place] = sources
  if (sources !== 0 && from !== undefined) masks[place] = from.loadedMask
}

function putStored(shadow: ShadowStack, place: number, found: StoredTaint | undefined): void {
  if (found === undefined) shadow.stack[place] = 0
  else putShadow(shadow, place, found.sources, found.mask)
}

function at(values: Int32Array, place: number): number {
  return values[place] as number
}
