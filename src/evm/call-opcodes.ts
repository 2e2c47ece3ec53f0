import { copyInto } from '../instructions/bytes.js'
import { toAddressWord, type Word } from '../instructions/word.js'
import { type AccountEntry, isEmpty } from './account-entry.js'
import { codeSource, enterCall, enterCreation, transfer } from './calls.js'
import { createAddress, createAddress2 } from './create-address.js'
import { faults, initCodeFault, memoryFault } from './faults.js'
import { type Frame, growMemory, memoryGas, NO_BYTES, regionEnd } from './frame.js'
import type { CallKind } from './inspector.js'
import type { Machine } from './machine.js'
import { HASH_WORD_GAS } from './opcode-costs.js'

const CALL_VALUE_GAS = 9_000
const CALL_STIPEND = 2_300
const NEW_ACCOUNT_GAS = 25_000

const KINDS: Record<number, CallKind> = {
  240: 'CREATE',
  241: 'CALL',
  242: 'CALLCODE',
  244: 'DELEGATECALL',
  245: 'CREATE2',
  250: 'STATICCALL',
}

/**
 * What the interpreter goes on with: a frame (a new one, or the same if the call is over), or the
 * text of a fault.
 */
export type Continuation = Frame | string

/**
 * CALL, CALLCODE, DELEGATECALL and STATICCALL. The opcode's static gas is paid; the frame's `pc`,
 * `gas` and `height` are current.
 */
export function callOpcode(machine: Machine, frame: Frame, opcode: number): Continuation {
  const kind = KINDS[opcode] as CallKind
  const { world, rules } = machine
  const hasValue = kind === 'CALL' || kind === 'CALLCODE'
  const requested = pop(frame)
  const target = world.entry(toAddressWord(pop(frame)))
  const value = hasValue ? pop(frame) : 0
  const inputOffset = pop(frame)
  const inputLength = pop(frame)
  const outputOffset = pop(frame)
  const outputLength = pop(frame)

  if (world.warmAccount(target)) frame.gas -= rules.coldAccountGas
  const fault = needMemory(machine, frame, inputOffset, inputLength, outputOffset, outputLength)
  if (fault !== undefined) return fault
  if (value !== 0) frame.gas -= CALL_VALUE_GAS
  if (kind === 'CALL' && isNewAccount(machine, target, value)) frame.gas -= NEW_ACCOUNT_GAS
  if (frame.gas < 0) return faults.outOfGas
  if (!machine.precompiles.has(target.word)) frame.gas -= delegationGas(machine, target)
  if (frame.gas < 0) return faults.outOfGas
  if (kind === 'CALL' && value !== 0 && frame.isStatic) return faults.writeProtection

  const passed = passedGas(machine, frame, requested)
  if (passed > frame.gas) return faults.outOfGas
  frame.gas -= passed
  frame.outputStart = outputLength === 0 ? 0 : (outputOffset as number)
  frame.outputLength = outputLength as number
  const isDelegate = kind === 'DELEGATECALL'
  const child = enterCall(machine, {
    kind,
    depth: frame.depth + 1,
    payer: frame.self,
    caller: isDelegate ? frame.caller : frame.self.word,
    target,
    value: isDelegate ? frame.value : value,
    gas: value === 0 ? passed : passed + CALL_STIPEND,
    isStatic: frame.isStatic || kind === 'STATICCALL',
    input: frame.memory,
    inputView: frame.view,
    inputStart: inputLength === 0 ? 0 : (inputOffset as number),
    inputLength: inputLength as number,
  })
  return child ?? deliver(machine, frame)
}

/** CREATE and CREATE2. */
export function createOpcode(machine: Machine, frame: Frame, opcode: number): Continuation {
  const kind = KINDS[opcode] as 'CREATE' | 'CREATE2'
  const { world, rules } = machine
  const value = pop(frame)
  const offset = pop(frame)
  const length = pop(frame)
  const salt = kind === 'CREATE2' ? pop(frame) : 0
  const fault = needMemory(machine, frame, offset, length, 0, 0)
  if (fault !== undefined) return fault
  const size = length as number
  if (size > rules.maxInitCodeBytes) return initCodeFault(size)
  const wordGas = rules.initCodeWordGas + (kind === 'CREATE2' ? HASH_WORD_GAS : 0)
  frame.gas -= wordGas * Math.ceil(size / 32)
  if (frame.gas < 0) return faults.outOfGas
  if (frame.isStatic) return faults.writeProtection

  const start = size === 0 ? 0 : (offset as number)
  const initCode = frame.memory.slice(start, start + size)
  const creator = frame.self
  const address = world.entry(
    kind === 'CREATE2'
      ? createAddress2(creator.word, salt, initCode)
      : createAddress(creator.word, world.nonce(creator)),
  )
  const passed = frame.gas - (rules.keepsOne64th ? Math.floor(frame.gas / 64) : 0)
  frame.gas -= passed
  frame.createdAddress = address.word
  const child = enterCreation(machine, { kind, depth: frame.depth + 1, creator, address, value, gas: passed, initCode })
  return child ?? deliver(machine, frame)
}

