import { BaseError } from '../../errors.js'
import { viewOf } from '../account.js'

/**
 * A program as the runtime lays it out (anza-xyz/sbpf, `elf.rs`, version 0 of the format): an image
 * that is read at `PROGRAM_START`, and where its code lies in it.
 */
export interface SbfProgram {
  /** Every section at its address, relocated. */
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

/** Reads the code of a program. Throws {@link SbfFormatError} for what is not of version 0. */
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
  if (view.getUint32(FLAGS_AT, true) !== 0) throw new SbfFormatError('it is of a newer version of the format')
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
  return { image, textAt: text.address, length: text.size / SLOT_BYTES, entry, calls }
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
