import { bytesToHex, type Hex, toPaddedHex } from '../hex.js'
import { copyInto } from '../instructions/bytes.js'
import { toWord, type Word } from '../instructions/word.js'
import { type AccountEntry, isEmpty, type Slot } from './account-entry.js'
import { needMemory } from './call-opcodes.js'
import { faults } from './faults.js'
import type { Frame } from './frame.js'
import type { Machine } from './machine.js'
import { SSTORE_SET_GAS } from './rules.js'

const LOG_BYTE_GAS = 8

/** What EXTCODEHASH answers: 0 for an account that does not exist (EIP-1052). */
export function codeHashOf(account: AccountEntry): Word {
  return isEmpty(account) ? 0 : toWord(BigInt(account.codeHash))
}

/**
 * Gas of writing `value`, with the refund booked and the slot warmed (EIP-2200, EIP-2929,
 * EIP-3529).
 */
export function sstoreGas({ world, rules }: Machine, slot: Slot, value: Word): number {
  const { sstore } = rules
  const { value: current, original } = slot
  const cold = world.warmSlot(slot) && rules.coldSlotGas > 0 ? rules.coldSlotGas + WARM_GAS : 0
  if (!sstore.net) {
    if (current !== 0 && value === 0) world.refund += sstore.clearRefund
    return current === 0 && value !== 0 ? SSTORE_SET_GAS : sstore.resetGas
  }
  if (value === current) return cold + sstore.dirtyGas
  if (original === current) {
    if (original === 0) return cold + SSTORE_SET_GAS
    if (value === 0) world.refund += sstore.clearRefund
    return cold + sstore.resetGas
  }
  if (original !== 0) {
    if (current === 0) world.refund -= sstore.clearRefund
    else if (value === 0) world.refund += sstore.clearRefund
  }
  if (value === original) world.refund += (original === 0 ? SSTORE_SET_GAS : sstore.resetGas) - sstore.dirtyGas
  return cold + sstore.dirtyGas
}

const WARM_GAS = 100

/**
 * Copies `length` bytes of a window on `bytes` into memory, zero behind its end. The memory is paid
 * for.
 */
export function copyBytes(
  { memory }: Frame,
  bytes: Uint8Array,
  target: Word,
  source: Word,
  length: number,
  windowStart = 0,
  windowLength = bytes.length,
): void {
  if (length === 0) return
  const start = target as number
  const from = typeof source === 'number' && source < windowLength ? source : windowLength
  const available = Math.min(length, windowLength - from)
  copyInto(memory, start, bytes, windowStart + from, available)
  if (available < length) memory.fill(0, start + available, start + length)
}

/** LOG0 to LOG4. Returns a fault's text, if any. */
export function logOpcode(machine: Machine, frame: Frame, topicCount: number): string | undefined {
  const offset = pop(frame)
  const length = pop(frame)
  if (typeof length === 'number') frame.gas -= LOG_BYTE_GAS * length
  if (frame.gas < 0) return faults.outOfGas
  const fault = needMemory(machine, frame, offset, length, 0, 0)
  if (fault !== undefined) return fault
  if (frame.isStatic) return faults.writeProtection
  const size = length as number
  machine.budget.addLog(size)
  const topics: Hex[] = []
  for (let index = 0; index < topicCount; index += 1) topics.push(toPaddedHex(BigInt(pop(frame)), 32))
  const start = size === 0 ? 0 : (offset as number)
  const log = { address: frame.self.address, topics, data: bytesToHex(frame.memory.subarray(start, start + size)) }
  machine.world.logs.push(log)
  machine.hooks?.log(log, frame.depth)
  return undefined
}

function pop(frame: Frame): Word {
  frame.height -= 1
  return frame.stack[frame.height] as Word
}
