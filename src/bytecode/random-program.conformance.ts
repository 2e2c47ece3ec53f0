import { opcodeTable } from '../instructions/opcodes.js'

/** A small deterministic generator (mulberry32): a found case can be repeated from its seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const randomBytes = (next: () => number, length: number): Uint8Array =>
  Uint8Array.from({ length }, () => Math.floor(next() * 256))

const USEFUL = opcodeTable.flatMap((opcode, byte) =>
  opcode !== undefined && opcode.immediate === 0 && ![0x56, 0x57, 0x5b].includes(byte) ? [byte] : [],
)
/** Words that lead somewhere: storage and memory places, selectors of ERC-20, masks. */
const WORDS = [
  '00',
  '01',
  '04',
  '20',
  '24',
  '40',
  '44',
  '60',
  '80',
  'ff',
  'ffffffff',
  '70a08231',
  'a9059cbb',
  '23b872dd',
  'dd62ed3e',
  `${'ff'.repeat(20)}`,
  `${'ff'.repeat(32)}`,
  '36'.repeat(32),
]

/**
 * A program of blocks that jump to one another: dispatchers, loops, calls with return addresses,
 * storage and memory.
 */
export function generateProgram(next: () => number): Uint8Array {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T
  const blocks = 2 + Math.floor(next() * 40)
  const bytes: number[] = []
  const starts: number[] = []
  const fixups: { at: number; block: number }[] = []
  const pushBlock = () => {
    bytes.push(0x61)
    fixups.push({ at: bytes.length, block: Math.floor(next() * blocks) })
    bytes.push(0, 0)
  }
  const pushWord = () => {
    const word = pick(WORDS)
    bytes.push(0x5f + word.length / 2, ...Buffer.from(word, 'hex'))
  }
  const statements: (() => void)[] = [
    pushWord,
    pushWord,
    () => bytes.push(pick(USEFUL)),
    () => bytes.push(0x80 + Math.floor(next() * 8)),
    () => bytes.push(0x90 + Math.floor(next() * 8)),
    () => bytes.push(0x5f, 0x35, 0x60, 0xe0, 0x1c),
    () => bytes.push(0x33, 0x5f, 0x52, 0x60, Math.floor(next() * 4), 0x60, 0x20, 0x52, 0x60, 0x40, 0x5f, 0x20),
    () => bytes.push(0x60, Math.floor(next() * 6), 0x54),
    () => bytes.push(0x60, Math.floor(next() * 6), 0x55),
    () => bytes.push(0x60, 4, 0x35),
    pushBlock,
  ]
  for (let block = 0; block < blocks; block += 1) {
    starts.push(bytes.length)
    bytes.push(0x5b)
    for (let n = Math.floor(next() * 14); n > 0; n -= 1) pick(statements)()
    const end = next()
    if (end < 0.35) {
      pushBlock()
      bytes.push(0x56)
    } else if (end < 0.75) {
      pushBlock()
      bytes.push(0x57)
    } else if (end < 0.85) bytes.push(0x56)
    else bytes.push(pick([0x00, 0xf3, 0xfd, 0xff, 0x57]))
  }
  for (const { at, block } of fixups) {
    const start = starts[block] ?? 0
    bytes[at] = start >> 8
    bytes[at + 1] = start & 0xff
  }
  return Uint8Array.from(bytes)
}
