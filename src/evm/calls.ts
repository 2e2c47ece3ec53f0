import { type Address, type Hex, toPaddedHex } from '../hex.js'
import type { Word } from '../instructions/word.js'
import { type AccountEntry, USED } from './account-entry.js'
import { UnsupportedExecutionError } from './chain-extras.js'
import { type Code, EMPTY_CODE, prepareCode } from './code.js'
import { faults } from './faults.js'
import { type Frame, NO_BYTES, resetFrame } from './frame.js'
import type { CallKind } from './inspector.js'
import { keccakHex } from './keccak-words.js'
import { frameAt, type Machine } from './machine.js'
import type { Checkpoint } from './world.js'

/** The chain's own bound on nesting. */
const MAX_DEPTH = 1_024
const DEPOSIT_BYTE_GAS = 200
/** EIP-2681. */
const MAX_NONCE = 2n ** 64n - 1n
/** Getting code ready to run takes about as long as a step for every two bytes. */
const PREPARED_BYTES_PER_STEP = 2

/** A window on bytes that stand still: call data is read where the caller's memory holds it. */
export interface Window {
  input: Uint8Array
  inputView: DataView
  inputStart: number
  inputLength: number
}

/** A call about to happen, from an opcode or from a transaction. */
export interface Call extends Window {
  kind: CallKind
  depth: number
  /** Who pays `value`, and the account that DELEGATECALL and CALLCODE run as. */
  payer: AccountEntry
  /** What CALLER will answer. */
  caller: Word
  target: AccountEntry
  value: Word
  gas: number
  isStatic: boolean
}

/**
 * Starts a call. Returns its frame, or `undefined` when it is over already (refused, a precompile,
 * no code); then the `machine` says how it ended.
 */
export function enterCall(machine: Machine, call: Call): Frame | undefined {
  const { world } = machine
  const { kind, depth, payer, target, value, gas } = call
  machine.budget.enterFrame(depth)
  machine.systemWrites?.before(target)
  const precompile = machine.precompiles.get(target.word)
  const source = precompile === undefined ? codeSource(machine, target) : target
  const code = precompile === undefined && isRunnable(machine, source) ? world.code(source) : EMPTY_CODE
  if (precompile === undefined) refuseUnsupported(machine, target, code)
  machine.hooks?.call({
    kind,
    depth,
    from: payer.address,
    to: target.address,
    value,
    gas,
    input: inputOf(call),
    codeAddress: source.address,
    isStatic: call.isStatic,
  })
  if (depth > MAX_DEPTH) return over(machine, call, gas, NO_BYTES, faults.depth)
  const moves = value !== 0 && (kind === 'CALL' || kind === 'CALLCODE')
  source.used |= USED.code
  if (moves) payer.used |= USED.coinsPaid
  if (moves && payer.balance < BigInt(value)) return over(machine, call, gas, NO_BYTES, faults.balance)
  const checkpoint = world.checkpoint()
  if (kind === 'CALL') {
    world.touch(target)
    if (moves) transfer(machine, payer, target, BigInt(value), depth)
  }
  if (precompile !== undefined) {
    const input = inputOf(call)
    const cost = precompile.gas(input)
    if (cost <= gas) machine.budget.payPrecompile(cost * precompile.microsPerGas)
    const output = cost <= gas ? precompile.run(input, machine.budget.checkClock) : undefined
    if (output !== undefined) return over(machine, call, gas - cost, output, undefined)
    world.revert(checkpoint)
    return over(machine, call, 0, NO_BYTES, cost <= gas ? faults.precompile : faults.outOfGas)
  }
  if (code.bytes.length === 0) return over(machine, call, gas, NO_BYTES, undefined)
  const runsAsPayer = kind === 'DELEGATECALL' || kind === 'CALLCODE'
  const frame = startFrame(machine, depth, runsAsPayer ? payer : target, checkpoint)
  frame.kind = kind
  frame.caller = call.caller
  frame.value = value
  frame.target = target.address
  frame.codeAddress = source.address
  frame.isStatic = call.isStatic
  frame.isCreation = false
  frame.code = code
  frame.input = call.input
  frame.inputView = call.inputView
  frame.inputStart = call.inputStart
  frame.inputLength = call.inputLength
  frame.gasLimit = gas
  frame.gas = gas
  return frame
}

/** A creation about to happen. */
export interface Creation {
  kind: 'CREATE' | 'CREATE2'
  depth: number
  creator: AccountEntry
  address: AccountEntry
  value: Word
  gas: number
  initCode: Uint8Array
}

/**
 * Starts a creation; like {@link enterCall}. The new address is pushed by the opcode that asked.
 */