/** Gives the caller what its call has left in the machine. */
export function deliver(machine: Machine, frame: Frame): Frame {
  const { output, error } = machine
  const hasOutput = error === undefined || error === faults.reverted
  frame.gas += machine.gasLeft
  if (frame.createdAddress !== undefined) {
    frame.returnData = error === faults.reverted ? output : NO_BYTES
    push(frame, error === undefined ? frame.createdAddress : 0)
    frame.createdAddress = undefined
    return frame
  }
  frame.returnData = hasOutput ? output : NO_BYTES
  if (hasOutput) copyInto(frame.memory, frame.outputStart, output, 0, Math.min(frame.outputLength, output.length))
  push(frame, error === undefined ? 1 : 0)
  return frame
}

/** SELFDESTRUCT, as far as the frame's end. Returns a fault's text, if any. */
export function selfdestructOpcode(machine: Machine, frame: Frame): string | undefined {
  const { world, rules, hooks } = machine
  const { self } = frame
  const beneficiary = world.account(toAddressWord(pop(frame)))
  if (world.warmAccount(beneficiary) && rules.coldAccountGas > 0) frame.gas -= rules.coldAccountGas + WARM_GAS
  if (
    rules.newAccountOnSelfdestruct &&
    isNewAccount(machine, beneficiary, world.account(self.word).balance === 0n ? 0 : 1)
  ) {
    frame.gas -= NEW_ACCOUNT_GAS
  }
  if (frame.gas < 0) return faults.outOfGas
  if (frame.isStatic) return faults.writeProtection
  const { balance } = self
  hooks?.selfdestruct(frame, beneficiary.address, balance)
  if (self.destroyedIn !== world.transaction) world.refund += rules.selfdestructRefund
  world.touch(beneficiary)
  transfer(machine, self, beneficiary, balance, frame.depth)
  if (rules.selfdestructOnlyNew && self.createdIn !== world.transaction) return undefined
  if (!rules.keepsBalances) world.setBalance(self, 0n)
  world.markDestroyed(self)
  return undefined
}

const WARM_GAS = 100

/**
 * Pays for the memory that two regions need and makes it usable; returns a fault's text, if any.
 */
export function needMemory(
  machine: Machine,
  frame: Frame,
  offset: Word,
  length: Word,
  otherOffset: Word,
  otherLength: Word,
): string | undefined {
  const end = Math.max(regionEnd(offset, length), regionEnd(otherOffset, otherLength))
  if (end <= frame.memorySize) return undefined
  const size = Math.ceil(end / 32) * 32
  frame.gas -= memoryGas(size) - memoryGas(frame.memorySize)
  // The comparison is false for NaN, which infinite sizes lead to.
  if (!(frame.gas >= 0)) {
    return regionEnd(offset, length) === end ? memoryFault(offset, length) : memoryFault(otherOffset, otherLength)
  }
  machine.budget.checkMemory(size)
  growMemory(frame, size)
  return undefined
}

function pop(frame: Frame): Word {
  frame.height -= 1
  return frame.stack[frame.height] as Word
}

function push(frame: Frame, word: Word): void {
  frame.stack[frame.height] = word
  frame.height += 1
}

/** EIP-161: value for an account that is empty; before, any call to one that does not exist. */
function isNewAccount({ world, rules, precompiles }: Machine, target: AccountEntry, value: Word): boolean {
  if (rules.noEmptyAccounts) return value !== 0 && isEmpty(world.account(target.word))
  // Empty accounts existed then: those touched, and the precompiles, which all contracts call.
  const exists = target.touchedIn === world.transaction || precompiles.has(target.word)
  return !exists && isEmpty(world.account(target.word))
}

/**
 * EIP-7702: the access to the account whose code runs is paid as well, also where that is the
 * account itself.
 */
function delegationGas(machine: Machine, target: AccountEntry): number {
  if (!machine.rules.delegations || machine.world.code(target).delegate === undefined) return 0
  const source = codeSource(machine, target)
  return machine.world.warmAccount(source) ? WARM_GAS + machine.rules.coldAccountGas : WARM_GAS
}

/** EIP-150: at most all but one 64th, even if more was asked for. */
function passedGas({ rules }: Machine, { gas }: Frame, requested: Word): number {
  if (!rules.keepsOne64th) return typeof requested === 'number' ? requested : Number.POSITIVE_INFINITY
  const most = gas - Math.floor(gas / 64)
  return typeof requested === 'number' && requested < most ? requested : most
}
