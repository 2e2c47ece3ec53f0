import * as words from '../../instructions/word.js'
import type { Frame } from '../frame.js'
import { growMemory, memoryGas } from '../frame.js'
import { hashMemory, lowByte, readInput } from '../input-and-memory.js'
import type { Machine } from '../machine.js'
import { ACCESSES_PER_LOOK, lookupCost } from '../opcode-costs.js'

/**
 * What a generated function leaves behind: the stack's height, the gas and the steps that are left,
 * and what the last read of storage has cost in gas and steps. An object for each return would cost
 * more than what a block does.
 */
export const registers = new Float64Array(5)

let reads = 0

/** SLOAD; its price beyond the static one stays in the {@link registers}. */
function readStorage(machine: Machine, frame: Frame, key: words.Word, pc: number): words.Word {
  const { world, rules, hooks } = machine
  const { self } = frame
  reads += 1
  if (reads % ACCESSES_PER_LOOK === 0) machine.budget.checkClock()
  const slot = world.readSlot(self, key)
  const gas = world.warmSlot(slot) ? rules.coldSlotGas : 0
  if (hooks?.storageRead !== undefined) {
    frame.pc = pc
    hooks.storageRead(frame, key, slot.value)
  }
  // A hook may have run another engine, which leaves its own numbers there.
  registers[3] = gas
  registers[4] = lookupCost(self.slots.size)
  return slot.value
}

/** Makes memory usable as far as `end`; returns its gas, or -1 where `spare` is less. */
function expand(machine: Machine, frame: Frame, end: number, spare: number): number {
  const size = Math.ceil(end / 32) * 32
  const gas = memoryGas(size) - memoryGas(frame.memorySize)
  if (gas > spare) return -1
  machine.budget.checkMemory(size)
  growMemory(frame, size)
  return gas
}

/** All that generated code may call, by the names that it has there. */
export const runtime = { ...words, R: registers, readStorage, expand, hashMemory, readInput, lowByte, lookupCost }
