import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addressAt, addressBytes } from '../address.js'
import { findProgramAddress, programAddress } from '../pda.js'
import { CLOCK_SYSVAR } from '../programs.js'
import { type CallForm, type CrossCall, readCall } from './cross-call.js'
import { firstDifference } from './sbf-arithmetic.js'
import { type Memory, type Run, wholeOf } from './sbf-memory.js'
import { apply, join, littleEndian, type Operand, opaque, type Piece, type Source, type Term } from './sbf-term.js'

/**
 * The name of a function that is called by the hash of its name (murmur3, 32 bits); the hash in
 * words for one that is not known here.
 */
export function nameOfCall(hash: number): string {
  names ??= new Map(
    [...ENDING_CALLS, ...Object.keys(RUNTIME_CALLS), ...NOT_FOLLOWED].map((each) => [hashOf(each), each]),
  )
  return names.get(hash) ?? `function ${hash.toString(16)}`
}

let names: ReadonlyMap<number, string> | undefined

/** By Austin Appleby, in the public domain: MurmurHash3_x86_32, seed 0. */
export function hashOf(name: string): number {
  const bytes = new TextEncoder().encode(name)
  const mix = (word: number) => Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593)
  let hash = 0
  const whole = bytes.length - (bytes.length % 4)
  for (let at = 0; at < whole; at += 4) {
    hash = (Math.imul(rotate(hash ^ mix(Number(littleEndian(bytes, at, 4))), 13), 5) + 0xe6546b64) | 0
  }
  hash ^= mix(Number(littleEndian(bytes, whole, bytes.length - whole)))
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const rotate = (word: number, by: number) => (word << by) | (word >>> (32 - by))

/** What a function of the runtime gives back in the first register. */
export interface Returned {
  value: bigint
  term?: Term | undefined
}

/** Calls that end a program as failed. */
export const ENDING_CALLS: ReadonlySet<string> = new Set(['abort', 'sol_panic_'])

/** Known by name, so that a report can name them. */
const NOT_FOLLOWED = [
  'sol_get_return_data',
  'sol_get_processed_sibling_instruction',
  'sol_remaining_compute_units',
  'sol_get_epoch_schedule_sysvar',
  'sol_get_epoch_rewards_sysvar',
  'sol_get_last_restart_slot',
  'sol_get_epoch_stake',
  'sol_secp256k1_recover',
  'sol_blake3',
  'sol_poseidon',
  'sol_curve_validate_point',
  'sol_curve_group_op',
  'sol_curve_multiscalar_mul',
  'sol_alt_bn128_group_op',
  'sol_big_mod_exp',
  'sol_alloc_free_',
]

export interface RuntimeFacts {
  /** Follows the program that is asked. */
  ask?: (memory: Memory, call: CrossCall) => void
  clock: Source
  /** How deep the call is, and what else is the transaction's. */
  depth: Source
  /** Sysvars that were given, by address. */
  sysvars: ReadonlyMap<string, Source>
}

/** A function of the runtime on a program's memory; `undefined` for one that is not known here. */
export type RuntimeCall = (memory: Memory, args: readonly bigint[], facts: RuntimeFacts) => Returned

const NOTHING: Returned = { value: 0n }
const SEED_BYTES = 16n
const MAX_SEEDS = 16n
/** More than any program has a use for. */
const MAX_RUN_BYTES = 65_536

const silent: RuntimeCall = () => NOTHING
const sizeOf = (value: bigint) => {
  if (value > BigInt(MAX_RUN_BYTES)) throw new RangeError('too much at once')
  return Number(value)
}

const move: RuntimeCall = (memory, [to = 0n, from = 0n, count = 0n]) => {
  memory.paste(to, memory.copy(from, sizeOf(count)))
  return NOTHING
}

const pieces = (memory: Memory, at: bigint, size: number): { value: bigint; operand: Operand } => {
  const { bytes, pieces: parts } = memory.copy(at, size)
  const value = littleEndian(bytes, 0, size)
  return { value, operand: isPlain(parts) ? value : join(parts) }
}

const isPlain = (parts: readonly Piece[]) => parts.every(({ value }) => typeof value === 'bigint')

const compare: RuntimeCall = (memory, [a = 0n, b = 0n, count = 0n, result = 0n]) => {
  const size = sizeOf(count)
  const [left, right] = [pieces(memory, a, size), pieces(memory, b, size)]
  const value = firstDifference(left.value, right.value)
  const isFixed = typeof left.operand === 'bigint' && typeof right.operand === 'bigint'
  memory.write(result, 4, value, isFixed ? undefined : apply(firstDifference, left.operand, right.operand))
  return NOTHING
}

/** Runs of bytes that are named by a list of pointers and lengths. */
function readRuns(memory: Memory, at: bigint, count: bigint): Run[] {
  if (count > MAX_SEEDS) throw new RangeError('too many seeds')
  return Array.from({ length: Number(count) }, (_, i) => {
    const entry = at + BigInt(i) * SEED_BYTES
    return memory.copy(memory.read(entry, 8).value, sizeOf(memory.read(entry + 8n, 8).value))
  })
}

