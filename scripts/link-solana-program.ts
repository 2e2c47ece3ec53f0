/**
 * Turns an object file of clang (ELF64, BPF) into a shared object of sBPF version 0: one executable
 * segment with `.text`, one dynamic segment, and a relocation of type 10 for each call of the
 * runtime. Takes code without data and with one function alone. Sources: the ELF specification
 * (System V ABI), and the checks of the loader (anza-xyz/sbpf, `elf.rs`).
 */
export function linkProgram(object: Buffer): Uint8Array {
  const sections = readSections(object)
  const text = bodyOf(object, find(sections, '.text'))
  const symbols = readSymbols(object, sections)
  const entry = symbols.find(({ name }) => name === 'entrypoint')
  if (entry === undefined) throw new Error('no function "entrypoint"')
  const calls = readRelocations(object, sections, symbols)
  const code = Buffer.from(text)
  for (const { offset } of calls) code.writeInt32LE(-1, offset + 4)
  return layOutProgram(code, entry.value, calls)
}

interface Section {
  name: string
  type: number
  offset: number
  size: number
}

interface Symbol {
  name: string
  value: number
}

interface Call {
  offset: number
  name: string
}

const SECTION_HEADER_BYTES = 64
const SYMBOL_BYTES = 24
const RELOCATION_BYTES = 16
const R_BPF_64_32 = 10

function readSections(object: Buffer): Section[] {
  const at = Number(object.readBigUInt64LE(40))
  const count = object.readUInt16LE(60)
  const names = object.readUInt16LE(62)
  const header = (i: number) => object.subarray(at + i * SECTION_HEADER_BYTES, at + (i + 1) * SECTION_HEADER_BYTES)
  const namesAt = Number(header(names).readBigUInt64LE(24))
  return Array.from({ length: count }, (_, i) => ({
    name: textAt(object, namesAt + header(i).readUInt32LE(0)),
    type: header(i).readUInt32LE(4),
    offset: Number(header(i).readBigUInt64LE(24)),
    size: Number(header(i).readBigUInt64LE(32)),
  }))
}

function find(sections: readonly Section[], name: string): Section {
  const section = sections.find((each) => each.name === name)
  if (section === undefined) throw new Error(`no section ${name}`)
  return section
}

const bodyOf = (object: Buffer, { offset, size }: Section) => object.subarray(offset, offset + size)

function readSymbols(object: Buffer, sections: readonly Section[]): Symbol[] {
  const table = bodyOf(object, find(sections, '.symtab'))
  const names = find(sections, '.strtab').offset
  return Array.from({ length: table.length / SYMBOL_BYTES }, (_, i) => ({
    name: textAt(object, names + table.readUInt32LE(i * SYMBOL_BYTES)),
    value: Number(table.readBigUInt64LE(i * SYMBOL_BYTES + 8)),
  }))
}

function readRelocations(object: Buffer, sections: readonly Section[], symbols: readonly Symbol[]): Call[] {
  const data = sections.find(({ name, size }) => size > 0 && /^\.(rodata|data|bss)/.test(name))
  if (data !== undefined) throw new Error(`the program has data of its own (${data.name})`)
  const section = sections.find(({ name }) => name === '.rel.text')
  if (section === undefined) return []
  const table = bodyOf(object, section)
  return Array.from({ length: table.length / RELOCATION_BYTES }, (_, i) => {
    const info = table.readBigUInt64LE(i * RELOCATION_BYTES + 8)
    if (Number(info & 0xffffffffn) !== R_BPF_64_32) throw new Error('a relocation other than a call')
    const symbol = symbols[Number(info >> 32n)]
    if (!symbol?.name) throw new Error('a call of a function that was not inlined')
    return { offset: Number(table.readBigUInt64LE(i * RELOCATION_BYTES)), name: symbol.name }
  })
}

function textAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, bytes.indexOf(0, at))
}

const HEADER_BYTES = 64
const PROGRAM_HEADER_BYTES = 56
const DYNAMIC_ENTRY_BYTES = 16

