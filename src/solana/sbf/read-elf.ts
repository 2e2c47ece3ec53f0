import { BaseError } from '../../errors.js'
import { viewOf } from '../account.js'
import { nameOfCall } from './runtime-calls.js'
import { CALL } from './sbf-opcodes.js'
import { type SbfVersion, sbfVersion } from './sbf-version.js'

/** A program as the runtime lays it out (anza-xyz/sbpf, `elf.rs`), of versions 0 to 3. */
export interface SbfProgram {
  version: SbfVersion
  /** What can be read: from `PROGRAM_START` on, relocated, or from 0 on since version 3. */
  data: Uint8Array
  /** What holds the code: the same, but since version 3 the code alone. */
  image: Uint8Array
  /** Of the code, in the image. */
  textAt: number
  /** Instructions of eight bytes. */
  length: number
  /** Place of the first instruction that is run. */
  entry: number
  /**
   * What calls mean, by the place of the call: a function of the runtime, or a place in the code.
   */
  calls: ReadonlyMap<number, string | number>
}

export const PROGRAM_START = 0x1_0000_0000

/** Reads the code of a program. Throws {@link SbfFormatError} for what is of no known version. */
export function readElf(file: Uint8Array): SbfProgram {
  try {
    return read(file)
  } catch (cause) {
    if (cause instanceof SbfFormatError) throw cause
    throw new SbfFormatError('it is cut or malformed', cause)
  }
}

interface Section {
  name: string
  type: number
  address: number
  offset: number
  size: number
  link: number
}

function read(file: Uint8Array): SbfProgram {
  const view = viewOf(file)
  if (view.getUint32(0) !== MAGIC) throw new SbfFormatError('it is no program')
  const version = sbfVersion(view.getUint32(FLAGS_AT, true))
  if (version === undefined) throw new SbfFormatError('it is of a newer version of the format')
  if (version.hasStaticCalls) return readStatic(file, version)
  const sections = readSections(file)
  const text = sections.find(({ name }) => name === '.text')
  if (text === undefined || text.size % SLOT_BYTES !== 0) throw new SbfFormatError('it has no code')
  const loaded = sections.filter(({ type, address }) => type === PROGBITS && address > 0)
  const end = Math.max(...loaded.map(({ address, size }) => address + size))
  if (end > MAX_IMAGE_BYTES) throw new SbfFormatError('it is too long')
  const image = new Uint8Array(end)
  for (const { address, offset, size } of loaded) image.set(file.subarray(offset, offset + size), address)
  const entry = (Number(view.getBigUint64(ENTRY_AT, true)) - text.address) / SLOT_BYTES
  const calls = relocate(file, { image, text, sections })
  const length = text.size / SLOT_BYTES
  if (version.movesMemoryClasses) unmoveMemoryClasses(image.subarray(text.address, text.address + text.size))
  return { version, data: image, image, textAt: text.address, length, entry, calls }
}

/**
 * Since version 3 nothing is relocated: the first two segments are data that is read at 0, and the
 * code.
 */
function readStatic(file: Uint8Array, version: SbfVersion): SbfProgram {
  const view = viewOf(file)
  const segment = (place: number) => {
    const at = HEADER_BYTES + place * SEGMENT_BYTES
    const offset = Number(view.getBigUint64(at + 8, true))
    const size = Number(view.getBigUint64(at + 32, true))
    if (offset + size > file.length) throw new SbfFormatError('it is cut or malformed')
    return { flags: view.getUint32(at + 4, true), bytes: file.slice(offset, offset + size) }
  }
  const segments = [segment(0), segment(1)]
  const text = segments.find(({ flags }) => flags === EXECUTABLE)
  if (text === undefined || text.bytes.length % SLOT_BYTES !== 0) throw new SbfFormatError('it has no code')
  const data = segments.find(({ flags }) => flags === READABLE)?.bytes ?? new Uint8Array()
  const entry = (Number(view.getBigUint64(ENTRY_AT, true)) - PROGRAM_START) / SLOT_BYTES
  const length = text.bytes.length / SLOT_BYTES
  return { version, data, image: text.bytes, textAt: 0, length, entry, calls: readCalls(text.bytes, length) }
}

/** Each call says itself whether it is one of the runtime, by the hash of its name. */
function readCalls(text: Uint8Array, length: number): Map<number, string | number> {
  const view = viewOf(text)
  const calls = new Map<number, string | number>()
  for (let at = 0; at < length; at += 1) {
    const start = at * SLOT_BYTES
    if (view.getUint8(start) !== CALL) continue
    const isInternal = view.getUint8(start + 1) >> 4 === 1
    const immediate = view.getInt32(start + 4, true)
    calls.set(at, isInternal ? at + 1 + immediate : nameOfCall(immediate >>> 0))
  }
  return calls
}

/**
 * Version 2 has reads and writes of memory elsewhere among the instructions. Where they stood
 * before and since is free there.
 */
function unmoveMemoryClasses(text: Uint8Array): void {
  for (let at = 0; at < text.length; at += SLOT_BYTES) text[at] = MOVED_CLASSES.get(text[at] ?? 0) ?? text[at] ?? 0
}

