import { viewOf } from '../account.js'
import { type SbfProgram, SLOT_BYTES } from './read-elf.js'
import {
  CALL,
  CALL_REGISTER,
  EXIT,
  JUMP,
  JUMP_CLASS,
  LATER_CLASS,
  LOAD_CONSTANT,
  STORE,
  STORE_IMMEDIATE,
} from './sbf-opcodes.js'

/**
 * Where a register may point. `number`: a count made of small constants, which carries no address;
 * `scaled`: such a count times a size; `heapAt`: the heap and one of these. How far each can be
 * moved in all a transaction may compute ends before the next region begins.
 */
type Place = 'number' | 'scaled' | 'heap' | 'heapAt' | 'stack' | 'other'
type State = readonly Place[]

/**
 * Whether a program may ever write to an account, or have another program do so: all of its code is
 * looked at, whatever leads there. What is not understood may write.
 */
export function mayWriteOutside(program: SbfProgram): boolean {
  const { version, image, textAt, length, entry, calls } = program
  const code = viewOf(image)
  const states: (State | undefined)[] = new Array(length).fill(undefined)
  const waiting: number[] = []
  const reach = (at: number, state: State) => {
    const known = states[at]
    const joined = known === undefined ? state : known.map((place, i) => joinPlaces(place, state[i] ?? 'other'))
    if (known !== undefined && joined.every((place, i) => place === known[i])) return
    states[at] = joined
    waiting.push(at)
  }
  reach(entry, ENTERED)
  while (waiting.length > 0) {
    const at = waiting.pop() ?? 0
    if (at < 0 || at >= length) continue
    const start = textAt + at * SLOT_BYTES
    const opcode = code.getUint8(start)
    const [to, from] = [code.getUint8(start + 1) & 0xf, code.getUint8(start + 1) >> 4]
    const [offset, immediate] = [code.getInt16(start + 2, true), code.getInt32(start + 4, true)]
    const state = [...(states[at] ?? ENTERED)]
    const kind = opcode & 7
    if (opcode === CALL) {
      const target = calls.get(at)
      if (typeof target === 'string') {
        const written = WRITTEN_BY[target]
        if (written === undefined || written.some((register) => !isOwn(state[register]))) return true
      } else reach(target ?? at + 1 + immediate, ENTERED)
      reach(
        at + 1,
        state.map((place, i) => (i <= LAST_ARGUMENT ? 'other' : place)),
      )
    } else if (opcode === CALL_REGISTER) return true
    else if (opcode === EXIT) continue
    else if (opcode === JUMP) reach(at + 1 + offset, state)
    else if (kind === JUMP_CLASS || (kind === LATER_CLASS && version.hasStaticCalls)) {
      reach(at + 1, state)
      reach(at + 1 + offset, state)
    } else if (kind === STORE || kind === STORE_IMMEDIATE) {
      if (!isOwn(state[to])) return true
      reach(at + 1, state)
    } else if (opcode === LOAD_CONSTANT) {
      state[to] = placeOf((BigInt(code.getUint32(start + 12, true)) << 32n) | BigInt(code.getUint32(start + 4, true)))
      reach(at + 2, state)
    } else {
      state[to] = afterwards(opcode, state[to] ?? 'other', { by: state[from] ?? 'other', immediate })
      reach(at + 1, state)
    }
  }
  return false
}

const ENTERED: State = [...new Array(10).fill('other'), 'stack']

const isOwn = (place: Place | undefined) => place === 'heap' || place === 'heapAt' || place === 'stack'

function placeOf(value: bigint): Place {
  if (value >= HEAP_START && value < HEAP_END) return 'heap'
  return value <= MAX_NUMBER ? 'number' : 'other'
}

function joinPlaces(a: Place, b: Place): Place {
  if (a === b) return a
  const both = new Set([a, b])
  if ([...both].every((place) => place === 'heap' || place === 'heapAt')) return 'heapAt'
  return [...both].every((place) => place === 'number' || place === 'scaled') ? 'scaled' : 'other'
}

/** Of 64-bit arithmetic; all else may be anything. */
function afterwards(opcode: number, place: Place, { by, immediate }: { by: Place; immediate: number }): Place {
  const size = Math.abs(immediate)
  switch (opcode) {
    case MOVE_IMMEDIATE:
      return size <= MAX_NUMBER ? 'number' : 'other'
    case MOVE_REGISTER:
      return by
    case ADD_IMMEDIATE:
      return size <= (place === 'number' || place === 'scaled' ? MAX_NUMBER_STEP : MAX_STEP) && place !== 'scaled'
        ? place
        : 'other'
    case ADD_REGISTER:
      if (place === 'heap' && (by === 'number' || by === 'scaled')) return 'heapAt'
      return by === 'heap' && (place === 'number' || place === 'scaled') ? 'heapAt' : 'other'
    case MULTIPLY_IMMEDIATE:
      return place === 'number' && size <= MAX_SCALE ? 'scaled' : 'other'
    case SHIFT_IMMEDIATE:
      return place === 'number' && size <= MAX_SHIFT ? 'scaled' : 'other'
    default:
      return 'other'
  }
}

/**
 * Registers that point to where functions of the runtime write. What is not here may do anything:
 * calls of other programs do.
 */
const WRITTEN_BY: Readonly<Record<string, readonly number[]>> = {
  abort: [],
  sol_panic_: [],
  sol_log_: [],
  sol_log_64_: [],
  sol_log_pubkey: [],
  sol_log_compute_units_: [],
  sol_log_data: [],
  sol_set_return_data: [],
  sol_get_stack_height: [],
  sol_memcpy_: [1],
  sol_memmove_: [1],
  sol_memset_: [1],
  sol_memcmp_: [4],
  sol_sha256: [3],
  sol_keccak256: [3],
  sol_create_program_address: [4],
  sol_try_find_program_address: [4, 5],
  sol_get_clock_sysvar: [1],
  sol_get_rent_sysvar: [1],
  sol_get_sysvar: [2],
}

const HEAP_START = 0x3_0000_0000n
const HEAP_END = 0x3_0004_0000n
/**
 * In 1.4 million units a loop turns 700,000 times: 2^26 for counts, 2^32 times a size, 2^30 for a
 * pointer that is moved on, each less than the four gigabytes between two regions.
 */
const MAX_NUMBER = 4_096
const MAX_NUMBER_STEP = 32
const MAX_SCALE = 72
const MAX_SHIFT = 6
const MAX_STEP = 1_024
const LAST_ARGUMENT = 5

const MOVE_IMMEDIATE = 0xb7
const MOVE_REGISTER = 0xbf
const ADD_IMMEDIATE = 0x07
const ADD_REGISTER = 0x0f
const MULTIPLY_IMMEDIATE = 0x27
const SHIFT_IMMEDIATE = 0x67
