import { viewOf } from '../account.js'
import { type CrossCall, handOn } from './cross-call.js'
import type { ProgramInput } from './program-input.js'
import { PROGRAM_START, type SbfProgram, SLOT_BYTES } from './read-elf.js'
import { ENDING_CALLS, RUNTIME_CALLS } from './runtime-calls.js'
import { COMPARE, extendLow } from './sbf-arithmetic.js'
import { compute } from './sbf-compute.js'
import { AccessViolation, createMemory, type Memory } from './sbf-memory.js'
import {
  CALL,
  CALL_REGISTER,
  EXIT,
  JUMP,
  JUMP_CLASS,
  LATER_CLASS,
  LOAD,
  LOAD_CONSTANT,
  NARROW_CLASS,
  STORE,
  STORE_IMMEDIATE,
  WIDE_CLASS,
} from './sbf-opcodes.js'
import { apply, leavesOf, type Operand, type Operation, opaque, type Term } from './sbf-term.js'

/** A jump that depends on something outside the program. */
export interface Decision {
  /** Place of the jump in the code. */
  at: number
  taken: boolean
  test: Operation
  a: Operand
  b: Operand
}

export interface Followed {
  /**
   * What the program gave back: nil means that it agrees. `undefined` when it failed on its own.
   */
  result: bigint | undefined
  decisions: Decision[]
  /** Instructions that were followed. */
  steps: number
  /** Why it could not be followed to its end; empty when it was. */
  lostAt: string
}

/**
 * What code of the runtime's version 0 costs here: a hook of a thousand lines takes some thousand.
 */
const MAX_STEPS = 150_000
/** A loop over a list decides as often as the list is long. */
const MAX_DECISIONS = 4_096
const MAX_CALLS = 63
const STACK_START = 0x2_0000_0000n
const INPUT_START = 0x4_0000_0000n

interface Way extends Pick<Followed, 'decisions' | 'steps'> {
  /** Programs that were entered, in the order of their first time. */
  programs: SbfProgram[]
}

/** Places of decisions in programs that are asked lie behind those of the one that asks. */
const PLACES_OF_PROGRAM = 2 ** 24
/** Programs below each other; the runtime's own limit counts the token program as well. */
const MAX_DEPTH = 4

interface Frame {
  back: number
  saved: { value: bigint; term: Term | undefined }[]
}

/**
 * Runs a program as the runtime would, and tells each decision that it made on something outside.
 * Never throws for what a program does.
 */
export function followProgram(program: SbfProgram, input: ProgramInput): Followed {
  const way: Way = { decisions: [], steps: 0, programs: [] }
  const told = (result: bigint | undefined, lostAt: string) => ({
    result,
    lostAt,
    decisions: way.decisions,
    steps: way.steps,
  })
  try {
    return told(run(program, input, way, 1).result, '')
  } catch (error) {
    if (error instanceof AccessViolation) return told(undefined, '')
    if (error instanceof Lost || error instanceof RangeError) return told(undefined, error.message)
    throw error
  }
}

/** Follows a program that another asks, on the accounts as they are by then. */
function ask(memory: Memory, input: ProgramInput, call: CrossCall, way: Way, depth: number): void {
  const code = input.programs?.(call.program)
  if (code === undefined || depth >= MAX_DEPTH) throw new Lost(`it asks ${call.program}, which cannot be followed`)
  const handed = handOn(memory, input, call)
  if (handed === undefined) throw new AccessViolation()
  const inner = run(code, handed.input, way, depth + 1)
  if (inner.result !== 0n) throw new AccessViolation()
  handed.takeBack(inner.memory, memory)
}