const isOutside = (value: Operand): value is Term => typeof value !== 'bigint'
const termsOf = (runs: readonly { pieces: readonly Piece[] }[]) =>
  runs.flatMap((run) => run.pieces.map(({ value }) => value)).filter(isOutside)

const hash =
  (digest: (bytes: Uint8Array) => Uint8Array): RuntimeCall =>
  (memory, [at = 0n, count = 0n, result = 0n]) => {
    const runs = readRuns(memory, at, count)
    const bytes = digest(Buffer.concat(runs.map((run) => run.bytes)))
    const from = termsOf(runs)
    memory.paste(result, { bytes, pieces: [{ size: bytes.length, value: from.length > 0 ? opaque(from) : 0n }] })
    return NOTHING
  }

const derive =
  (isSearched: boolean): RuntimeCall =>
  (memory, [at = 0n, count = 0n, program = 0n, result = 0n, bumpAt = 0n]) => {
    const runs = readRuns(memory, at, count)
    const seeds = runs.map((run) => run.bytes)
    const by = memory.copy(program, 32)
    const owner = addressAt(by.bytes)
    const address = isSearched ? findProgramAddress(owner, seeds) : programAddress(owner, seeds)
    if (address === undefined) return { value: 1n }
    const from = [...termsOf(runs), ...termsOf([by])]
    const term = from.length > 0 ? opaque(from, true) : undefined
    memory.paste(result, { bytes: addressBytes(address), pieces: [{ size: 32, value: term ?? 0n }] })
    if (isSearched) memory.write(bumpAt, 1, BigInt(bumpOf(owner, seeds, address)), term)
    return NOTHING
  }

function bumpOf(owner: ReturnType<typeof addressAt>, seeds: readonly Uint8Array[], address: string): number {
  for (let bump = 255; bump > 0; bump -= 1) {
    if (programAddress(owner, [...seeds, Uint8Array.of(bump)]) === address) return bump
  }
  return 0
}

const writeSource = (
  memory: Memory,
  at: bigint,
  source: Source,
  from = 0,
  size = source.bytes.length - from,
): Returned => {
  const bytes = source.bytes.slice(from, from + size)
  memory.paste(at, { bytes, pieces: [{ size, value: { ...wholeOf(source), at: from, size } }] })
  return NOTHING
}

/** Of mainnet, since its first block: 3,480 lamports a byte and year, two years. */
const RENT = Uint8Array.of(0x98, 0x0d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 50)

/** A program that is asked and fails ends the one that asks, so that what comes back is nil. */
const invoke =
  (form: CallForm): RuntimeCall =>
  (memory, [at = 0n], { ask }) => {
    ask?.(memory, readCall(memory, at, form))
    return NOTHING
  }

/**
 * By name. Sources: the runtime's list of functions (anza-xyz/agave, `syscalls/src/lib.rs`). What
 * looks at the other instructions or does curve arithmetic is not here.
 */
export const RUNTIME_CALLS: Readonly<Record<string, RuntimeCall>> = {
  sol_log_: silent,
  sol_log_64_: silent,
  sol_log_pubkey: silent,
  sol_log_compute_units_: silent,
  sol_log_data: silent,
  sol_set_return_data: silent,
  sol_memcpy_: move,
  sol_memmove_: move,
  sol_memset_(memory, [to = 0n, byte = 0n, count = 0n]) {
    const size = sizeOf(count)
    memory.paste(to, { bytes: new Uint8Array(size).fill(Number(byte & 0xffn)), pieces: [{ size, value: 0n }] })
    return NOTHING
  },
  sol_memcmp_: compare,
  sol_sha256: hash(sha256),
  sol_keccak256: hash(keccak_256),
  sol_create_program_address: derive(false),
  sol_try_find_program_address: derive(true),
  sol_invoke_signed_c: invoke('c'),
  sol_invoke_signed_rust: invoke('rust'),
  sol_get_clock_sysvar: (memory, [at = 0n], { clock }) => writeSource(memory, at, clock),
  sol_get_rent_sysvar(memory, [at = 0n]) {
    memory.paste(at, { bytes: RENT, pieces: [{ size: RENT.length, value: 0n }] })
    return NOTHING
  },
  sol_get_sysvar(memory, [id = 0n, at = 0n, from = 0n, size = 0n], { clock, sysvars }) {
    const address = addressAt(memory.copy(id, 32).bytes)
    const source = address === CLOCK_SYSVAR ? clock : sysvars.get(address)
    if (source === undefined) return { value: 2n }
    return writeSource(memory, at, source, sizeOf(from), sizeOf(size))
  },
  sol_get_stack_height: (_memory, _args, { depth }) => ({
    value: littleEndian(depth.bytes, 0, 8),
    term: wholeOf(depth),
  }),
}
