import { copyOf } from '../instructions/bytes.js'
import { DEEP_PLACES, FAR_PLACES, NEAR_PLACES } from '../instructions/deep-stack.js'
import * as words from '../instructions/word.js'
import { MAX_SAFE, readWord, TWO_32, toAddressWord, toWord, type Word, writeWord } from '../instructions/word.js'
import { USED } from './account-entry.js'
import { callOpcode, createOpcode, deliver, needMemory, selfdestructOpcode } from './call-opcodes.js'
import { leaveFrame } from './calls.js'
import { UnsupportedExecutionError } from './chain-extras.js'
import { deepStackFault, faults, invalidOpcodeFault, stackFault } from './faults.js'
import { type Frame, NO_BYTES, regionEnd } from './frame.js'
import type { HotFunction } from './heat.js'
import { countJump, entriesOf, isLeftToInterpreter } from './hot-code/count-jumps.js'
import { registers } from './hot-code/runtime.js'
import { blockOf, functionOf } from './hot-code/write-function.js'
import { hashMemory, lowByte, readInput } from './input-and-memory.js'
import type { Machine } from './machine.js'
import { ACCESSES_PER_LOOK, COPY_WORD_GAS, HASH_STEPS, HASH_WORD_GAS, lookupCost } from './opcode-costs.js'
import { codeHashOf, copyBytes, logOpcode, sstoreGas } from './state-opcodes.js'

/** A made-up hash has to be computed. */
const BLOCK_HASH_STEPS = 64

/**
 * Runs a frame and all it calls, to the end; the result is in the `machine`. One loop and one
 * switch: calls change the frame, not the JavaScript stack, so that no nesting of hostile contracts
 * can overflow it.
 *
 * What the loop touches for each opcode lives in local variables, and goes back into the frame
 * before anything outside may look. That is why it is one long function: families of opcodes in
 * functions of their own would have to hand `pc`, `height` and `gas` over and back. Cases end in
 * `continue` (next opcode) or `break running` (the frame is over); frequent cases on small numbers
 * are written out, everything else is in `word.ts`. What runs often is handed to functions that
 * were generated for it (`hot-code/`), which come back wherever something is not plain.
 */
