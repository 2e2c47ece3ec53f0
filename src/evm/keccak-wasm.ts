/**
 * Keccak-f[1600] as a WebAssembly module, assembled here. Keccak was more than a third of a trade's
 * time, JavaScript has no 64-bit integers, and what the registry offers hides its module behind an
 * interface that costs as much as the hash. FIPS 202, section 3.
 */
export interface KeccakModule {
  memory: { buffer: ArrayBuffer }
  /**
   * Absorbs `blocks` blocks of 136 bytes from INPUT_START; with `fresh` 1 into a new state. The
   * digest is the first 32 bytes of memory.
   */
  absorb(blocks: number, fresh: number): void
}

/** The state stands at 0, the round constants behind it, the input behind those. */
const CONSTANTS_START = 208
export const INPUT_START = 512
export const RATE_BYTES = 136
const PAGE_BYTES = 65_536
export const INPUT_BLOCKS = Math.floor((PAGE_BYTES - INPUT_START) / RATE_BYTES)

const LANES = 25
const RATE_LANES = RATE_BYTES / 8
const ROUNDS = 24

/**
 * The part of the global that is used here; its types come with the browser's library, which this
 * project does not load.
 */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object
    Instance: new (module: object) => { exports: object }
  }
}

export function createKeccakModule(): KeccakModule {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assemble()))
  const keccak = exports as unknown as KeccakModule
  const view = new DataView(keccak.memory.buffer)
  roundConstants().forEach((constant, round) => {
    view.setBigUint64(CONSTANTS_START + round * 8, constant, true)
  })
  return keccak
}

const I32 = 0x7f
const I64 = 0x7e
const op = {
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  brIf: 0x0d,
  localGet: 0x20,
  localSet: 0x21,
  i64Load: 0x29,
  i64Store: 0x37,
  i32Const: 0x41,
  i64Const: 0x42,
  i32Eqz: 0x45,
  i32LtU: 0x49,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i64And: 0x83,
  i64Xor: 0x85,
  i64Rotl: 0x89,
}
const NO_RESULT = 0x40

// Parameters and local variables, by index.
const BLOCKS = 0
const FRESH = 1
const INPUT = 2
const CONSTANT = 3
const lane = (index: number) => 4 + index
const parity = (x: number) => 29 + (x % 5)
const change = (x: number) => 34 + x
const moved = (index: number) => 39 + index

/** A module with one memory and the function `absorb`. */
function assemble(): Uint8Array<ArrayBuffer> {
  const locals = [2, [2, I32], [LANES + 5 + 5 + LANES, I64]].flat()
  const body = [...locals, ...absorb(), op.end]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 2, I32, I32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0x00, 1]),
    ...section(7, [2, ...name('memory'), 0x02, 0, ...name('absorb'), 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ])
}

function absorb(): number[] {
  const lanes = Array.from({ length: LANES }, (_, index) => index)
  return [
    // Lanes start at zero, as all locals do.
    ...[...get(FRESH), op.i32Eqz, op.if, NO_RESULT],
    ...lanes.flatMap((index) => [op.i32Const, 0, op.i64Load, 3, ...unsigned(index * 8), ...set(lane(index))]),
    op.end,
    ...[op.i32Const, ...signed(INPUT_START), ...set(INPUT)],
    ...[op.loop, NO_RESULT],
    ...lanes
      .slice(0, RATE_LANES)
      .flatMap((index) => [
        ...[...get(lane(index)), ...get(INPUT), op.i64Load, 3, ...unsigned(index * 8)],
        ...[op.i64Xor, ...set(lane(index))],
      ]),
    ...[op.i32Const, ...signed(CONSTANTS_START), ...set(CONSTANT)],
    ...[op.loop, NO_RESULT],
    ...round(),
    ...[...get(CONSTANT), op.i32Const, 8, op.i32Add, ...set(CONSTANT)],
    ...[...get(CONSTANT), op.i32Const, ...signed(CONSTANTS_START + ROUNDS * 8), op.i32LtU, op.brIf, 0],
    op.end,
    ...[...get(INPUT), op.i32Const, ...signed(RATE_BYTES), op.i32Add, ...set(INPUT)],
    ...[...get(BLOCKS), op.i32Const, 1, op.i32Sub, ...set(BLOCKS)],
    ...[...get(BLOCKS), op.brIf, 0],
    op.end,
    ...lanes.flatMap((index) => [op.i32Const, 0, ...get(lane(index)), op.i64Store, 3, ...unsigned(index * 8)]),
  ]
}

/** Theta, rho, pi, chi and iota; the lane at column x and row y has the index x + 5y. */
function round(): number[] {
  const code: number[] = []
  for (let x = 0; x < 5; x += 1) {
    code.push(...get(lane(x)))
    for (let y = 1; y < 5; y += 1) code.push(...get(lane(x + 5 * y)), op.i64Xor)
    code.push(...set(parity(x)))
  }
  const offsets = rotations()
  for (let x = 0; x < 5; x += 1) {
    code.push(...get(parity(x + 4)), ...get(parity(x + 1)), op.i64Const, 1, op.i64Rotl, op.i64Xor, ...set(change(x)))
  }
  for (let x = 0; x < 5; x += 1) {
    for (let y = 0; y < 5; y += 1) {
      const from = x + 5 * y
      const to = y + 5 * ((2 * x + 3 * y) % 5)
      code.push(...get(lane(from)), ...get(change(x)), op.i64Xor)
      code.push(op.i64Const, ...signed(offsets[from] as number), op.i64Rotl, ...set(moved(to)))
    }
  }
  for (let y = 0; y < 25; y += 5) {
    for (let x = 0; x < 5; x += 1) {
      const [a, b, c] = [moved(x + y), moved(((x + 1) % 5) + y), moved(((x + 2) % 5) + y)] as const
      // a ^ (~b & c), written without the complement
      code.push(...get(a), ...get(c), ...get(b), ...get(c), op.i64And, op.i64Xor, op.i64Xor, ...set(lane(x + y)))
    }
  }
  return [...code, ...get(lane(0)), ...get(CONSTANT), op.i64Load, 3, 0, op.i64Xor, ...set(lane(0))]
}

/** Rho's offsets (FIPS 202, algorithm 2). */
function rotations(): number[] {
  const offsets = new Array<number>(LANES).fill(0)
  let [x, y] = [1, 0]
  for (let step = 0; step < ROUNDS; step += 1) {
    offsets[x + 5 * y] = (((step + 1) * (step + 2)) / 2) % 64
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
  }
  return offsets
}

/** Iota's constants from the shift register of FIPS 202, algorithm 5. */
function roundConstants(): bigint[] {
  let register = 1
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n
    for (let power = 0; power < 7; power += 1) {
      if (register & 1) constant |= 1n << BigInt(2 ** power - 1)
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    }
    return constant
  })
}

function get(local: number): number[] {
  return [op.localGet, local]
}

function set(local: number): number[] {
  return [op.localSet, local]
}

function section(id: number, content: number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)]
}

/** LEB128 */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

/** Signed LEB128 of a number that is not negative: bit 6 of the last byte must be clear. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)]
}