/** What a program gave back, `undefined` where it failed, and its memory. */
function run(
  program: SbfProgram,
  input: ProgramInput,
  way: Way,
  depth: number,
): { result: bigint | undefined; memory: Memory } {
  const { version, data, image, textAt, length, entry, calls } = program
  if (!way.programs.includes(program)) way.programs.push(program)
  const base = way.programs.indexOf(program) * PLACES_OF_PROGRAM
  const { decisions } = way
  const { frames: layout, hasNewArithmetic, hasStaticCalls, callRegister } = version
  const memory: Memory = createMemory({ data, dataIn: hasStaticCalls ? 0 : 1 }, input)
  for (const each of input.runs ?? []) memory.paste(INPUT_START + BigInt(each.at), each.run)
  const facts = {
    ...input,
    ask: (own: Memory, call: CrossCall) => ask(own, input, call, way, depth),
  }
  const code = viewOf(image)
  const values: bigint[] = new Array(11).fill(0n)
  const terms: (Term | undefined)[] = new Array(11).fill(undefined)
  values[1] = INPUT_START
  values[10] = STACK_START + layout.first
  const frames: Frame[] = []
  let at = entry
  const set = (register: number, value: bigint, term: Term | undefined) => {
    values[register] = value
    terms[register] = term
  }
  const enter = (target: number) => {
    if (frames.length >= MAX_CALLS) throw new AccessViolation()
    frames.push({ back: at, saved: [6, 7, 8, 9, 10].map((i) => ({ value: values[i] ?? 0n, term: terms[i] })) })
    values[10] = (values[10] ?? 0n) + layout.distance
    at = target
  }
  const decide = (test: Operation, a: Operand, b: Operand): boolean => {
    const [left, right] = [a, b].map((each, i) => (typeof each === 'bigint' ? each : i === 0 ? leftValue : rightValue))
    const taken = test(left ?? 0n, right ?? 0n) === 1n
    if (typeof a === 'bigint' && typeof b === 'bigint') return taken
    if (decisions.length >= MAX_DECISIONS) throw new Lost('it decides too often')
    decisions.push({ at: base + at - 1, taken, test, a, b })
    return taken
  }
  let leftValue = 0n
  let rightValue = 0n

  for (; way.steps < MAX_STEPS; way.steps += 1) {
    if (at < 0 || at >= length) throw new AccessViolation()
    const place = textAt + at * SLOT_BYTES
    const opcode = code.getUint8(place)
    const registers = code.getUint8(place + 1)
    const to = registers & 0xf
    const from = registers >> 4
    if (to > 10 || from > 10) throw new AccessViolation()
    const offset = code.getInt16(place + 2, true)
    const immediate = code.getInt32(place + 4, true)
    at += 1
    const kind = opcode & 7
    const high = opcode >> 4
    const byRegister = (opcode & 8) !== 0
    const left = values[to] ?? 0n
    const right = byRegister ? (values[from] ?? 0n) : BigInt.asUintN(64, BigInt(immediate))
    if (kind === WIDE_CLASS || kind === NARROW_CLASS || (kind === LATER_CLASS && hasNewArithmetic)) {
      // What is cleared this way depends on nothing any more.
      const isSame = byRegister && to === from
      const term = byRegister ? terms[from] : undefined
      const made = compute({ opcode, immediate, hasNewArithmetic, isSame }, [left, terms[to]], [right, term])
      if (made === undefined) throw new Lost('it has an instruction that is not known')
      set(to, ...made)
    } else if (kind === LATER_CLASS && hasStaticCalls) {
      const test = COMPARE[high]
      if (test === undefined) throw new Lost('it has an instruction that is not known')
      // Of two halves that are extended, the order is that of the halves.
      const half = (term: Term | undefined) => term && apply(extendLow, term, 0n)
      leftValue = extendLow(left, 0n)
      rightValue = extendLow(right, 0n)
      const other = byRegister ? half(terms[from]) : undefined
      if (decide(test, half(terms[to]) ?? leftValue, other ?? rightValue)) at += offset
    } else if (opcode === LOAD_CONSTANT) {
      set(to, BigInt.asUintN(32, BigInt(immediate)) | (BigInt(code.getUint32(place + 12, true)) << 32n), undefined)
      at += 1
    } else if (kind === LOAD) {
      const address = BigInt.asUintN(64, (values[from] ?? 0n) + BigInt(offset))
      const read = memory.read(address, SIZES[(opcode >> 3) & 3] ?? 1)
      set(to, read.value, withAddress(read.term, terms[from]))
    } else if (kind === STORE || kind === STORE_IMMEDIATE) {
      const address = BigInt.asUintN(64, left + BigInt(offset))
      const isRegister = kind === STORE
      const size = SIZES[(opcode >> 3) & 3] ?? 1
      const value = isRegister ? (values[from] ?? 0n) : BigInt.asUintN(64, BigInt(immediate))
      memory.write(address, size, value, isRegister ? terms[from] : undefined)
    } else if (opcode === CALL) {
      const target = calls.get(at - 1)
      if (typeof target === 'number') enter(target)
      else if (target === undefined) enter(at + immediate)
      else if (ENDING_CALLS.has(target)) return { result: undefined, memory }
      else {
        const call = RUNTIME_CALLS[target]
        if (call === undefined) throw new Lost(`it asks the runtime for ${target}`)
        const { value, term } = call(memory, values.slice(1, 6), facts)
        set(0, value, term)
      }
    } else if (opcode === CALL_REGISTER) {
      const register = { immediate: immediate & 0xf, from, to }[callRegister]
      const target = Number((values[register] ?? 0n) - BigInt(PROGRAM_START)) - textAt
      if (target % SLOT_BYTES !== 0) throw new AccessViolation()
      enter(target / SLOT_BYTES)
    } else if (opcode === EXIT) {
      const frame = frames.pop()
      if (frame === undefined) return { result: values[0] ?? 0n, memory }
      for (const [i, { value, term }] of frame.saved.entries()) set(6 + i, value, term)
      at = frame.back
    } else if (opcode === JUMP) at += offset
    else if (kind === JUMP_CLASS) {
      const test = COMPARE[high]
      if (test === undefined) throw new Lost('it has an instruction that is not known')
      leftValue = left
      rightValue = right
      if (decide(test, terms[to] ?? left, (byRegister ? terms[from] : undefined) ?? right)) at += offset
    } else throw new Lost('it has an instruction that is not known')
  }
  throw new Lost('it takes too many steps')
}

/**
 * What is read at a place that depends on something outside depends on that, too: a table by the
 * day. Where accounts lie depends on how long they are, and means nothing.
 */
function withAddress(value: Term | undefined, address: Term | undefined): Term | undefined {
  if (address === undefined) return value
  return isLayout(address) ? value : opaque(value ? [value, address] : [address])
}

const layouts = new WeakMap<Term, boolean>()

function isLayout(address: Term): boolean {
  const known = layouts.get(address)
  if (known !== undefined) return known
  const answer = [...leavesOf(address).keys()].every(({ kind }) => kind === 'shape' || kind === 'length')
  layouts.set(address, answer)
  return answer
}

/** By the two bits of an instruction's code: word, half, byte, double. */
const SIZES = [4, 2, 1, 8]

/** The program does what cannot be followed here. */
class Lost extends Error {
  override readonly name = 'Lost'
}
