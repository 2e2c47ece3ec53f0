import { viewOf } from '../account.js'
import type { ProgramInput } from './program-input.js'
import { PROGRAM_START, type SbfProgram, SLOT_BYTES } from './read-elf.js'
import { ENDING_CALLS, RUNTIME_CALLS } from './runtime-calls.js'
import { COMPARE, cutTo, NARROW, swapBytes, WIDE } from './sbf-arithmetic.js'
import { AccessViolation, createMemory, type Memory } from './sbf-memory.js'
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
const FRAME_BYTES = 4_096n
/** Frames have as much between them. */
const FRAME_DISTANCE = 8_192n
const INPUT_START = 0x4_0000_0000n

type Way = Pick<Followed, 'decisions' | 'steps'>

interface Frame {
  back: number
  saved: { value: bigint; term: Term | undefined }[]
}

/**
 * Runs a program as the runtime would, and tells each decision that it made on something outside.
 * Never throws for what a program does.
 */
export function followProgram(program: SbfProgram, input: ProgramInput): Followed {
  const way: Way = { decisions: [], steps: 0 }
  try {
    return { ...run(program, input, way), ...way }
  } catch (error) {
    if (error instanceof AccessViolation) return { result: undefined, ...way, lostAt: '' }
    if (error instanceof Lost || error instanceof RangeError)
      return { result: undefined, ...way, lostAt: error.message }
    throw error
  }
}

function run(
  { image, textAt, length, entry, calls }: SbfProgram,
  input: ProgramInput,
  way: Way,
): Omit<Followed, keyof Way> {
  const { decisions } = way
  const memory: Memory = createMemory(image, input)
  const code = viewOf(image)
  const values: bigint[] = new Array(11).fill(0n)
  const terms: (Term | undefined)[] = new Array(11).fill(undefined)
  values[1] = INPUT_START
  values[10] = STACK_START + FRAME_BYTES
  const frames: Frame[] = []
  let at = entry
  const set = (register: number, value: bigint, term: Term | undefined) => {
    values[register] = value
    terms[register] = term
  }
  const enter = (target: number) => {
    if (frames.length >= MAX_CALLS) throw new AccessViolation()
    frames.push({ back: at, saved: [6, 7, 8, 9, 10].map((i) => ({ value: values[i] ?? 0n, term: terms[i] })) })
    values[10] = (values[10] ?? 0n) + FRAME_DISTANCE
    at = target
  }
  const decide = (test: Operation, a: Operand, b: Operand): boolean => {
    const [left, right] = [a, b].map((each, i) => (typeof each === 'bigint' ? each : i === 0 ? leftValue : rightValue))
    const taken = test(left ?? 0n, right ?? 0n) === 1n
    if (typeof a === 'bigint' && typeof b === 'bigint') return taken
    if (decisions.length >= MAX_DECISIONS) throw new Lost('it decides too often')
    decisions.push({ at: at - 1, taken, test, a, b })
    return taken
  }
  let leftValue = 0n
  let rightValue = 0n

  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (at < 0 || at >= length) throw new AccessViolation()
    way.steps = step
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
    if (kind === WIDE_CLASS || kind === NARROW_CLASS) {
      const term = byRegister ? terms[from] : undefined
      if (high === MOVE) {
        const isWide = kind === WIDE_CLASS
        const value = isWide ? right : BigInt.asUintN(32, right)
        set(to, value, isWide || term === undefined ? term : apply(cutTo(32), term, 0n))
        continue
      }
      if (high === SWAP) {
        const op = byRegister ? swapBytes(BigInt(immediate)) : cutTo(immediate)
        set(to, op(left, 0n), terms[to] && apply(op, terms[to], 0n))
        continue
      }
      const op = (kind === WIDE_CLASS ? WIDE : NARROW)[high]
      if (op === undefined) throw new Lost('it has an instruction that is not known')
      if ((high === DIVIDE || high === MODULO) && (kind === WIDE_CLASS ? right : BigInt.asUintN(32, right)) === 0n) {
        throw new AccessViolation()
      }
      const isFixed = terms[to] === undefined && term === undefined
      // What is cleared this way depends on nothing any more.
      const isCleared = high === XOR && byRegister && to === from
      set(to, op(left, right), isFixed || isCleared ? undefined : apply(op, terms[to] ?? left, term ?? right))
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
      else if (ENDING_CALLS.has(target)) return { result: undefined, lostAt: '' }
      else {
        const call = RUNTIME_CALLS[target]
        if (call === undefined) throw new Lost(`it asks the runtime for ${target}`)
        const { value, term } = call(memory, values.slice(1, 6), input)
        set(0, value, term)
      }
    } else if (opcode === CALL_REGISTER) {
      const target = Number((values[immediate & 0xf] ?? 0n) - BigInt(PROGRAM_START)) - textAt
      if (target % SLOT_BYTES !== 0) throw new AccessViolation()
      enter(target / SLOT_BYTES)
    } else if (opcode === EXIT) {
      const frame = frames.pop()
      if (frame === undefined) return { result: values[0] ?? 0n, lostAt: '' }
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

const NARROW_CLASS = 4
const WIDE_CLASS = 7
const JUMP_CLASS = 5
const LOAD = 1
const STORE_IMMEDIATE = 2
const STORE = 3
const LOAD_CONSTANT = 0x18
const CALL = 0x85
const CALL_REGISTER = 0x8d
const EXIT = 0x95
const JUMP = 0x05
const DIVIDE = 3
const MODULO = 9
const XOR = 10
const MOVE = 11
const SWAP = 13
/** By the two bits of an instruction's code: word, half, byte, double. */
const SIZES = [4, 2, 1, 8]

/** The program does what cannot be followed here. */
class Lost extends Error {
  override readonly name = 'Lost'
}