export function run(machine: Machine, root: Frame): void {
  const { world, rules, budget, hooks, block } = machine
  const { instructions } = rules
  const steps = hooks?.steps
  const window = hooks?.window
  // Inspectors see the instructions that the interpreter runs.
  const mayRunHot = steps === undefined || isLeftToInterpreter(steps)
  const outermost = root.depth
  let frame = root
  let fuel = budget.fuel
  let accesses = 0

  frames: for (;;) {
    const { code, stack, self } = frame
    const { ops, jumpDestinations, constantIndex, constants } = code
    let { pc, height, gas, memory, view, memorySize } = frame
    const heat = mayRunHot ? code.heat : undefined
    let entries = heat && entriesOf(code, heat, rules)
    let functions = heat?.functions
    let refused = -1
    let output: Uint8Array = NO_BYTES
    let error: string | undefined
    if (window !== undefined) window.frame = frame

    running: for (;;) {
      if (entries !== undefined) {
        const entry = entries[pc] as number
        // One that refuses lets the interpreter go on for an instruction.
        if (entry !== 0 && pc !== refused) {
          const enter = functions?.[functionOf(entry)] as HotFunction
          const from = pc
          pc = enter(blockOf(entry), machine, frame, height, gas, fuel)
          if (pc === from) refused = pc
          height = registers[0] as number
          gas = registers[1] as number
          fuel = registers[2] as number
          memory = frame.memory
          view = frame.view
          memorySize = frame.memorySize
          continue
        }
        refused = -1
      }
      const op = ops[pc] as number
      fuel -= 1
      if (fuel < 0) {
        budget.fuel = fuel
        budget.refuel()
        fuel = budget.fuel
      }
      const instruction = instructions[op] as number
      if (height < ((instruction >>> 16) & 31) || height > instruction >>> 21) {
        error = stackFault(op, height, instruction)
        break
      }
      if (steps !== undefined) {
        const step = steps[op]
        if (step !== undefined && window !== undefined) {
          window.opcode = op
          window.pc = pc
          window.gasLeft = gas
          window.height = height
          step(window)
        }
      }
      gas -= instruction & 0xffff
      if (gas < 0) {
        error = faults.outOfGas
        break
      }

      switch (op) {
        case 0x00: // STOP
          break running

        case 0x01: {
          // ADD
          const a = stack[--height] as Word
          const b = stack[height - 1] as Word
          if (typeof a === 'number' && typeof b === 'number' && a + b <= MAX_SAFE) stack[height - 1] = a + b
          else stack[height - 1] = words.add(a, b)
          pc += 1
          continue
        }
        case 0x02: {
          // MUL
          const a = stack[--height] as Word
          const b = stack[height - 1] as Word
          if (typeof a === 'number' && typeof b === 'number' && a * b <= MAX_SAFE) stack[height - 1] = a * b
          else stack[height - 1] = words.mul(a, b)
          pc += 1
          continue
        }
        case 0x03: {
          // SUB
          const a = stack[--height] as Word
          const b = stack[height - 1] as Word
          if (typeof a === 'number' && typeof b === 'number' && a >= b) stack[height - 1] = a - b
          else if (constantIndex[pc] !== 0) stack[height - 1] = constants[constantIndex[pc] as number] as Word
          else stack[height - 1] = words.sub(a, b)
          pc += 1
          continue
        }
        case 0x04: {
          // DIV
          const a = stack[--height] as Word
          stack[height - 1] = words.div(a, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x05: {
          // SDIV
          const a = stack[--height] as Word
          stack[height - 1] = words.sdiv(a, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x06: {
          // MOD
          const a = stack[--height] as Word
          stack[height - 1] = words.mod(a, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x07: {
          // SMOD
          const a = stack[--height] as Word
          stack[height - 1] = words.smod(a, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x08: {
          // ADDMOD
          const a = stack[--height] as Word
          const b = stack[--height] as Word
          stack[height - 1] = words.addmod(a, b, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x09: {
          // MULMOD
          const a = stack[--height] as Word
          const b = stack[--height] as Word
          stack[height - 1] = words.mulmod(a, b, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x0a: {
          // EXP
          const base = stack[--height] as Word
          const exponent = stack[height - 1] as Word
          const exponentBytes = words.byteLength(exponent)
          gas -= rules.expByteGas * exponentBytes
          fuel -= exponentBytes << 5
          if (gas < 0) {
            error = faults.outOfGas
            break running
          }
          stack[height - 1] = words.exp(base, exponent)
          pc += 1
          continue
        }
        case 0x0b: {
          // SIGNEXTEND
          const index = stack[--height] as Word
          stack[height - 1] = words.signExtend(index, stack[height - 1] as Word)
          pc += 1
          continue
        }

        case 0x10: {
          // LT
          const a = stack[--height] as Word
          const b = stack[height - 1] as Word
          if (typeof a === 'number') stack[height - 1] = typeof b !== 'number' || a < b ? 1 : 0
          else stack[height - 1] = words.lessThan(a, b) ? 1 : 0
          pc += 1
          continue
        }
        case 0x11: {
          // GT
          const a = stack[--height] as Word
          const b = stack[height - 1] as Word
          if (typeof b === 'number') stack[height - 1] = typeof a !== 'number' || a > b ? 1 : 0
          else stack[height - 1] = words.lessThan(b, a) ? 1 : 0
          pc += 1
          continue
        }
        case 0x12: {
          // SLT
          const a = stack[--height] as Word
          stack[height - 1] = words.signedLessThan(a, stack[height - 1] as Word) ? 1 : 0
          pc += 1
          continue
        }
        case 0x13: {
          // SGT
          const a = stack[--height] as Word
          stack[height - 1] = words.signedLessThan(stack[height - 1] as Word, a) ? 1 : 0
          pc += 1
          continue
        }
        case 0x14: {
          // EQ
          const a = stack[--height] as Word
          stack[height - 1] = a === stack[height - 1] ? 1 : 0
          pc += 1
          continue
        }
        case 0x15: // ISZERO
          stack[height - 1] = stack[height - 1] === 0 ? 1 : 0
          pc += 1
          continue
        case 0x16: {
          // AND
          const a = stack[--height] as Word
          stack[height - 1] = words.and(a, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x17: {
          // OR
          const a = stack[--height] as Word
          stack[height - 1] = words.or(a, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x18: {
          // XOR
          const a = stack[--height] as Word
          stack[height - 1] = words.xor(a, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x19: // NOT
          if (constantIndex[pc] !== 0) stack[height - 1] = constants[constantIndex[pc] as number] as Word
          else stack[height - 1] = words.not(stack[height - 1] as Word)
          pc += 1
          continue
        case 0x1a: {
          // BYTE
          const index = stack[--height] as Word
          stack[height - 1] = words.byte(index, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x1b: {
          // SHL
          const bits = stack[--height] as Word
          if (constantIndex[pc] !== 0) stack[height - 1] = constants[constantIndex[pc] as number] as Word
          else stack[height - 1] = words.shl(bits, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x1c: {
          // SHR
          const bits = stack[--height] as Word
          stack[height - 1] = words.shr(bits, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x1d: {
          // SAR
          const bits = stack[--height] as Word
          stack[height - 1] = words.sar(bits, stack[height - 1] as Word)
          pc += 1
          continue
        }
        case 0x1e: // CLZ
          stack[height - 1] = words.countLeadingZeros(stack[height - 1] as Word)
          pc += 1
          continue

        case 0x20: {
          // KECCAK256
          const offset = stack[--height] as Word
          const length = stack[height - 1] as Word
          const end = regionEnd(offset, length)
          if (end > memorySize) {
            frame.gas = gas
            error = needMemory(machine, frame, offset, length, 0, 0)
            if (error !== undefined) break running
            gas = frame.gas
            memory = frame.memory
            view = frame.view
            memorySize = frame.memorySize
          }
          const size = length as number
          gas -= HASH_WORD_GAS * Math.ceil(size / 32)
          if (gas < 0) {
            error = faults.outOfGas
            break running
          }
          fuel -= HASH_STEPS + (size >>> 4)
          stack[height - 1] = hashMemory(machine, frame, offset, size)
          pc += 1
          continue
        }

        case 0x30: // ADDRESS
          stack[height++] = self.word
          pc += 1
          continue
        case 0x31: {
          // BALANCE
          const account = world.account(toAddressWord(stack[height - 1] as Word))
          account.used |= USED.coinsAsked
          if (world.warmAccount(account)) gas -= rules.coldAccountGas
          if (gas < 0) {
            error = faults.outOfGas
            break running
          }
          fuel -= lookupCost(world.accountCount())
          stack[height - 1] = toWord(account.balance)
          pc += 1
          continue
        }
        case 0x32: // ORIGIN
          stack[height++] = machine.origin
          pc += 1
          continue
        case 0x33: // CALLER
          stack[height++] = frame.caller
          pc += 1
          continue
        case 0x34: // CALLVALUE
          stack[height++] = frame.value
          pc += 1
          continue
        case 0x35: // CALLDATALOAD
          stack[height - 1] = readInput(frame, stack[height - 1] as Word)
          pc += 1
          continue
        case 0x36: // CALLDATASIZE
          stack[height++] = frame.inputLength
          pc += 1
          continue
        case 0x37: // CALLDATACOPY
        case 0x39: // CODECOPY
        case 0x3e: // RETURNDATACOPY
        case 0x5e: {
          // MCOPY
          const target = stack[--height] as Word
          const source = stack[--height] as Word
          const length = stack[--height] as Word
          if (op === 0x3e && !(Number(source) + Number(length) <= frame.returnData.length)) {
            error = faults.returnDataBounds
            break running
          }
          frame.gas = gas - (typeof length === 'number' ? COPY_WORD_GAS * Math.ceil(length / 32) : 0)
          if (frame.gas < 0) {
            error = faults.outOfGas
            break running
          }
          error =
            op === 0x5e
              ? needMemory(machine, frame, target, length, source, length)
              : needMemory(machine, frame, target, length, 0, 0)
          if (error !== undefined) break running
          gas = frame.gas
          memory = frame.memory
          view = frame.view
          memorySize = frame.memorySize
          if (op === 0x5e) {
            if (length !== 0)
              memory.copyWithin(target as number, source as number, (source as number) + (length as number))
          } else if (op === 0x39) copyBytes(frame, code.bytes, target, source, length as number)
          else if (op === 0x3e) copyBytes(frame, frame.returnData, target, source, length as number)
          else {
            const { input, inputStart, inputLength } = frame
            copyBytes(frame, input, target, source, length as number, inputStart, inputLength)
          }
          pc += 1
          continue
        }
        case 0x38: // CODESIZE
          stack[height++] = code.bytes.length
          pc += 1
          continue
        case 0x3a: // GASPRICE
          world.asksBlock = true
          stack[height++] = machine.gasPrice
          pc += 1
          continue
        case 0x3b: // EXTCODESIZE
        case 0x3f: {
          // EXTCODEHASH
          const account = world.account(toAddressWord(stack[height - 1] as Word))
          if (world.warmAccount(account)) gas -= rules.coldAccountGas
          if (gas < 0) {
            error = faults.outOfGas
            break running
          }
          fuel -= lookupCost(world.accountCount())
          stack[height - 1] = op === 0x3b ? world.code(account).bytes.length : codeHashOf(account)
          pc += 1
          continue
        }
        case 0x3c: {
          // EXTCODECOPY
          const account = world.account(toAddressWord(stack[--height] as Word))
          const target = stack[--height] as Word
          const source = stack[--height] as Word
          const length = stack[--height] as Word
          if (world.warmAccount(account)) gas -= rules.coldAccountGas
          frame.gas = gas - (typeof length === 'number' ? COPY_WORD_GAS * Math.ceil(length / 32) : 0)
          if (frame.gas < 0) {
            error = faults.outOfGas
            break running
          }
          error = needMemory(machine, frame, target, length, 0, 0)
          if (error !== undefined) break running
          gas = frame.gas
          memory = frame.memory
          view = frame.view
          memorySize = frame.memorySize
          fuel -= lookupCost(world.accountCount())
          copyBytes(frame, world.code(account).bytes, target, source, length as number)
          pc += 1
          continue
        }
        case 0x3d: // RETURNDATASIZE
          stack[height++] = frame.returnData.length
          pc += 1
          continue

        case 0x40: // BLOCKHASH
          world.asksBlock = true
          fuel -= BLOCK_HASH_STEPS
          stack[height - 1] = machine.blockHash(stack[height - 1] as Word)
          pc += 1
          continue
        case 0x41: // COINBASE
          world.asksBlock = true
          stack[height++] = block.coinbase
          pc += 1
          continue
        case 0x42: // TIMESTAMP
          stack[height++] = block.timestamp
          pc += 1
          continue
        case 0x43: // NUMBER
          stack[height++] = block.number
          pc += 1
          continue
        case 0x44: // PREVRANDAO
          world.asksBlock = true
          stack[height++] = block.prevRandao
          pc += 1
          continue
        case 0x45: // GASLIMIT
          world.asksBlock = true
          stack[height++] = block.gasLimit
          pc += 1
          continue
        case 0x46: // CHAINID
          stack[height++] = block.chainId
          pc += 1
          continue
        case 0x47: // SELFBALANCE
          self.used |= USED.coinsAsked
          stack[height++] = toWord(world.account(self.word).balance)
          pc += 1
          continue
        case 0x48: // BASEFEE
          world.asksBlock = true
          stack[height++] = block.baseFee
          pc += 1
          continue
        case 0x49: {
          // BLOBHASH
          const index = stack[height - 1] as Word
          stack[height - 1] = typeof index === 'number' ? (machine.blobHashes[index] ?? 0) : 0
          pc += 1
          continue
        }
        case 0x4a: // BLOBBASEFEE
          world.asksBlock = true
          stack[height++] = block.blobBaseFee
          pc += 1
          continue

        case 0x4b: // SLOTNUM
          if (block.slotNumber === undefined) throw new UnsupportedExecutionError(`SLOTNUM in a block without a slot`)
          world.asksBlock = true
          stack[height++] = block.slotNumber
          pc += 1
          continue

        case 0x50: // POP
          height -= 1
          pc += 1
          continue
        case 0x51: {
          // MLOAD
          const offset = stack[height - 1] as Word
          if (typeof offset !== 'number' || offset + 32 > memorySize) {
            frame.gas = gas
            error = needMemory(machine, frame, offset, 32, 0, 0)
            if (error !== undefined) break running
            gas = frame.gas
            memory = frame.memory
            view = frame.view
            memorySize = frame.memorySize
          }
          stack[height - 1] = readWord(view, offset as number)
          pc += 1
          continue
        }
        case 0x52: {
          // MSTORE
          const offset = stack[--height] as Word
          const value = stack[--height] as Word
          if (typeof offset !== 'number' || offset + 32 > memorySize) {
            frame.gas = gas
            error = needMemory(machine, frame, offset, 32, 0, 0)
            if (error !== undefined) break running
            gas = frame.gas
            memory = frame.memory
            view = frame.view
            memorySize = frame.memorySize
          }
          writeWord(view, offset as number, value)
          pc += 1
          continue
        }
        case 0x53: {
          // MSTORE8
          const offset = stack[--height] as Word
          const value = stack[--height] as Word
          if (typeof offset !== 'number' || offset + 1 > memorySize) {
            frame.gas = gas
            error = needMemory(machine, frame, offset, 1, 0, 0)
            if (error !== undefined) break running
            gas = frame.gas
            memory = frame.memory
            view = frame.view
            memorySize = frame.memorySize
          }
          memory[offset as number] = lowByte(value)
          pc += 1
          continue
        }
        case 0x54: {
          // SLOAD
          accesses += 1
          if (accesses % ACCESSES_PER_LOOK === 0) budget.checkClock()
          const key = stack[height - 1] as Word
          const slot = world.readSlot(self, key)
          fuel -= lookupCost(self.slots.size)
          if (world.warmSlot(slot)) gas -= rules.coldSlotGas
          if (gas < 0) {
            error = faults.outOfGas
            break running
          }
          stack[height - 1] = slot.value
          if (hooks !== undefined && hooks.storageRead !== undefined) {
            frame.pc = pc
            hooks.storageRead(frame, key, slot.value)
          }
          pc += 1
          continue
        }
        case 0x55: {
          // SSTORE
          accesses += 1
          if (accesses % ACCESSES_PER_LOOK === 0) budget.checkClock()
          const key = stack[--height] as Word
          const value = stack[--height] as Word
          if (gas <= rules.sstore.sentryGas) {
            error = faults.sentry
            break running
          }
          const slot = world.readSlot(self, key)
          fuel -= lookupCost(self.slots.size)
          gas -= sstoreGas(machine, slot, value)
          if (gas < 0) {
            error = faults.outOfGas
            break running
          }
          if (frame.isStatic) {
            error = faults.writeProtection
            break running
          }
          if (hooks !== undefined && hooks.storageWrite !== undefined) {
            frame.pc = pc
            hooks.storageWrite(frame, key, value, slot.value)
          }
          if (slot.value !== value) world.writeSlot(slot, value)
          pc += 1
          continue
        }
        case 0x56: {
          // JUMP
          const target = stack[--height] as Word
          if (typeof target !== 'number' || jumpDestinations[target] !== 1) {
            error = faults.jump
            break running
          }
          pc = target
          continue
        }
        case 0x57: {
          // JUMPI
          const target = stack[--height] as Word
          const condition = stack[--height] as Word
          if (condition === 0) {
            pc += 1
            continue
          }
          if (typeof target !== 'number' || jumpDestinations[target] !== 1) {
            error = faults.jump
            break running
          }
          pc = target
          continue
        }
        case 0x58: // PC
          stack[height++] = pc
          pc += 1
          continue
        case 0x59: // MSIZE
          stack[height++] = memorySize
          pc += 1
          continue
        case 0x5a: // GAS
          stack[height++] = gas
          pc += 1
          continue
        case 0x5b: // JUMPDEST
          if (heat !== undefined) {
            countJump(code, heat, rules, pc)
            if (functions !== heat.functions) {
              entries = entriesOf(code, heat, rules)
              functions = heat.functions
            }
          }
          pc += 1
          continue
        case 0x5c: // TLOAD
          fuel -= lookupCost(self.transient.size)
          stack[height - 1] = world.readTransient(self, stack[height - 1] as Word)
          pc += 1
          continue
        case 0x5d: {
          // TSTORE
          accesses += 1
          if (accesses % ACCESSES_PER_LOOK === 0) budget.checkClock()
          const key = stack[--height] as Word
          const value = stack[--height] as Word
          if (frame.isStatic) {
            error = faults.writeProtection
            break running
          }
          world.writeTransient(self, key, value)
          fuel -= lookupCost(self.transient.size)
          pc += 1
          continue
        }

        case 0x5f: // PUSH0
          stack[height++] = 0
          pc += 1
          continue
        case 0x60: // PUSH1
          stack[height++] = ops[pc + 1] as number
          pc += 2
          continue
        case 0x61: // PUSH2
          stack[height++] = ((ops[pc + 1] as number) << 8) | (ops[pc + 2] as number)
          pc += 3
          continue
        case 0x62: // PUSH3
          stack[height++] = ((ops[pc + 1] as number) << 16) | ((ops[pc + 2] as number) << 8) | (ops[pc + 3] as number)
          pc += 4
          continue
        case 0x63: // PUSH4
          stack[height++] =
            (ops[pc + 1] as number) * 0x1_00_00_00 +
            (((ops[pc + 2] as number) << 16) | ((ops[pc + 3] as number) << 8) | (ops[pc + 4] as number))
          pc += 5
          continue
        case 0x64: // PUSH5
          stack[height++] =
            (ops[pc + 1] as number) * TWO_32 +
            (ops[pc + 2] as number) * 0x1_00_00_00 +
            (((ops[pc + 3] as number) << 16) | ((ops[pc + 4] as number) << 8) | (ops[pc + 5] as number))
          pc += 6
          continue
        case 0x65: // PUSH6
          stack[height++] =
            (((ops[pc + 1] as number) << 8) | (ops[pc + 2] as number)) * TWO_32 +
            (ops[pc + 3] as number) * 0x1_00_00_00 +
            (((ops[pc + 4] as number) << 16) | ((ops[pc + 5] as number) << 8) | (ops[pc + 6] as number))
          pc += 7
          continue
        // PUSH7 to PUSH32
        case 0x66:
        case 0x67:
        case 0x68:
        case 0x69:
        case 0x6a:
        case 0x6b:
        case 0x6c:
        case 0x6d:
        case 0x6e:
        case 0x6f:
        case 0x70:
        case 0x71:
        case 0x72:
        case 0x73:
        case 0x74:
        case 0x75:
        case 0x76:
        case 0x77:
        case 0x78:
        case 0x79:
        case 0x7a:
        case 0x7b:
        case 0x7c:
        case 0x7d:
        case 0x7e:
        case 0x7f:
          stack[height++] = constants[constantIndex[pc] as number] as Word
          pc += op - 0x5e
          continue

        case 0x80:
        case 0x81:
        case 0x82:
        case 0x83:
        case 0x84:
        case 0x85:
        case 0x86:
        case 0x87:
        case 0x88:
        case 0x89:
        case 0x8a:
        case 0x8b:
        case 0x8c:
        case 0x8d:
        case 0x8e:
        case 0x8f: {
          // DUP1 to DUP16
          stack[height] = stack[height - (op - 0x7f)] as Word
          height += 1
          pc += 1
          continue
        }
        case 0x90:
        case 0x91:
        case 0x92:
        case 0x93:
        case 0x94:
        case 0x95:
        case 0x96:
        case 0x97:
        case 0x98:
        case 0x99:
        case 0x9a:
        case 0x9b:
        case 0x9c:
        case 0x9d:
        case 0x9e:
        case 0x9f: {
          // SWAP1 to SWAP16
          const other = height - 1 - (op - 0x8f)
          const top = stack[height - 1] as Word
          stack[height - 1] = stack[other] as Word
          stack[other] = top
          pc += 1
          continue
        }
        case 0xa0: // LOG0
        case 0xa1: // LOG1
        case 0xa2: // LOG2
        case 0xa3: // LOG3
        case 0xa4: // LOG4
          frame.gas = gas
          frame.height = height
          error = logOpcode(machine, frame, op - 0xa0)
          if (error !== undefined) break running
          gas = frame.gas
          height = frame.height
          memory = frame.memory
          view = frame.view
          memorySize = frame.memorySize
          pc += 1
          continue

        case 0xe6: {
          // DUPN
          const place = DEEP_PLACES[ops[pc + 1] as number] as number
          if (place === 0 || place > height) {
            error = deepStackFault(op, height, place)
            break running
          }
          stack[height] = stack[height - place] as Word
          height += 1
          pc += 2
          continue
        }
        case 0xe7: // SWAPN
        case 0xe8: {
          // EXCHANGE
          const operand = ops[pc + 1] as number
          const place = (op === 0xe7 ? DEEP_PLACES[operand] : FAR_PLACES[operand]) as number
          if (place === 0 || place >= height) {
            error = deepStackFault(op, height, place === 0 ? 0 : place + 1)
            break running
          }
          const upper = op === 0xe7 ? height - 1 : height - 1 - (NEAR_PLACES[operand] as number)
          const value = stack[upper] as Word
          stack[upper] = stack[height - 1 - place] as Word
          stack[height - 1 - place] = value
          pc += 2
          continue
        }

        case 0xf0: // CREATE
        case 0xf1: // CALL
        case 0xf2: // CALLCODE
        case 0xf4: // DELEGATECALL
        case 0xf5: // CREATE2
        case 0xfa: {
          // STATICCALL
          frame.pc = pc + 1
          frame.gas = gas
          frame.height = height
          fuel -= lookupCost(world.accountCount())
          const next = op === 0xf0 || op === 0xf5 ? createOpcode(machine, frame, op) : callOpcode(machine, frame, op)
          if (typeof next === 'string') {
            error = next
            break running
          }
          if (next === frame) {
            gas = frame.gas
            height = frame.height
            memory = frame.memory
            view = frame.view
            memorySize = frame.memorySize
            pc += 1
            continue
          }
          frame = next
          continue frames
        }
        case 0xf3: // RETURN
        case 0xfd: {
          // REVERT
          const offset = stack[--height] as Word
          const length = stack[--height] as Word
          frame.gas = gas
          error = needMemory(machine, frame, offset, length, 0, 0)
          if (error !== undefined) break running
          gas = frame.gas
          if (length !== 0) {
            budget.checkReturnData(length as number)
            output = copyOf(frame.memory, offset as number, length as number)
          }
          if (op === 0xfd) error = faults.reverted
          break running
        }
        case 0xff: // SELFDESTRUCT
          frame.gas = gas
          frame.height = height
          error = selfdestructOpcode(machine, frame)
          gas = frame.gas
          break running
        default: // INVALID and all that is not an instruction
          error = invalidOpcodeFault(op)
          break running
      }
    }

    frame.gas = gas
    leaveFrame(machine, frame, output, error)
    if (frame.depth === outermost) {
      budget.fuel = fuel
      return
    }
    frame = deliver(machine, machine.frames[frame.depth - 1] as Frame)
  }
}