/** Lays the parts out one behind the other; every address is the offset in the file. */
export function layOutProgram(code: Buffer, entry: number, calls: readonly Call[]): Uint8Array {
  const names = [...new Set(calls.map(({ name }) => name))]
  const dynstr = Buffer.from(`\0${names.map((name) => `${name}\0`).join('')}`, 'latin1')
  const dynsym = Buffer.alloc((names.length + 1) * SYMBOL_BYTES)
  names.forEach((name, i) => {
    dynsym.writeUInt32LE(dynstr.indexOf(`\0${name}\0`, 0, 'latin1') + 1, (i + 1) * SYMBOL_BYTES)
    dynsym.writeUInt8(0x10, (i + 1) * SYMBOL_BYTES + 4)
  })
  const textAt = HEADER_BYTES + 2 * PROGRAM_HEADER_BYTES
  const dynamicAt = align(textAt + code.length)
  const dynamicBytes = 6 * DYNAMIC_ENTRY_BYTES
  const dynsymAt = align(dynamicAt + dynamicBytes)
  const dynstrAt = align(dynsymAt + dynsym.length)
  const relAt = align(dynstrAt + dynstr.length)
  const rel = Buffer.alloc(calls.length * RELOCATION_BYTES)
  calls.forEach(({ offset, name }, i) => {
    rel.writeBigUInt64LE(BigInt(textAt + offset), i * RELOCATION_BYTES)
    rel.writeBigUInt64LE((BigInt(names.indexOf(name) + 1) << 32n) | BigInt(R_BPF_64_32), i * RELOCATION_BYTES + 8)
  })
  const dynamic = Buffer.alloc(dynamicBytes)
  const relocations: [number, number][] = [
    [DT.REL, relAt],
    [DT.RELSZ, rel.length],
    [DT.RELENT, RELOCATION_BYTES],
  ]
  const entries = [
    // The loader refuses a table of relocations that is empty.
    ...(calls.length > 0 ? relocations : []),
    [DT.SYMTAB, dynsymAt],
    [DT.STRTAB, dynstrAt],
  ] as const
  entries.forEach(([tag, value], i) => {
    dynamic.writeBigUInt64LE(BigInt(tag), i * DYNAMIC_ENTRY_BYTES)
    dynamic.writeBigUInt64LE(BigInt(value), i * DYNAMIC_ENTRY_BYTES + 8)
  })
  const shstr = '\0.text\0.dynamic\0.dynsym\0.dynstr\0.rel.dyn\0.shstrtab\0'
  const shstrAt = align(relAt + rel.length)
  const sectionsAt = align(shstrAt + shstr.length)
  const sections = [
    section('', 0, 0, 0, 0),
    section('.text', SHT.PROGBITS, 6, textAt, code.length),
    section('.dynamic', SHT.DYNAMIC, 3, dynamicAt, dynamicBytes, 4, DYNAMIC_ENTRY_BYTES),
    section('.dynsym', SHT.DYNSYM, 2, dynsymAt, dynsym.length, 4, SYMBOL_BYTES),
    section('.dynstr', SHT.STRTAB, 2, dynstrAt, dynstr.length),
    section('.rel.dyn', SHT.REL, 2, relAt, rel.length, 3, RELOCATION_BYTES),
    section('.shstrtab', SHT.STRTAB, 0, shstrAt, shstr.length),
  ]
  const file = Buffer.alloc(sectionsAt + sections.length * SECTION_HEADER_BYTES)
  writeHeader(file, { entry: textAt + entry, sectionsAt, sections: sections.length })
  writeSegment(file, 0, { type: 1, flags: 5, at: textAt, size: code.length })
  writeSegment(file, 1, { type: 2, flags: 6, at: dynamicAt, size: dynamicBytes })
  for (const [at, part] of [
    [textAt, code],
    [dynamicAt, dynamic],
    [dynsymAt, dynsym],
    [dynstrAt, dynstr],
    [relAt, rel],
    [shstrAt, Buffer.from(shstr, 'latin1')],
  ] as const) {
    part.copy(file, at)
  }
  for (const [i, each] of sections.entries()) each.copy(file, sectionsAt + i * SECTION_HEADER_BYTES)
  return file

  function section(name: string, type: number, flags: number, at: number, size: number, link = 0, entryBytes = 0) {
    const header = Buffer.alloc(SECTION_HEADER_BYTES)
    header.writeUInt32LE(name === '' ? 0 : shstr.indexOf(`\0${name}\0`) + 1, 0)
    header.writeUInt32LE(type, 4)
    header.writeBigUInt64LE(BigInt(flags), 8)
    header.writeBigUInt64LE(BigInt(at), 16)
    header.writeBigUInt64LE(BigInt(at), 24)
    header.writeBigUInt64LE(BigInt(size), 32)
    header.writeUInt32LE(link, 40)
    header.writeBigUInt64LE(8n, 48)
    header.writeBigUInt64LE(BigInt(entryBytes), 56)
    return header
  }
}

const DT = { STRTAB: 5, SYMTAB: 6, REL: 17, RELSZ: 18, RELENT: 19 }
const SHT = { PROGBITS: 1, STRTAB: 3, DYNAMIC: 6, REL: 9, DYNSYM: 11 }

const align = (at: number) => Math.ceil(at / 8) * 8

function writeHeader(
  file: Buffer,
  { entry, sectionsAt, sections }: { entry: number; sectionsAt: number; sections: number },
) {
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(file)
  file.writeUInt16LE(3, 16)
  file.writeUInt16LE(247, 18)
  file.writeUInt32LE(1, 20)
  file.writeBigUInt64LE(BigInt(entry), 24)
  file.writeBigUInt64LE(BigInt(HEADER_BYTES), 32)
  file.writeBigUInt64LE(BigInt(sectionsAt), 40)
  file.writeUInt16LE(HEADER_BYTES, 52)
  file.writeUInt16LE(PROGRAM_HEADER_BYTES, 54)
  file.writeUInt16LE(2, 56)
  file.writeUInt16LE(SECTION_HEADER_BYTES, 58)
  file.writeUInt16LE(sections, 60)
  file.writeUInt16LE(sections - 1, 62)
}

function writeSegment(
  file: Buffer,
  index: number,
  { type, flags, at, size }: { type: number; flags: number; at: number; size: number },
) {
  const start = HEADER_BYTES + index * PROGRAM_HEADER_BYTES
  file.writeUInt32LE(type, start)
  file.writeUInt32LE(flags, start + 4)
  for (const field of [8, 16, 24]) file.writeBigUInt64LE(BigInt(at), start + field)
  file.writeBigUInt64LE(BigInt(size), start + 32)
  file.writeBigUInt64LE(BigInt(size), start + 40)
  file.writeBigUInt64LE(8n, start + 48)
}