export function enterCreation(machine: Machine, creation: Creation): Frame | undefined {
  const { world, rules } = machine
  const { kind, depth, creator, address, value, gas, initCode } = creation
  machine.budget.enterFrame(depth)
  machine.hooks?.call({
    kind,
    depth,
    from: creator.address,
    to: address.address,
    value,
    gas,
    input: initCode,
    codeAddress: address.address,
    isStatic: false,
  })
  if (depth > MAX_DEPTH) return over(machine, creation, gas, NO_BYTES, faults.depth)
  if (value !== 0) creator.used |= USED.coinsPaid
  if (creator.balance < BigInt(value)) return over(machine, creation, gas, NO_BYTES, faults.balance)
  // A transaction has raised its sender's nonce already.
  if (depth > 0) {
    const nonce = world.nonce(creator)
    if (nonce >= MAX_NONCE) return over(machine, creation, gas, NO_BYTES, faults.nonceOverflow)
    world.setNonce(creator, nonce + 1n)
  }
  world.warmAccount(address)
  world.account(address.word)
  if (isTaken(machine, address)) return over(machine, creation, 0, NO_BYTES, faults.collision)
  const frame = startFrame(machine, depth, address, world.checkpoint())
  machine.budget.spend(Math.ceil(initCode.length / PREPARED_BYTES_PER_STEP))
  world.touch(address)
  world.markCreated(address)
  if (rules.noEmptyAccounts) world.setNonce(address, 1n)
  if (value !== 0) transfer(machine, creator, address, BigInt(value), depth)
  frame.kind = kind
  frame.caller = creator.word
  frame.value = value
  frame.target = address.address
  frame.codeAddress = address.address
  frame.isStatic = false
  frame.isCreation = true
  frame.code = prepareCode('0x', initCode)
  frame.input = NO_BYTES
  frame.inputStart = 0
  frame.inputLength = 0
  frame.gasLimit = gas
  frame.gas = gas
  return frame
}

/** Ends a frame: keeps or undoes its work, and leaves the result in the `machine`. */
export function leaveFrame(machine: Machine, frame: Frame, output: Uint8Array, error: string | undefined): void {
  const { world } = machine
  const failure = error ?? (frame.isCreation ? depositCode(machine, frame, output) : undefined)
  if (failure !== undefined) {
    world.revert(frame)
    if (failure !== faults.reverted) frame.gas = 0
  }
  machine.gasLeft = frame.gas
  machine.output = output
  machine.error = failure
  machine.hooks?.callEnd(frame.gasLimit - frame.gas, output, failure, frame)
  resetFrame(frame)
}

/** Says how a call or creation ended that never got a frame. */
function over(
  machine: Machine,
  { gas }: { gas: number },
  gasLeft: number,
  output: Uint8Array,
  error: string | undefined,
): undefined {
  machine.gasLeft = gasLeft
  machine.output = output
  machine.error = error
  machine.hooks?.callEnd(gas - gasLeft, output, error)
}

function startFrame(machine: Machine, depth: number, self: AccountEntry, checkpoint: Checkpoint): Frame {
  const frame = frameAt(machine, depth, self)
  frame.self = self
  frame.undo = checkpoint.undo
  frame.warm = checkpoint.warm
  frame.logs = checkpoint.logs
  frame.refund = checkpoint.refund
  return frame
}

/**
 * The account whose code runs when `target` is called: its EIP-7702 delegate, one level deep, or
 * itself.
 */
export function codeSource(machine: Machine, target: AccountEntry): AccountEntry {
  if (!machine.rules.delegations) return target
  const { delegate } = machine.world.code(target)
  return delegate === undefined ? target : machine.world.entry(delegate)
}

/** A delegation to a precompile runs no code (EIP-7702). */
function isRunnable(machine: Machine, source: AccountEntry): boolean {
  return !machine.precompiles.has(source.word)
}

function refuseUnsupported(machine: Machine, target: AccountEntry, code: Code): void {
  const reason = machine.extras?.unsupported(target.word, code)
  if (reason !== undefined) throw new UnsupportedExecutionError(reason)
}

/** Moves wei; `depth` is that of the frame whose log tells it (EIP-7708). */
export function transfer(machine: Machine, from: AccountEntry, to: AccountEntry, amount: bigint, depth: number): void {
  const { world, rules, budget, hooks } = machine
  world.setBalance(from, from.balance - amount)
  const receiver = world.account(to.word)
  world.setBalance(receiver, receiver.balance + amount)
  if (!rules.logsTransfers || amount === 0n || from === to) return
  const topics = [TRANSFER_TOPIC, toPaddedHex(BigInt(from.word), 32), toPaddedHex(BigInt(to.word), 32)]
  const log = { address: TRANSFER_LOGGER, topics, data: toPaddedHex(amount, 32) }
  budget.addLog(WORD_BYTES)
  world.logs.push(log)
  hooks?.log(log, depth)
}

/** EIP-7708: the account that speaks for the chain, and the event of ERC-20 tokens. */
const TRANSFER_LOGGER: Address = '0xfffffffffffffffffffffffffffffffffffffffe'
const TRANSFER_TOPIC: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const WORD_BYTES = 32

/** EIP-684 and EIP-7610: an address with a nonce, code or storage cannot be created again. */
function isTaken({ world }: Machine, address: AccountEntry): boolean {
  return world.nonce(address) !== 0n || world.code(address).bytes.length > 0 || world.hasStorage(address)
}

/** Pays for the new code and stores it; returns why that is not possible. */
function depositCode({ world, rules }: Machine, frame: Frame, bytes: Uint8Array): string | undefined {
  if (bytes.length > rules.maxCodeBytes) return faults.codeTooLarge
  if (rules.refusesEfCode && bytes[0] === 0xef) return faults.efCode
  const cost = bytes.length * DEPOSIT_BYTE_GAS
  if (cost > frame.gas) return rules.paysForDeposit ? faults.depositOutOfGas : undefined
  frame.gas -= cost
  if (bytes.length > 0) world.setCode(frame.self, prepareCode(keccakHex(bytes), bytes))
  return undefined
}

function inputOf({ input, inputStart, inputLength }: Window): Uint8Array {
  return inputLength === input.length ? input : input.subarray(inputStart, inputStart + inputLength)
}
