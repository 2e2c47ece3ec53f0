import type { Precompile } from './precompile.js'

const INPUT_BYTES = 213
/** Rounds between two looks at the clock, some ten milliseconds. */
const TICK_ROUNDS = 1 << 15

/** 0x09: the compression function F of BLAKE2b with a free number of rounds (EIP-152, RFC 7693). */
export const blake2f: Precompile = {
  microsPerGas: 0.3,
  gas: (input) => (input.length === INPUT_BYTES ? viewOf(input).getUint32(0) : 0),
  run(input, tick) {
    const final = input[INPUT_BYTES - 1] as number
    if (input.length !== INPUT_BYTES || final > 1) return undefined
    const view = viewOf(input)
    // Each 64-bit word is two 32-bit halves, low first.
    const h = Uint32Array.from({ length: 16 }, (_, index) => view.getUint32(4 + index * 4, true))
    const m = Uint32Array.from({ length: 32 }, (_, index) => view.getUint32(68 + index * 4, true))
    const v = new Uint32Array(32)
    v.set(h)
    v.set(IV, 16)
    for (let index = 0; index < 4; index += 1)
      v[24 + index] = (v[24 + index] as number) ^ view.getUint32(196 + index * 4, true)
    if (final === 1) {
      v[28] = ~(v[28] as number)
      v[29] = ~(v[29] as number)
    }
    const rounds = view.getUint32(0)
    for (let done = 0; done < rounds; done += TICK_ROUNDS) {
      tick()
      compress(v, m, done, Math.min(rounds, done + TICK_ROUNDS))
    }
    const output = new Uint8Array(64)
    const out = viewOf(output)
    for (let index = 0; index < 16; index += 1) {
      out.setUint32(index * 4, (h[index] as number) ^ (v[index] as number) ^ (v[16 + index] as number), true)
    }
    return output
  },
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The initial values of SHA-512, the low half of each word first. */
const IV = Uint32Array.from(
  'f3bcc9086a09e66784caa73bbb67ae85fe94f82b3c6ef3725f1d36f1a54ff53aade682d1510e527f2b3e6c1f9b05688cfb41bd6b1f83d9ab137e21795be0cd19'.match(
    /.{8}/g,
  ) ?? [],
  (digits) => Number.parseInt(digits, 16),
)

/** Which message words each step of ten rounds takes (RFC 7693, section 2.7). */
const SIGMA = Uint8Array.from(
  `0123456789abcdef ea489fd61c02b753 b8c052fdae367194 7931dcbe265a40f8 905724afe1bc683d
   2c6a0b834d75fe19 c51fed4a0763928b db7ec13950f4862a 6fe9b308c2d714a5 a2847615fb9e3cd0`.replace(/\s/g, ''),
  (digit) => Number.parseInt(digit, 16),
)

/** Rounds `from` up to `to` on the work vector `v`. */
function compress(v: Uint32Array, m: Uint32Array, from: number, to: number): void {
  for (let round = from; round < to; round += 1) {
    const s = (round % 10) * 16
    mix(v, m, 0, 8, 16, 24, SIGMA[s] as number, SIGMA[s + 1] as number)
    mix(v, m, 2, 10, 18, 26, SIGMA[s + 2] as number, SIGMA[s + 3] as number)
    mix(v, m, 4, 12, 20, 28, SIGMA[s + 4] as number, SIGMA[s + 5] as number)
    mix(v, m, 6, 14, 22, 30, SIGMA[s + 6] as number, SIGMA[s + 7] as number)
    mix(v, m, 0, 10, 20, 30, SIGMA[s + 8] as number, SIGMA[s + 9] as number)
    mix(v, m, 2, 12, 22, 24, SIGMA[s + 10] as number, SIGMA[s + 11] as number)
    mix(v, m, 4, 14, 16, 26, SIGMA[s + 12] as number, SIGMA[s + 13] as number)
    mix(v, m, 6, 8, 18, 28, SIGMA[s + 14] as number, SIGMA[s + 15] as number)
  }
}

/** The mixing function G; `a` to `d` are places of low halves in `v`, `x` and `y` message words. */
function mix(v: Uint32Array, m: Uint32Array, a: number, b: number, c: number, d: number, x: number, y: number): void {
  let al = v[a] as number
  let ah = v[a + 1] as number
  let bl = v[b] as number
  let bh = v[b + 1] as number
  let cl = v[c] as number
  let ch = v[c + 1] as number
  let dl = v[d] as number
  let dh = v[d + 1] as number

  // a += b + x
  let low = al + bl + (m[2 * x] as number)
  ah = (ah + bh + (m[2 * x + 1] as number) + Math.floor(low / 0x1_0000_0000)) >>> 0
  al = low >>> 0
  // d = (d ^ a) >>> 32
  const swap = dl ^ al
  dl = (dh ^ ah) >>> 0
  dh = swap >>> 0
  // c += d
  low = cl + dl
  ch = (ch + dh + (low > 0xffff_ffff ? 1 : 0)) >>> 0
  cl = low >>> 0
  // b = (b ^ c) >>> 24
  let xl = bl ^ cl
  let xh = bh ^ ch
  bl = ((xl >>> 24) | (xh << 8)) >>> 0
  bh = ((xh >>> 24) | (xl << 8)) >>> 0

  // a += b + y
  low = al + bl + (m[2 * y] as number)
  ah = (ah + bh + (m[2 * y + 1] as number) + Math.floor(low / 0x1_0000_0000)) >>> 0
  al = low >>> 0
  // d = (d ^ a) >>> 16
  xl = dl ^ al
  xh = dh ^ ah
  dl = ((xl >>> 16) | (xh << 16)) >>> 0
  dh = ((xh >>> 16) | (xl << 16)) >>> 0
  // c += d
  low = cl + dl
  ch = (ch + dh + (low > 0xffff_ffff ? 1 : 0)) >>> 0
  cl = low >>> 0
  // b = (b ^ c) >>> 63
  xl = bl ^ cl
  xh = bh ^ ch
  bl = ((xh >>> 31) | (xl << 1)) >>> 0
  bh = ((xl >>> 31) | (xh << 1)) >>> 0

  v[a] = al
  v[a + 1] = ah
  v[b] = bl
  v[b + 1] = bh
  v[c] = cl
  v[c + 1] = ch
  v[d] = dl
  v[d + 1] = dh
}
