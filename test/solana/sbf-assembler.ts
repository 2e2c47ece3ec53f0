import { layOutProgram } from '../../scripts/link-solana-program.js'
import { hashOf } from '../../src/solana/sbf/runtime-calls.js'

/** An instruction; `call` names a function of the runtime. */
export interface Slot {
  code: number
  to?: number
  from?: number
  offset?: number
  immediate?: number
  call?: string
}

const SLOT_BYTES = 8
const FLAGS_AT = 48
const HEADER_BYTES = 64
const SEGMENT_BYTES = 56
const SECTION_BYTES = 64
const CODE_AT = 0x1_0000_0000n
const NOTHING = Buffer.alloc(SLOT_BYTES)

/** A program of a version of the format that no compiler here writes; it is entered at `entry`. */
export function assemble(version: number, slots: readonly Slot[], { entry = 0, data = NOTHING } = {}): Uint8Array {
  const code = Buffer.concat(slots.map((slot) => write(slot, version)))
  if (version >= 3) return layOutStatic(code, { entry, data, version })
  const calls = slots.flatMap(({ call }, i) => (call === undefined ? [] : [{ offset: i * SLOT_BYTES, name: call }]))
  const file = Buffer.from(layOutProgram(code, entry * SLOT_BYTES, calls))
  file.writeUInt32LE(version, FLAGS_AT)
  return file
}

function write({ code, to = 0, from = 0, offset = 0, immediate = 0, call }: Slot, version: number): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES)
  slot.writeUInt8(code, 0)
  slot.writeUInt8(to | (from << 4), 1)
  slot.writeInt16LE(offset, 2)
  const named = version >= 3 ? (call && hashOf(call)) || immediate : call ? -1 : immediate
  slot.writeInt32LE(named | 0, 4)
  return slot
}

/** Two segments, data and code, and a list of sections that holds none (SIMD-0189). */
function layOutStatic(
  code: Buffer,
  { entry, data, version }: { entry: number; data: Buffer; version: number },
): Uint8Array {
  const dataAt = HEADER_BYTES + 2 * SEGMENT_BYTES
  const codeAt = dataAt + data.length
  const sectionsAt = codeAt + code.length
  const file = Buffer.alloc(sectionsAt + SECTION_BYTES)
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file)
  file.writeUInt16LE(3, 16)
  file.writeUInt16LE(247, 18)
  file.writeUInt32LE(1, 20)
  file.writeBigUInt64LE(CODE_AT + BigInt(entry * SLOT_BYTES), 24)
  file.writeBigUInt64LE(BigInt(HEADER_BYTES), 32)
  file.writeBigUInt64LE(BigInt(sectionsAt), 40)
  file.writeUInt32LE(version, FLAGS_AT)
  for (const [at, value] of [
    [52, HEADER_BYTES],
    [54, SEGMENT_BYTES],
    [56, 2],
    [58, SECTION_BYTES],
    [60, 1],
  ] as const) {
    file.writeUInt16LE(value, at)
  }
  for (const [i, { flags, at, address, bytes }] of [
    { flags: 4, at: dataAt, address: 0n, bytes: data },
    { flags: 1, at: codeAt, address: CODE_AT, bytes: code },
  ].entries()) {
    const start = HEADER_BYTES + i * SEGMENT_BYTES
    file.writeUInt32LE(1, start)
    file.writeUInt32LE(flags, start + 4)
    file.writeBigUInt64LE(BigInt(at), start + 8)
    for (const field of [16, 24]) file.writeBigUInt64LE(address, start + field)
    for (const field of [32, 40]) file.writeBigUInt64LE(BigInt(bytes.length), start + field)
    bytes.copy(file, at)
  }
  return file
}