function readSections(file: Uint8Array): Section[] {
  const view = viewOf(file)
  const at = Number(view.getBigUint64(40, true))
  const count = Math.min(view.getUint16(60, true), MAX_SECTIONS)
  const headers = Array.from({ length: count }, (_, i) => {
    const start = at + i * SECTION_BYTES
    return {
      nameAt: view.getUint32(start, true),
      type: view.getUint32(start + 4, true),
      address: Number(view.getBigUint64(start + 16, true)),
      offset: Number(view.getBigUint64(start + 24, true)),
      size: Number(view.getBigUint64(start + 32, true)),
      link: view.getUint32(start + 40, true),
    }
  })
  const namesAt = headers[view.getUint16(62, true)]?.offset ?? 0
  return headers.map(({ nameAt, ...section }) => ({ ...section, name: textAt(file, namesAt + nameAt) }))
}

/** Writes addresses where the linker left room for them, and tells what the calls mean. */
function relocate(
  file: Uint8Array,
  { image, text, sections }: { image: Uint8Array; text: Section; sections: readonly Section[] },
): Map<number, string | number> {
  const calls = new Map<number, string | number>()
  const table = sections.find(({ type, name }) => type === REL && name === '.rel.dyn')
  if (table === undefined) return calls
  const symbols = sections[table.link]
  const names = symbols && sections[symbols.link]
  const from = viewOf(file)
  const to = viewOf(image)
  const isCode = (at: number) => at >= text.address && at < text.address + text.size
  const absolute = (address: bigint) => (address < BigInt(PROGRAM_START) ? address + BigInt(PROGRAM_START) : address)
  const symbolAt = (index: number) => {
    const start = (symbols?.offset ?? 0) + index * SYMBOL_BYTES
    const name = textAt(file, (names?.offset ?? 0) + from.getUint32(start, true))
    return { name, kind: from.getUint8(start + 4) & 0xf, value: from.getBigUint64(start + 8, true) }
  }
  const writeWide = (at: number, value: bigint) => {
    to.setUint32(at + 4, Number(value & 0xffff_ffffn), true)
    to.setUint32(at + 12, Number(value >> 32n), true)
  }
  const count = Math.min(Math.floor(table.size / RELOCATION_BYTES), MAX_RELOCATIONS)
  for (let i = 0; i < count; i += 1) {
    const start = table.offset + i * RELOCATION_BYTES
    const at = Number(from.getBigUint64(start, true))
    const info = from.getBigUint64(start + 8, true)
    const kind = Number(info & 0xffff_ffffn)
    const symbol = () => symbolAt(Number(info >> 32n))
    if (kind === R_64_64) writeWide(at, absolute(symbol().value + BigInt(to.getUint32(at + 4, true))))
    else if (kind === R_64_RELATIVE && isCode(at)) {
      writeWide(at, absolute((BigInt(to.getUint32(at + 12, true)) << 32n) | BigInt(to.getUint32(at + 4, true))))
    } else if (kind === R_64_RELATIVE) to.setBigUint64(at, absolute(BigInt(to.getUint32(at + 4, true))), true)
    else if (kind === R_64_32) {
      const { name, kind: symbolKind, value } = symbol()
      const isFunction = symbolKind === FUNCTION && value !== 0n
      calls.set((at - text.address) / SLOT_BYTES, isFunction ? (Number(value) - text.address) / SLOT_BYTES : name)
    } else throw new SbfFormatError(`it has a relocation of kind ${kind}`)
  }
  return calls
}

function textAt(file: Uint8Array, at: number): string {
  const end = file.indexOf(0, at)
  return Buffer.from(file.subarray(at, end < 0 ? at : Math.min(end, at + MAX_NAME_BYTES))).toString('latin1')
}

/** Reads of a byte, a half, a word and a double, then writes of a constant, and of a register. */
const MOVED_CLASSES: ReadonlyMap<number, number> = new Map([
  ...([0x2c, 0x3c, 0x8c, 0x9c] as const).map((code, i) => [code, [0x71, 0x69, 0x61, 0x79][i] ?? 0] as const),
  ...([0x27, 0x37, 0x87, 0x97] as const).map((code, i) => [code, [0x72, 0x6a, 0x62, 0x7a][i] ?? 0] as const),
  ...([0x2f, 0x3f, 0x8f, 0x9f] as const).map((code, i) => [code, [0x73, 0x6b, 0x63, 0x7b][i] ?? 0] as const),
])

const HEADER_BYTES = 64
const SEGMENT_BYTES = 56
const EXECUTABLE = 1
const READABLE = 4
const MAGIC = 0x7f454c46
const ENTRY_AT = 24
const FLAGS_AT = 48
const SECTION_BYTES = 64
const SYMBOL_BYTES = 24
const RELOCATION_BYTES = 16
export const SLOT_BYTES = 8
const PROGBITS = 1
const REL = 9
const FUNCTION = 2
const R_64_64 = 1
const R_64_RELATIVE = 8
const R_64_32 = 10
/** Of accounts, the longest there are. */
const MAX_IMAGE_BYTES = 10_500_000
const MAX_SECTIONS = 256
/** Each takes 16 bytes of the file; programs of a megabyte have some ten thousand. */
const MAX_RELOCATIONS = 200_000
const MAX_NAME_BYTES = 128

/** The code of a program cannot be read here. Says nothing about the program. */
export class SbfFormatError extends BaseError {
  override readonly name = 'SbfFormatError'
  constructor(details: string, cause?: unknown) {
    super('The code of the program cannot be followed', { details, cause })
  }
}
